/** Passwords that were seen so far, to keep them out of every text. */
export class Secrets {
  readonly #known = new Set<string>();

  /** Remembers one; a very short one would blot out ordinary words. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < 4) return;
    this.#known.add(secret);
    // Tokens change with every connect: the last few are enough.
    if (this.#known.size > 16) {
      for (const oldest of this.#known) {
        this.#known.delete(oldest);
        break;
      }
    }
  }

  readonly redact = (text: string): string => {
    let redacted = text;
    for (const secret of this.#known) {
      redacted = redacted.replaceAll(secret, "**");
    }
    return redacted;
  };
}
