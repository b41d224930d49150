/** JSON as Python's `json` reads it: whole numbers of any size, and floats apart from them. */
export type PythonJson =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly PythonJson[]
  | ReadonlyMap<string, PythonJson>;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a text may not hold
const TEXT = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS: ReadonlyMap<string, PythonJson> = new Map<string, PythonJson>([
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** Python's `json.loads`. @throws SyntaxError */
export function readPythonJson(text: string): PythonJson {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

/** Python's `json.dumps`, with its spaces and its escapes. */
export function printPythonJson(value: PythonJson): string {
  if (value === null || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  if (typeof value === "string") return printText(value);
  if (typeof value === "number") return printFloat(value);
  if (value instanceof Map) {
    const pairs = Array.from(value as ReadonlyMap<string, PythonJson>, ([key, item]) => {
      return `${printText(key)}: ${printPythonJson(item)}`;
    });
    return `{${pairs.join(", ")}}`;
  }
  return `[${(value as readonly PythonJson[]).map(printPythonJson).join(", ")}]`;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#take(SPACE);
  }

  value(): PythonJson {
    const letter = this.#text[this.#at];
    if (letter === "{") return this.#map();
    if (letter === "[") return this.#list();
    if (letter === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const [number = "", fraction, exponent] = this.#take(NUMBER) ?? this.#fail();
    return fraction === undefined && exponent === undefined ? BigInt(number) : Number(number);
  }

  end(): void {
    this.#take(SPACE);
    if (this.#at < this.#text.length) this.#fail();
  }

  #map(): PythonJson {
    const map = new Map<string, PythonJson>();
    this.#items("}", () => {
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      this.#take(SPACE);
      this.#expect(":");
      this.#take(SPACE);
      map.set(key, this.value());
    });
    return map;
  }

  #list(): PythonJson {
    const list: PythonJson[] = [];
    this.#items("]", () => list.push(this.value()));
    return list;
  }

  /** What stands between brackets, with commas between its items. */
  #items(closing: string, readItem: () => unknown): void {
    this.#at++;
    this.#take(SPACE);
    if (this.#text[this.#at] === closing) {
      this.#at++;
      return;
    }
    for (;;) {
      readItem();
      this.#take(SPACE);
      if (this.#text[this.#at] === closing) break;
      this.#expect(",");
      this.#take(SPACE);
    }
    this.#at++;
  }

  #string(): string {
    const [text] = this.#take(TEXT) ?? this.#fail();
    return JSON.parse(text as string) as string;
  }

  #expect(letter: string): void {
    if (this.#text[this.#at] !== letter) this.#fail();
    this.#at++;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at character ${this.#at}`); // never the text: it may be a secret
  }
}

function printText(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Python's `repr` of a float; JavaScript turns to exponents elsewhere. */
function printFloat(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  }
  if (Object.is(value, -0)) return "-0.0";
  const [mantissa = "", power = ""] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  const plain = exponent < -6 ? value.toFixed(20) : String(value);
  return plain.includes(".") ? plain : `${plain}.0`;
}
