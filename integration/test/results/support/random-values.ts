import { floatHex, type Neutral } from "./neutral-values.ts";

/** What a serializer can hold. */
export interface Abilities {
  readonly dates: boolean;
  readonly tags: boolean;
  readonly loneSurrogates: boolean;
  readonly bigInts: boolean;
  /** Keys that are no text, and sets. */
  readonly anyKeys: boolean;
}

const WORDS =
  "yes no y n on Off true null ~ 1e3 1.5e3 1e+3 0x1f 0o17 017 1_000 12:30 12:30:45 1:2.5 .5 5. .inf -.INF .nan NaN Infinity 2024-01-01 2024-1-1 2024-02-30T12:00:00Z = << - ? : # & * ! | > % @ ` ' \" --- ... [] {} -a ?b :c a: a:b a#b #c , [x {y} <<: NULL TRUE 0 -0 +1 0.0 1.0 __type__ __value__ __proto__ constructor toString \\ / \\u0041".split(
    " ",
  );
const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyz     ",
  "ab' \"\\:#-?,[]{}&*!|>%@`\n ",
  " \n",
  "\0\x01\x07\b\t\v\f\r\x1b\x1f\x7f\x80\x85\xa0\xad ",
  "éüß中文\u2028\u2029\ufeff\ufffd\ue000 a",
];

/** Makes random values of Python, the same ones for the same seed. */
export class RandomValues {
  #state: number;
  readonly #can: Abilities;

  constructor(seed: number, can: Abilities) {
    this.#state = seed;
    this.#can = can;
  }

  /** A value of at most so many levels. */
  value(levels = this.#below(5)): Neutral {
    if (levels > 0 && this.#below(3) > 0) {
      const size = this.#below(5);
      const shape = this.#below(this.#can.anyKeys ? 6 : 4);
      if (shape < 2) return { l: this.#many(size, () => this.value(levels - 1)) };
      if (shape < 4) return { d: this.#entries(size, levels, () => this.text()) };
      if (shape === 4) return { d: this.#entries(size, levels, () => this.#key()) };
      // of one kind: others are in the order of Python's hashes, which is another one each time
      const kind = this.#below(2);
      const item = () => (kind === 0 ? this.text() : { i: String(this.#below(1000)) });
      return { set: this.#entries(size, 0, item).map(([key]) => key) };
    }
    return this.#scalar();
  }

  float(): Neutral {
    const kind = this.#below(10);
    if (kind === 0) return { f: floatHex(this.#pick([0, -0, NaN, Infinity, -Infinity, 5e-324])) };
    if (kind === 1) return { f: floatHex(this.#below(2 ** 31) - 2 ** 30) };
    if (kind === 2) return { f: floatHex(Number(`${this.#below(1e9)}e${this.#below(60) - 30}`)) };
    if (kind === 3) return { f: floatHex(2 ** (this.#below(140) - 70)) };
    if (kind === 4) return { f: floatHex(this.#below(1e6) / 1000) };
    const bytes = Buffer.from(this.#many(8, () => this.#below(256)));
    return { f: floatHex(bytes.readDoubleBE()) };
  }

  text(): string {
    const kind = this.#below(8);
    if (kind < 2) return this.#pick(WORDS);
    if (kind === 2)
      return this.#many(this.#below(4), () => this.#pick(WORDS)).join(this.#pick([" ", "", "\n"]));
    if (kind === 3 && this.#can.loneSurrogates)
      return this.#pick(["\ud800", "a\udfffb", "\ude00\ud83d"]);
    if (kind === 4) return this.#pick(["😀", "𝄞 x", "\u{10ffff}", "a\u{1f600}b "]);
    const alphabet = this.#pick(ALPHABETS);
    const length = this.#below(this.#below(6) === 0 ? 300 : 20);
    return this.#many(length, () => alphabet[this.#below(alphabet.length)]).join("");
  }

  #scalar(): Neutral {
    const kind = this.#below(12);
    if (kind === 0) return this.#pick([null, true, false]);
    if (kind < 3) return this.#int();
    if (kind < 5) return this.float();
    if (kind === 5) return { b: this.#hex(this.#below(this.#below(5) === 0 ? 200 : 12)) };
    if (kind === 6) return { b: Buffer.from(this.text()).toString("hex") };
    if (kind < 9 && this.#can.dates) return this.#date();
    if (kind === 9 && this.#can.tags) return this.#tagged();
    return this.text();
  }

  #int(): Neutral {
    const digits = 1 + this.#below(this.#can.bigInts ? 60 : 18);
    const text = this.#many(digits, () => this.#below(10)).join("");
    const value = BigInt(text) * (this.#below(2) === 0 ? 1n : -1n);
    const nearPower = 2n ** BigInt(this.#below(64)) - BigInt(this.#below(3));
    return { i: String(this.#below(4) === 0 ? nearPower : value) };
  }

  #date(): Neutral {
    if (this.#below(4) === 0) return { date: this.#day() };
    const zone = this.#pick(["", "+00:00", "+05:30", "-03:00", "+23:59", "-00:01"]);
    return { dt: `${this.#day()}T${this.#clock()}${zone}` };
  }

  #tagged(): Neutral {
    const kind = this.#below(3);
    if (kind === 0) return { time: this.#clock() + this.#pick(["", "+02:00", "-11:30"]) };
    if (kind === 1) return { uuid: this.#hex(16) };
    const digits = String(this.#below(10 ** (1 + this.#below(9))));
    const point = this.#below(digits.length + 1);
    const sign = this.#pick(["", "-"]);
    const mantissa = `${digits.slice(0, point)}.${digits.slice(point)}`;
    return {
      dec: this.#pick([
        `${sign}${mantissa}E${this.#below(60) - 30}`,
        "NaN",
        "-Infinity",
        "sNaN12",
        digits,
      ]),
    };
  }

  #key(): Neutral {
    const kind = this.#below(5);
    if (kind === 0) return this.text();
    if (kind === 1) return { i: String(2 + this.#below(1000)) };
    if (kind === 2) return { f: floatHex(0.5 + this.#below(1000)) };
    if (kind === 3) return this.#pick([null, true, false]);
    return { b: this.#hex(this.#below(4)) };
  }

  #entries(size: number, levels: number, key: () => Neutral): (readonly [Neutral, Neutral])[] {
    const entries = new Map<string, readonly [Neutral, Neutral]>();
    for (let count = 0; count < size; count++) {
      const made = key();
      entries.set(JSON.stringify(made), [made, levels === 0 ? null : this.value(levels - 1)]);
    }
    return [...entries.values()];
  }

  #day(): string {
    const year = this.#below(3) === 0 ? 1 + this.#below(9999) : 1970 + this.#below(80);
    return `${pad(year, 4)}-${pad(1 + this.#below(12), 2)}-${pad(1 + this.#below(28), 2)}`;
  }

  #clock(): string {
    const fraction = this.#below(2) === 0 ? "" : `.${pad(1 + this.#below(999_999), 6)}`;
    return `${pad(this.#below(24), 2)}:${pad(this.#below(60), 2)}:${pad(this.#below(60), 2)}${fraction}`;
  }

  #hex(bytes: number): string {
    return Buffer.from(this.#many(bytes, () => this.#below(256))).toString("hex");
  }

  #many<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }

  /** A whole number from 0 up to but not `most`; a xorshift of 32 bits. */
  #below(most: number): number {
    let state = this.#state || 1;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return Math.floor(((state >>> 0) / 2 ** 32) * most);
  }
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
