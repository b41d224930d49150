import { MOST_INT_DIGITS, MOST_LEVELS } from "../serializers/limits.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { DictBuilder } from "../values/dict-builder.ts";
import { isPythonInt, PythonFloat } from "../values/python-float.ts";
import { endOfText } from "./nesting.ts";
import { isTagged, readTagged } from "./tagged-values.ts";

const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];

/** Reads JSON exactly as Python does; slower than JSON.parse. */
export class JsonReader {
  readonly #text: string;
  readonly #wrapFloats: boolean;
  readonly #options: ValueOptions;
  #at = 0;

  constructor(text: string, options: ValueOptions) {
    this.#text = text;
    this.#wrapFloats = options.wrapFloats === true;
    this.#options = options;
  }

  /** @throws RangeError */
  read(): unknown {
    if (this.#text.charCodeAt(0) === 0xfeff)
      throw new RangeError("it starts with a byte order mark");
    this.#skipSpace();
    const value = this.#value(0);
    if (this.#skipSpace() < this.#text.length) throw this.#fault("something follows the value");
    return value;
  }

  #value(level: number): unknown {
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === "{" || first === "[") {
      if (level >= MOST_LEVELS) throw this.#fault(`nested deeper than ${MOST_LEVELS} levels`);
      this.#at++;
      return first === "{" ? this.#object(level + 1) : this.#array(level + 1);
    }
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #array(level: number): unknown[] {
    const items: unknown[] = [];
    this.#skipSpace();
    if (this.#take("]")) return items;
    for (;;) {
      items.push(this.#value(level));
      this.#skipSpace();
      if (this.#take("]")) return items;
      this.#expect(",");
      this.#skipSpace();
    }
  }

  #object(level: number): unknown {
    const entries = new DictBuilder(this.#options);
    this.#skipSpace();
    if (this.#take("}")) return entries.finish();
    for (;;) {
      if (this.#text[this.#at] !== '"') throw this.#fault("expected a key in double quotes");
      const key = this.#string();
      this.#skipSpace();
      this.#expect(":");
      this.#skipSpace();
      entries.set(key, this.#value(level));
      this.#skipSpace();
      if (this.#take("}")) break;
      this.#expect(",");
      this.#skipSpace();
    }
    const object = entries.finish();
    if (object instanceof Map || !isTagged(object)) return object;
    return readTagged(object["__type__"], object["__value__"]);
  }

  #string(): string {
    const end = endOfText(this.#text, this.#at);
    if (end === -1) throw this.#fault("a text that is cut off");
    const quoted = this.#text.slice(this.#at, end + 1);
    try {
      const text = JSON.parse(quoted) as string;
      this.#at = end + 1;
      return text;
    } catch {
      throw this.#fault("a text with a control character or a bad escape in it");
    }
  }

  #number(): unknown {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#fault("expected a value");
    this.#at = NUMBER.lastIndex;
    const [text, int = "", fraction, exponent] = match;
    if (fraction !== undefined || exponent !== undefined) {
      const value = Number(text);
      return this.#wrapFloats && isPythonInt(value) ? new PythonFloat(value) : value;
    }
    if (int.length > MOST_INT_DIGITS && int.replace("-", "").length > MOST_INT_DIGITS) {
      throw this.#fault(`an int of more than ${MOST_INT_DIGITS} digits, which Python refuses`);
    }
    const value = Number(int);
    if (!Number.isSafeInteger(value)) return BigInt(int);
    return value === 0 ? 0 : value; // Python's int has no -0
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw this.#fault(`expected ${character}`);
  }

  #skipSpace(): number {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
    return this.#at;
  }

  #fault(why: string): RangeError {
    return new RangeError(`${why}, at character ${this.#at} of ${this.#text.length}`);
  }
}
