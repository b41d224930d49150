import { emitText } from "../json-text.ts";
import { narrow } from "./exact-json.ts";

/** Bytes printed at once: one string can't hold the digits of a huge one. */
const PIECE_LENGTH = 1_048_576;

/**
 * Prints an object that is no list, map, bytes or plain object, or gives false where it does not
 * know it.
 */
export type ObjectPrinter = (value: object, printer: NotationPrinter) => boolean;

/**
 * Prints values as JSON in which nothing is lost: what JSON can't hold becomes an object with the
 * key `$`. What stands for a whole float is for the caller's {@link ObjectPrinter} (see
 * {@link wholeFloatText}); a number that is no safe integer is a float.
 */
export class NotationPrinter {
  readonly #emit: (piece: string) => void;
  readonly #printObject: ObjectPrinter;

  /** @param emit - takes the text, piece by piece */
  constructor(emit: (piece: string) => void, printObject: ObjectPrinter) {
    this.#emit = emit;
    this.#printObject = printObject;
  }

  print(value: unknown): void {
    if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#emit(numberText(value));
    else if (typeof value === "bigint") this.#emit(integerText(value));
    else if (typeof value === "boolean") this.#emit(String(value));
    else if (typeof value !== "object" || value === null) this.#emit("null");
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Map) this.#map(value);
    else if (this.#printObject(value, this)) return;
    else if (value instanceof Uint8Array) this.object("bytes", { hex: value });
    else this.#map(new Map(Object.entries(value)));
  }

  /** Text that is JSON already. */
  raw(json: string): void {
    this.#emit(json);
  }

  /** `{"$":"mark",…}` with more keys and values. */
  object(mark: string, fields: Readonly<Record<string, unknown>>): void {
    this.#emit(`{"$":"${mark}"`);
    for (const [key, value] of Object.entries(fields)) {
      this.#emit(`,"${key}":`);
      if (value instanceof Uint8Array) {
        this.#emit('"');
        this.#hex(value);
        this.#emit('"');
      } else this.print(value);
    }
    this.#emit("}");
  }

  #text(text: string): void {
    emitText(text, this.#emit);
  }

  #array(items: readonly unknown[]): void {
    let separator = "[";
    for (const item of items) {
      this.#emit(separator);
      separator = ",";
      this.print(item);
    }
    this.#emit(items.length === 0 ? "[]" : "]");
  }

  #map(map: ReadonlyMap<unknown, unknown>): void {
    if (!isPrintableAsObject(map)) {
      this.#entries(map);
      return;
    }
    let separator = "{";
    for (const [key, value] of map) {
      this.#emit(separator);
      separator = ",";
      this.#text(key as string);
      this.#emit(":");
      this.print(value);
    }
    this.#emit(map.size === 0 ? "{}" : "}");
  }

  #entries(map: ReadonlyMap<unknown, unknown>): void {
    let separator = '{"$":"map","entries":[[';
    for (const [key, value] of map) {
      this.#emit(separator);
      separator = "],[";
      this.print(key);
      this.#emit(",");
      this.print(value);
    }
    this.#emit("]]}");
  }

  #hex(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let start = 0; start < buffer.length; start += PIECE_LENGTH) {
      this.#emit(buffer.toString("hex", start, start + PIECE_LENGTH));
    }
  }
}

/** With a point or an exponent, so that a reader that tells floats from integers sees a float. */
export function wholeFloatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return text.includes("e") ? text : `${text}.0`;
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  if (Number.isInteger(value)) return wholeFloatText(value); // beyond 2^53 integers are bigints
  if (Number.isFinite(value)) return String(value); // the shortest text with the same value
  const name = Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return `{"$":"float","v":"${name}"}`;
}

function integerText(value: bigint): string {
  return typeof narrow(value) === "number" ? String(value) : `{"$":"int","v":"${value}"}`;
}

/** All keys text, and none that would be mistaken for the mark of the notation. */
function isPrintableAsObject(map: ReadonlyMap<unknown, unknown>): boolean {
  for (const key of map.keys()) if (typeof key !== "string" || key === "$") return false;
  return true;
}
