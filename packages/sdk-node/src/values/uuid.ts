import { markKind } from "./python-kind.ts";

/** A Python `UUID`. In a template text, as JSON and with `String(…)` it is its text. */
export class Uuid {
  /** 36 characters in lower case, with hyphens. */
  readonly text: string;

  /**
   * @param text - 32 hexadecimal digits; hyphens, braces and `urn:uuid:` are passed over
   * @throws RangeError for anything else
   */
  constructor(text: string) {
    const digits = String(text)
      .toLowerCase()
      .replace(/^urn:uuid:|[{}-]/g, "");
    if (!/^[\da-f]{32}$/.test(digits)) {
      throw new RangeError(`new Uuid(${JSON.stringify(String(text).slice(0, 80))}): no UUID`);
    }
    this.text = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  equals(other: Uuid): boolean {
    return this.text === other.text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

markKind(Uuid.prototype, "uuid");
