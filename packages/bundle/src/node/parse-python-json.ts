import type { MetadataValue } from "../metadata/values.ts";
import { YamlFloat } from "../metadata/values.ts";
import { MAX_LEVELS } from "../yaml/yaml-error.ts";

/** Python refuses to convert longer decimal text to an integer. */
const MAX_DIGITS = 4300;

/** White space, then one token: a text, a number, a word, or a single character. */
const TOKEN =
  /[ \t\n\r]*("[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[A-Za-z]+|[^ \t\n\r])/y;

/** The words of JSON, and those that Python's reader takes besides. */
const WORDS: ReadonlyMap<string, MetadataValue> = new Map<string, MetadataValue>([
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", new YamlFloat(Number.NaN)],
  ["Infinity", new YamlFloat(Number.POSITIVE_INFINITY)],
  ["-Infinity", new YamlFloat(Number.NEGATIVE_INFINITY)],
]);

/**
 * Reads JSON as Python's `json` does: integers exact and told apart from floats, `NaN` and
 * `Infinity` taken, of two equal keys the last. More than 100 levels are refused.
 *
 * @throws SyntaxError
 */
export function parsePythonJson(text: string): MetadataValue {
  const reader = new Reader(text);
  const value = reader.value(reader.token(), 0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  readonly #pattern = new RegExp(TOKEN);

  constructor(text: string) {
    this.#text = text;
  }

  /** Empty at the end. */
  token(): string {
    return this.#pattern.exec(this.#text)?.[1] ?? "";
  }

  end(): void {
    if (this.token() !== "") throw new SyntaxError("something follows the value");
  }

  value(token: string, level: number): MetadataValue {
    if (token === "{" || token === "[") {
      if (level === MAX_LEVELS) throw new SyntaxError(`more than ${MAX_LEVELS} levels`);
      return token === "{" ? this.#map(level + 1) : this.#list(level + 1);
    }
    if (token.startsWith('"')) return textOf(token);
    const word = WORDS.get(token);
    return word === undefined ? numberOf(token) : word;
  }

  #map(level: number): MetadataValue {
    const map = new Map<MetadataValue, MetadataValue>();
    let token = this.token();
    if (token === "}") return map;
    for (;;) {
      const key = textOf(token);
      if (this.token() !== ":") throw new SyntaxError("a key has no colon");
      map.set(key, this.value(this.token(), level));
      token = this.token();
      if (token === "}") return map;
      if (token !== ",") throw new SyntaxError("a map has no end");
      token = this.token();
    }
  }

  #list(level: number): MetadataValue {
    const list: MetadataValue[] = [];
    let token = this.token();
    if (token === "]") return list;
    for (;;) {
      list.push(this.value(token, level));
      token = this.token();
      if (token === "]") return list;
      if (token !== ",") throw new SyntaxError("a list has no end");
      token = this.token();
    }
  }
}

function textOf(token: string): string {
  if (!token.startsWith('"')) throw new SyntaxError("a text is wanted");
  return JSON.parse(token) as string; // refuses bare control characters, as Python does
}

function numberOf(token: string): MetadataValue {
  if (!/^-?[0-9]/.test(token)) throw new SyntaxError("a value is wanted");
  if (/[.eE]/.test(token)) return new YamlFloat(Number(token));
  if (token.replace("-", "").length > MAX_DIGITS) throw new SyntaxError("too long an integer");
  const number = Number(token);
  return Number.isSafeInteger(number) ? number + 0 : BigInt(token);
}
