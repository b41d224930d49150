/** A Python `UUID`; the text is in lower case with dashes. */
export class Uuid {
  /** 32 lower-case hex digits. */
  readonly hex: string;

  /**
   * @param text 32 hex digits; dashes, braces and a `urn:uuid:` in front are passed over
   * @throws RangeError for anything else
   */
  constructor(text: string) {
    const digits =
      typeof text === "string"
        ? text
            .replace("urn:", "")
            .replace("uuid:", "")
            .replace(/^[{}]+|[{}]+$|-/g, "")
        : "";
    if (!/^[0-9a-f]{32}$/i.test(digits)) {
      const shown = typeof text === "string" ? JSON.stringify(text.slice(0, 100)) : typeof text;
      throw new RangeError(`new Uuid(${shown}): expected 32 hex digits`);
    }
    this.hex = digits.toLowerCase();
  }

  toString(): string {
    return this.hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** The text of {@link toString}. */
  toJSON(): string {
    return this.toString();
  }
}
