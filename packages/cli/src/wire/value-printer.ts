import { Extension, encodeTimestamp, Float, Timestamp, type WireValue } from "@parlance/framing";
import { emitText } from "../json-text.ts";

/** Bytes printed at once: one string can't hold the digits of a huge one. */
const PIECE_LENGTH = 1_048_576;

/** The first second of the year 1 and the last of 9999: what an ISO date-time has digits for. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/**
 * Prints decoded values as JSON in which nothing is lost: what JSON can't hold becomes an object
 * with the key `$`, and a float that is whole keeps its point.
 */
export class ValuePrinter {
  readonly #emit: (piece: string) => void;

  /** @param emit - takes the text, piece by piece */
  constructor(emit: (piece: string) => void) {
    this.#emit = emit;
  }

  /** A value decoded with `wrapFloats` (and, to keep the order of keys, `maps: "map"`). */
  print(value: WireValue): void {
    if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#emit(numberText(value));
    else if (typeof value === "bigint") this.#emit(`{"$":"int","v":"${value}"}`);
    else if (value === null || typeof value === "boolean") this.#emit(String(value));
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Map) this.#map(value);
    else this.#object(value as Exclude<WireValue, readonly WireValue[]>);
  }

  #object(value: WireValue): void {
    if (value instanceof Float) this.#emit(wholeFloatText(value.value));
    else if (value instanceof Timestamp) this.#timestamp(value);
    else if (value instanceof Uint8Array) {
      this.#emit('{"$":"bytes","hex":"');
      this.#hex(value);
      this.#emit('"}');
    } else if (value instanceof Extension) this.#extension(value.type, value.data);
    else this.#map(new Map(Object.entries(value as object)));
  }

  #text(text: string): void {
    emitText(text, this.#emit);
  }

  #array(items: readonly WireValue[]): void {
    let separator = "[";
    for (const item of items) {
      this.#emit(separator);
      separator = ",";
      this.print(item);
    }
    this.#emit(items.length === 0 ? "[]" : "]");
  }

  #map(map: ReadonlyMap<WireValue, WireValue>): void {
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

  #entries(map: ReadonlyMap<WireValue, WireValue>): void {
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

  #timestamp(moment: Timestamp): void {
    const isDate = moment.seconds >= FIRST_SECOND && moment.seconds <= LAST_SECOND;
    if (isDate) this.#emit(`{"$":"datetime","iso":"${moment.toISOString()}","aware":true}`);
    else this.#extension(-1, encodeTimestamp(moment));
  }

  #extension(code: number, data: Uint8Array): void {
    this.#emit(`{"$":"ext","code":${code},"hex":"`);
    this.#hex(data);
    this.#emit('"}');
  }

  #hex(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let start = 0; start < buffer.length; start += PIECE_LENGTH) {
      this.#emit(buffer.toString("hex", start, start + PIECE_LENGTH));
    }
  }
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value); // the shortest text with the same value
  const name = Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return `{"$":"float","v":"${name}"}`;
}

/** With a point or an exponent, so that a reader that tells floats from integers sees a float. */
function wholeFloatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return text.includes("e") ? text : `${text}.0`;
}

/** All keys text, and none that would be mistaken for the mark of the notation. */
function isPrintableAsObject(map: ReadonlyMap<WireValue, WireValue>): boolean {
  for (const key of map.keys()) if (typeof key !== "string" || key === "$") return false;
  return true;
}
