import { Float } from "@parlance/framing";

/** What {@link parseExactJson} gives: objects as Maps, whole floats as Float. */
export type ExactJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | ExactJson[]
  | Map<string, ExactJson>;

/** The notation of a map takes three levels of JSON, and 1024 levels of maps are let in. */
const MAX_LEVELS = 3200;

/** Limits of {@link parseExactJson}. */
export interface ExactJsonLimits {
  /** Longest integer let in, in digits. Default: 20, no more ever fit in 64 bits. */
  readonly maxIntegerDigits?: number | undefined;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const WHITE_SPACE = /[ \t\n\r]*/y;

/**
 * Parses JSON without losing what `JSON.parse` loses: wide integers, the difference of
 * `1` and `1.0`, the order of keys, and a key `__proto__`. A key twice: the last one wins. It
 * keeps its own stack, so depth can't exhaust the engine's.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string, limits: ExactJsonLimits = {}): ExactJson {
  return new Parser(text, limits.maxIntegerDigits ?? 20).parse();
}

type Container = ExactJson[] | Map<string, ExactJson>;

class Parser {
  readonly #text: string;
  readonly #maxIntegerDigits: number;
  #at = 0;
  readonly #open: Container[] = [];
  /** The key that waits for its value, of each open object. */
  readonly #keys: string[] = [];

  constructor(text: string, maxIntegerDigits: number) {
    this.#text = text;
    this.#maxIntegerDigits = maxIntegerDigits;
  }

  parse(): ExactJson {
    for (;;) {
      this.#space();
      const opened = this.#tryOpen();
      if (opened === "waits for a value") continue;
      let value = opened ?? this.#scalar();
      while (this.#open.length > 0) {
        const container = this.#open.at(-1) as Container;
        this.#put(container, value);
        if (!this.#closes(container)) break;
        value = this.#close();
      }
      if (this.#open.length === 0) return this.#end(value);
    }
  }

  /** Opens an array or object; gives it at once when it is empty. */
  #tryOpen(): Container | "waits for a value" | undefined {
    const character = this.#text[this.#at];
    if (character !== "[" && character !== "{") return undefined;
    this.#at++;
    if (this.#open.length === MAX_LEVELS) throw this.#fault(`more than ${MAX_LEVELS} levels`);
    const container: Container = character === "[" ? [] : new Map();
    this.#open.push(container);
    this.#space();
    if (this.#text[this.#at] === closerOf(container)) {
      this.#at++;
      return this.#close();
    }
    if (character === "{") this.#key();
    return "waits for a value";
  }

  #put(container: Container, value: ExactJson): void {
    if (Array.isArray(container)) container.push(value);
    else container.set(this.#keys.pop() as string, value);
  }

  /** After a value: true at the closing bracket, false after a comma (and the next key). */
  #closes(container: Container): boolean {
    this.#space();
    const character = this.#text[this.#at];
    if (character === closerOf(container)) {
      this.#at++;
      return true;
    }
    if (character !== ",") throw this.#fault(`expected a comma or ${closerOf(container)}`);
    this.#at++;
    if (!Array.isArray(container)) {
      this.#space();
      this.#key();
    }
    return false;
  }

  #close(): Container {
    return this.#open.pop() as Container;
  }

  #key(): void {
    if (this.#text[this.#at] !== '"') throw this.#fault("expected a key in double quotes");
    this.#keys.push(this.#string());
    this.#space();
    if (this.#text[this.#at] !== ":") throw this.#fault("expected a colon");
    this.#at++;
  }

  #scalar(): ExactJson {
    const character = this.#text[this.#at];
    if (character === '"') return this.#string();
    if (character === "t") return this.#word("true", true);
    if (character === "f") return this.#word("false", false);
    if (character === "n") return this.#word("null", null);
    return this.#number();
  }

  #word<Value extends ExactJson>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault("expected a value");
    this.#at += word.length;
    return value;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (end !== -1 && this.#isEscaped(end));
    if (end === -1) throw this.#fault("text without an end");
    this.#at = end + 1;
    return JSON.parse(this.#text.slice(start, end + 1)) as string;
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === "\\") backslashes++;
    return backslashes % 2 === 1;
  }

  #number(): ExactJson {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#fault("expected a value");
    const [text, fraction, exponent] = match;
    if (fraction !== undefined || exponent !== undefined) {
      const value = Number(text);
      if (!Number.isFinite(value)) throw this.#fault("a float beyond the largest there is");
      this.#at += text.length;
      return Number.isInteger(value) ? new Float(value) : value;
    }
    const digits = text.startsWith("-") ? text.length - 1 : text.length;
    if (digits > this.#maxIntegerDigits) {
      throw this.#fault(`an integer of more than ${this.#maxIntegerDigits} digits`);
    }
    this.#at += text.length;
    return narrow(BigInt(text));
  }

  #space(): void {
    WHITE_SPACE.lastIndex = this.#at;
    WHITE_SPACE.exec(this.#text);
    this.#at = WHITE_SPACE.lastIndex;
  }

  #end(value: ExactJson): ExactJson {
    this.#space();
    if (this.#at < this.#text.length) throw this.#fault("something follows the value");
    return value;
  }

  #fault(what: string): SyntaxError {
    return new SyntaxError(`at character ${this.#at + 1}: ${what}`);
  }
}

function closerOf(container: Container): "]" | "}" {
  return Array.isArray(container) ? "]" : "}";
}

/** A number where that is exact, else a bigint. */
export function narrow(value: bigint): number | bigint {
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return isSafe ? Number(value) : value;
}
