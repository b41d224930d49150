import { errorSummary } from "./error-detail.ts";
import { jsonString } from "./well-formed.ts";

/** Deeper values are named instead of written; the stock reader's JSON decoder recurses as well. */
const MAX_DEPTH = 64;
const MAX_BYTES_SHOWN = 256;

/**
 * Writes any JavaScript value as JSON text, within a budget of characters. Never throws.
 *
 * What JSON has no form for becomes text, so that nothing is lost without a word: NaN and the
 * infinities by name; integers beyond 2^53-1 as digits; dates as ISO 8601; errors as
 * `{name, message, stack, …}`; bytes as hexadecimal (first 256); functions, symbols and regular
 * expressions as their text; a value met inside itself as `[Circular]`; a getter, `toJSON` or
 * proxy that throws as `[threw: …]`. Maps become objects (arrays of pairs when a key is no text),
 * sets become arrays. Properties that are `undefined` are left out, as JSON.stringify does.
 */
export class JsonWriter {
  #remaining: number;
  readonly #open: unknown[] = [];
  /** Whether something did not fit. */
  cut = false;

  constructor(budget: number) {
    this.#remaining = budget;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Text of the value, or undefined where JSON.stringify would leave the property out. */
  write(value: unknown): string | undefined {
    if (value === undefined) return undefined;
    try {
      return this.#value(value, 0);
    } catch (error) {
      return this.#text(threw(error));
    }
  }

  /** A text, cut with a marker when it is longer than what remains of the budget. */
  #text(text: string): string {
    let kept = text;
    if (text.length > this.#remaining) {
      this.cut = true;
      kept = `${text.slice(0, Math.max(0, this.#remaining))}… [cut: ${text.length} characters]`;
    }
    return this.#spend(jsonString(kept));
  }

  #spend(json: string): string {
    this.#remaining -= json.length;
    return json;
  }

  /** Takes from the budget what a caller writes beside the values. */
  spend(characters: number): void {
    this.#remaining -= characters;
  }

  #value(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        if (Object.is(value, -0)) return this.#spend("-0.0");
        return this.#spend(Number.isFinite(value) ? String(value) : `"${value}"`);
      case "boolean":
        return this.#spend(String(value));
      case "bigint":
        return this.#spend(
          value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
            ? String(value)
            : `"${value}"`,
        );
      case "undefined":
        return this.#spend("null");
      case "symbol":
        return this.#text(value.toString());
      case "function":
        return this.#text(`[Function ${value.name || "(anonymous)"}]`);
      default:
        return value === null ? this.#spend("null") : this.#guarded(value as object, depth);
    }
  }

  #guarded(value: object, depth: number): string {
    if (this.#open.includes(value)) return this.#text("[Circular]");
    if (depth > MAX_DEPTH) return this.#text(`[deeper than ${MAX_DEPTH} levels]`);
    this.#open.push(value);
    try {
      return this.#object(value, depth);
    } catch (error) {
      return this.#text(threw(error));
    } finally {
      this.#open.pop();
    }
  }

  #object(value: object, depth: number): string {
    if (value instanceof Date) {
      return this.#text(Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString());
    }
    if (value instanceof Error) return this.#entries(Object.entries(errorSummary(value)), depth);
    if (Array.isArray(value)) return this.#items(value, value.length, depth);
    if (value instanceof Map) return this.#map(value, depth);
    if (value instanceof Set) return this.#items(value, value.size, depth);
    if (value instanceof RegExp) return this.#text(String(value));
    if (value instanceof Promise) return this.#text("[Promise]");
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return this.#binary(value, depth);
    const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJSON === "function") return this.#value(toJSON.call(value, ""), depth + 1);
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return this.#value(value.valueOf(), depth);
    }
    return this.#properties(value, depth);
  }

  #items(values: Iterable<unknown>, count: number, depth: number): string {
    const parts: string[] = [];
    for (const item of values) {
      if (this.#remaining <= 0) {
        this.cut = true;
        parts.push(`"… [cut: ${count - parts.length} of ${count} items]"`);
        break;
      }
      this.#remaining -= 1;
      parts.push(this.#value(item, depth + 1));
    }
    return `[${parts.join(",")}]`;
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): string {
    for (const key of map.keys()) {
      if (typeof key !== "string") return this.#items(map, map.size, depth);
    }
    return this.#entries(map as ReadonlyMap<string, unknown>, depth);
  }

  #properties(value: object, depth: number): string {
    const keys = Object.keys(value);
    const read = function* (): Generator<[string, unknown]> {
      for (const key of keys) {
        let item: unknown;
        try {
          item = (value as Record<string, unknown>)[key];
        } catch (error) {
          item = threw(error);
        }
        yield [key, item];
      }
    };
    return this.#entries(read(), depth);
  }

  #entries(entries: Iterable<readonly [string, unknown]>, depth: number): string {
    const parts: string[] = [];
    for (const [key, item] of entries) {
      if (item === undefined) continue;
      if (this.#remaining <= 0) {
        this.cut = true;
        parts.push(`"…":"[cut: more properties]"`);
        break;
      }
      const name = this.#text(key);
      parts.push(`${name}:${this.#value(item, depth + 1)}`);
    }
    return `{${parts.join(",")}}`;
  }

  #binary(value: ArrayBuffer | ArrayBufferView, depth: number): string {
    const isBytes = value instanceof Uint8Array || !ArrayBuffer.isView(value);
    if (!isBytes && !(value instanceof DataView)) {
      const list = value as unknown as Iterable<unknown> & { length: number };
      return this.#items(list, list.length, depth);
    }
    const bytes = ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(value);
    const hex = bytes.subarray(0, MAX_BYTES_SHOWN).toString("hex");
    const more = bytes.length > MAX_BYTES_SHOWN ? "…" : "";
    return this.#text(`<${bytes.length} bytes${hex === "" ? "" : " "}${hex}${more}>`);
  }
}

/** Text that stands for a value whose reading threw. */
function threw(error: unknown): string {
  try {
    return `[threw: ${error instanceof Error ? error.message : String(error)}]`;
  } catch {
    return "[threw]";
  }
}
