import { fingerprint, isSameSecret, newSecret } from "./secrets.ts";

/** @see OneTimeToken */
export interface OneTimeTokenOptions {
  /** How long a token may be used, in milliseconds. */
  readonly lifetimeMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** The token in the address that is printed: it opens one session, once, and not for ever. */
export class OneTimeToken {
  readonly #options: OneTimeTokenOptions;
  #kept: { readonly print: Buffer; readonly expiresAt: number } | undefined;

  constructor(options: OneTimeTokenOptions) {
    this.#options = options;
  }

  /** A new one. The one before it is no longer valid. */
  issue(): string {
    const token = newSecret();
    const expiresAt = this.#options.now() + this.#options.lifetimeMs;
    this.#kept = { print: fingerprint(token), expiresAt };
    return token;
  }

  /** Whether this is the token, and neither used nor expired. It is used then. A wrong one uses nothing. */
  spend(token: string): boolean {
    const kept = this.#kept;
    if (kept === undefined || !isSameSecret(kept.print, token)) return false;
    this.#kept = undefined;
    return this.#options.now() < kept.expiresAt;
  }
}
