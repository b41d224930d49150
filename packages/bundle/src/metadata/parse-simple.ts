import { BundleError } from "../errors.ts";
import { buildScalar, tagOfPlain } from "./resolve-scalar.ts";
import type { MetadataMap, MetadataValue } from "./values.ts";

/*
 * The metadata that packers really write, JSON or plain block YAML, read about a hundred times
 * faster than by a whole YAML reader. Only what every reader takes in one way is read here; the
 * slightest doubt (a tab, a comment behind a value, a surrogate escape, …) gives undefined, and the
 * whole reader decides. So both ways always give the same (test/parse-metadata.test.ts holds them
 * together).
 */

/** No control, no line end but `\n`, nothing that YAML 1.1 calls a line end or unprintable. */
const SAFE_TEXT =
  /^[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
const MAX_DEPTH = 100;
/** A YAML reader looks for the `:` of a key in the next 1024 characters. */
const MAX_KEY_LENGTH = 1000;

class NotSimple extends Error {}

/** Reads simple metadata text; undefined when it is not simple (not: when it is wrong). */
export function parseSimple(text: string): MetadataMap | undefined {
  if (!SAFE_TEXT.test(text)) return undefined;
  try {
    return text.startsWith("{") ? parseJson(text) : new BlockParser(text).parse();
  } catch (error) {
    if (error instanceof NotSimple || error instanceof BundleError) return undefined;
    throw error;
  }
}

function parseJson(text: string): MetadataMap {
  const parser = new JsonParser(text, 0);
  const value = parser.value(1);
  parser.space();
  if (parser.at !== text.length || !(value instanceof Map)) throw new NotSimple();
  return value;
}

const JSON_STRING = /"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}))*"/y;
const JSON_WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?=[\n ,\]}]|$)/y;
const SPACE = /[ \n]*/y;
const BLANKS = / */y;

class JsonParser {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): MetadataValue {
    if (depth > MAX_DEPTH) throw new NotSimple();
    const first = this.#text[this.at];
    if (first === "{") return this.#map(depth);
    if (first === "[") return this.#list(depth);
    if (first === '"') return this.#string();
    const word = this.#take(JSON_WORD);
    return buildScalar(tagOfPlain(word), word);
  }

  space(): void {
    this.#take(SPACE);
  }

  #map(depth: number): MetadataMap {
    const map = new Map<MetadataValue, MetadataValue>();
    this.at++;
    this.space();
    if (this.#text[this.at] === "}") return this.#end(map);
    for (;;) {
      const start = this.at;
      if (this.#text[start] !== '"') throw new NotSimple();
      const key = this.#string();
      if (this.at - start > MAX_KEY_LENGTH) throw new NotSimple();
      this.#take(BLANKS);
      this.#expect(":");
      this.space();
      map.set(key, this.value(depth + 1));
      this.space();
      if (this.#text[this.at] === "}") return this.#end(map);
      this.#expect(",");
      this.space();
    }
  }

  #list(depth: number): readonly MetadataValue[] {
    const list: MetadataValue[] = [];
    this.at++;
    this.space();
    if (this.#text[this.at] === "]") return this.#end(list);
    for (;;) {
      list.push(this.value(depth + 1));
      this.space();
      if (this.#text[this.at] === "]") return this.#end(list);
      this.#expect(",");
      this.space();
    }
  }

  #string(): string {
    const source = this.#take(JSON_STRING);
    return source.includes("\\") ? (JSON.parse(source) as string) : source.slice(1, -1);
  }

  #end<T>(value: T): T {
    this.at++;
    return value;
  }

  #expect(character: string): void {
    if (this.#text[this.at] !== character) throw new NotSimple();
    this.at++;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new NotSimple();
    this.at = pattern.lastIndex;
    return match[0];
  }
}

const ENTRY = /^(?:([A-Za-z_][A-Za-z0-9_.-]*)|"([^"\\]*)"|'([^']*)'):(?: +(.*?))? *$/;
const PLAIN = /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/;
const DOUBLE = /^"([^"\\]*)"$/;
const SINGLE = /^'([^']*)'$/;

interface Line {
  readonly indent: number;
  readonly text: string;
}

class BlockParser {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(text: string) {
    const lines: Line[] = [];
    for (const line of text.split("\n")) {
      const content = line.trimStart();
      if (content !== "" && !content.startsWith("#")) {
        lines.push({ indent: line.length - content.length, text: content });
      }
    }
    this.#lines = lines;
  }

  parse(): MetadataMap {
    if (this.#lines[0]?.indent !== 0) throw new NotSimple();
    const map = this.#map(0, 1);
    if (this.#at !== this.#lines.length) throw new NotSimple();
    return map;
  }

  #map(indent: number, depth: number): MetadataMap {
    if (depth > MAX_DEPTH) throw new NotSimple();
    const map = new Map<MetadataValue, MetadataValue>();
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      // the length first: the pattern takes its square in steps
      const entry = line.text.length > MAX_KEY_LENGTH ? null : ENTRY.exec(line.text);
      if (entry === null) throw new NotSimple();
      this.#at++;
      map.set(keyOf(entry), this.#entryValue(entry[4], indent, depth));
    }
    return map;
  }

  #entryValue(inline: string | undefined, indent: number, depth: number): MetadataValue {
    const next = this.#lines[this.#at];
    if (inline !== undefined && inline !== "") {
      if (next !== undefined && next.indent > indent) throw new NotSimple();
      return inlineValue(inline);
    }
    if (next === undefined) return null;
    const isItem = next.text.startsWith("- ");
    if (isItem && next.indent >= indent) return this.#list(next.indent, depth + 1);
    return next.indent > indent ? this.#nested(next.indent, indent, depth + 1) : null;
  }

  #nested(inner: number, outer: number, depth: number): MetadataMap {
    const map = this.#map(inner, depth);
    const next = this.#lines[this.#at];
    if (next !== undefined && next.indent > outer) throw new NotSimple();
    return map;
  }

  #list(indent: number, depth: number): readonly MetadataValue[] {
    if (depth > MAX_DEPTH) throw new NotSimple();
    const list: MetadataValue[] = [];
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      if (!line.text.startsWith("- ")) break;
      this.#at++;
      const next = this.#lines[this.#at];
      if (next !== undefined && next.indent > indent) throw new NotSimple();
      list.push(inlineValue(line.text.slice(2).trim()));
    }
    return list;
  }
}

function keyOf(entry: RegExpExecArray): string {
  const [, plain, double, single] = entry;
  if (plain === undefined) return double ?? single ?? "";
  if (tagOfPlain(plain) !== "str") throw new NotSimple();
  return plain;
}

function inlineValue(text: string): MetadataValue {
  if (text === "{}") return new Map();
  if (text === "[]") return [];
  if (text.startsWith("[") && text.endsWith("]")) {
    return text
      .slice(1, -1)
      .split(",")
      .map((item) => scalar(item.trim()));
  }
  return scalar(text);
}

function scalar(text: string): MetadataValue {
  const quoted = DOUBLE.exec(text) ?? SINGLE.exec(text);
  if (quoted !== null) return quoted[1] as string;
  if (!PLAIN.test(text)) throw new NotSimple();
  return buildScalar(tagOfPlain(text), text);
}
