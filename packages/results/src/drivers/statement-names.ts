import { createHash } from "node:crypto";

/** Texts that are remembered for one connection; those of a store's operations are about ten. */
const MOST_TEXTS = 100;

/** The name is not known, or taken, on the connection below a pooler; a plan that no longer fits its table. */
const LOST = new Set(["26000", "42P05", "0A000"]);

/**
 * Which statements PostgreSQL is to keep prepared on a connection: those that come a second time. It
 * parses and plans the others anew each time, which for a store's statements takes longer than
 * running them (measured: half the reads and a third of the writes a second).
 */
export class StatementNames {
  readonly #names = new Map<string, string | undefined>();
  #isOff = false;

  /** The name to prepare a statement under, or to run it by; `undefined` for none. */
  nameOf(text: string): string | undefined {
    if (this.#isOff) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (!this.#names.has(text)) {
      if (this.#names.size < MOST_TEXTS) this.#names.set(text, undefined);
      return undefined;
    }
    // By content: behind a pooler another client's statement of the same name has to be the same.
    const name = `parlance_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Whether a statement failed for its name alone, before anything was done: a pooler such as PgBouncer
   * in transaction mode gave us another server connection. Nothing is named any more then.
   */
  isLost(error: unknown): boolean {
    const code = (error as { code?: unknown } | null)?.code;
    if (typeof code !== "string" || !LOST.has(code)) return false;
    this.#isOff = true;
    return true;
  }
}
