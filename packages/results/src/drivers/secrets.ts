import type { DatabaseOptions } from "../database/options.ts";
import type { ResultsUrl } from "../url/results-url.ts";
import { SECRET_PARAMETER } from "../url/split-url.ts";

/** Passwords that were seen so far, to keep them out of every text. */
export class Secrets {
  readonly #known = new Set<string>();

  /** With what the URL and the options hold. */
  static of(url: ResultsUrl, options: DatabaseOptions): Secrets {
    const secrets = new Secrets();
    secrets.add(url.password);
    const given = [...url.parameters, ...Object.entries(options.driverOptions ?? {})];
    for (const [name, value] of given) {
      if (SECRET_PARAMETER.test(name) && typeof value === "string") secrets.add(value);
    }
    return secrets;
  }

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
