import { hasMoreValues } from "./json-text.ts";
import type { LogRecord } from "./log-record.ts";
import { MAX_VALUES } from "./read-log-line.ts";
import { spellingsOf } from "./secret-spellings.ts";
import { isSensitiveName } from "./sensitive-name.ts";

const MASK = "***";

/** Keys of a record that never name a secret; they are told apart to keep them quick. */
const PLAIN_KEYS = new Set(["timestamp", "level", "logger", "event"]);

/** As deep as a record may be; what lies deeper is a line that could not be read as one. */
const MAX_DEPTH = 512;

/** The secrets of one attempt: what it has heard of is masked in every record after it. */
export class SecretMasker {
  readonly #minLength: number;
  /** Every spelling, and how its UTF-8 bytes look as Latin-1. */
  readonly #spellings = new Map<string, string>();
  /** Length of the shortest spelling: most names and many values are shorter. */
  #shortest = Number.POSITIVE_INFINITY;

  /** Shorter secrets are not masked: they would blot out half of every text. Default 5, as stock. */
  constructor(minLength = 5) {
    this.#minLength = minLength;
  }

  /**
   * Takes a secret: a text, or every text in a list or map. With a `name` that is not sensitive the
   * text is no secret; a map's keys are the names of its values. This is how Airflow reads MaskSecret.
   */
  add(secret: unknown, name?: string | null): void {
    if (typeof secret === "string") {
      if (name === undefined || name === null || name === "" || isSensitiveName(name)) {
        this.#addText(secret);
      }
    } else if (Array.isArray(secret)) {
      for (const item of secret) this.add(item, name);
    } else if (typeof secret === "object" && secret !== null) {
      for (const [key, value] of Object.entries(secret)) this.add(value, key);
    }
  }

  /** {@link add} for what is a map or a list as JSON text: its parts may be logged one by one. */
  addJson(text: string | null, name?: string): void {
    try {
      const value: unknown = JSON.parse(text ?? "null");
      if (typeof value === "object" && value !== null) this.add(value, name);
    } catch {
      // A text that is no JSON has no parts.
    }
  }

  /** The record with every secret replaced by `***`; the same object where there was none. */
  mask(record: LogRecord): LogRecord {
    return this.#maskFields(record as unknown as Fields, 0, true) as unknown as LogRecord;
  }

  /** A text with every secret replaced. */
  maskText(text: string): string {
    return text.length < this.#shortest ? text : maskRanges(text, this.#spellings.keys());
  }

  /** Bytes that are no UTF-8 and may hold a secret all the same; the same ones where they hold none. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    if (this.#spellings.size === 0) return bytes;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const masked = maskRanges(text, this.#spellings.values());
    return masked === text ? bytes : Buffer.from(masked, "latin1");
  }

  #addText(secret: string): void {
    for (const spelling of spellingsOf(secret, this.#minLength)) {
      this.#spellings.set(spelling, Buffer.from(spelling).toString("latin1"));
      this.#shortest = Math.min(this.#shortest, spelling.length);
    }
  }

  #maskFields(fields: Fields, depth: number, isRecord: boolean): Fields {
    let masked: { [key: string]: unknown } | undefined; // most hold no secret and need no copy
    let names: Map<string, string> | undefined; // keys that hold one
    for (const key in fields) {
      const value = fields[key];
      const isPlain = isRecord && PLAIN_KEYS.has(key);
      const safe = isPlain
        ? this.#maskValue(value, depth)
        : this.#maskField(key, value, depth, isRecord);
      if (safe !== value) {
        masked ??= { ...fields }; // has an own `__proto__` where that is a key
        masked[key] = safe;
      }
      const safeKey = isPlain ? key : this.maskText(key);
      if (safeKey === key) continue;
      names ??= new Map();
      names.set(key, safeKey);
    }
    return names === undefined ? (masked ?? fields) : renamed(masked ?? fields, names);
  }

  #maskField(key: string, value: unknown, depth: number, isRecord: boolean): unknown {
    if (isSensitiveName(key)) return maskAll(value);
    if (isRecord && typeof value === "string") {
      if (key === "line_base64") return this.#maskBase64(value);
      if (key === "line" && value.startsWith("{")) return this.#maskLine(value);
    }
    return this.#maskValue(value, depth);
  }

  #maskValue(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.maskText(value);
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    if (!Array.isArray(value)) return this.#maskFields(value as Fields, depth + 1, false);
    const items = value.map((item) => this.#maskValue(item, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }

  /** A log line that was no record, though JSON: its sensitive fields are as secret as others. */
  #maskLine(line: string): string {
    const text = this.maskText(line);
    if (hasMoreValues(text, MAX_VALUES)) return text;
    try {
      const fields: unknown = JSON.parse(text);
      const masked = this.#maskValue(fields, 0);
      return masked === fields ? text : JSON.stringify(masked);
    } catch {
      return text;
    }
  }

  /** Bytes that are no UTF-8, in base64. */
  #maskBase64(base64: string): string {
    if (this.#spellings.size === 0) return base64;
    const bytes = Buffer.from(base64, "base64");
    const masked = this.maskBytes(bytes);
    return masked === bytes ? base64 : Buffer.from(masked).toString("base64");
  }
}

type Fields = { readonly [key: string]: unknown };

/** Texts and numbers under a sensitive name, whatever they are. */
function maskAll(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "number") return MASK;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(maskAll);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskAll(item)]));
}

/** Two names that hold secrets may look the same now: none of their values is lost. */
function renamed(fields: Fields, names: ReadonlyMap<string, string>): Fields {
  const taken = new Set<string>();
  const unique = Object.entries(fields).map(([key, value]): [string, unknown] => {
    let free = names.get(key) ?? key;
    while (taken.has(free)) free += "*";
    taken.add(free);
    return [free, value];
  });
  return Object.fromEntries(unique);
}

/**
 * The text with a mask for each range that a secret covers. Secrets that overlap have one mask, so
 * that no end of either is left.
 */
function maskRanges(text: string, secrets: Iterable<string>): string {
  const ranges: [start: number, end: number][] = [];
  for (const secret of secrets) {
    let last: [number, number] | undefined;
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      if (last !== undefined && at < last[1]) {
        last[1] = at + secret.length;
        continue;
      }
      last = [at, at + secret.length];
      ranges.push(last);
    }
  }
  if (ranges.length === 0) return text;
  ranges.sort((left, right) => left[0] - right[0]);
  let masked = "";
  let end = 0;
  for (const [from, to] of ranges) {
    if (from >= end) masked += `${text.slice(end, from)}${MASK}`;
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}
