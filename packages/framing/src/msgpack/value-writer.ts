import { types } from "node:util";
import { type Extension, isExtension, TIMESTAMP_TYPE } from "../value/extension.ts";
import { isFloat } from "../value/float.ts";
import { isTimestamp, Timestamp } from "../value/timestamp.ts";
import { timestampLength, writeTimestamp } from "../value/timestamp-bytes.ts";
import type { ByteSink } from "./byte-sink.ts";
import { EncodeFault } from "./encode-fault.ts";
import { DEFAULT_MAX_DEPTH } from "./limits.ts";
import { writeText } from "./write-text.ts";

const TWO_32 = 2 ** 32;
const TWO_63 = 2n ** 63n;
const TWO_64 = 2n ** 64n;

const hasOwn = Object.prototype.hasOwnProperty;

/**
 * Writes values in the shortest form that holds them, as msgspec does, so that what stock
 * Airflow wrote comes out again byte for byte. Refuses what would be lost or changed
 * ({@link EncodeFault}) instead of dropping it.
 */
export class ValueWriter {
  readonly #sink: ByteSink;
  #depthLeft = DEFAULT_MAX_DEPTH;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  value(value: unknown): void {
    if (typeof value === "string") writeText(this.#sink, value);
    else if (typeof value === "number") this.#number(value);
    else if (value === null) this.#sink.u8(0xc0);
    else if (typeof value === "object") this.#object(value);
    else if (typeof value === "boolean") this.#sink.u8(value ? 0xc3 : 0xc2);
    else if (typeof value === "bigint") this.bigint(value);
    else if (value === undefined) throw new EncodeFault("undefined has no form here; use null");
    else throw new EncodeFault(`a ${typeof value} has no form on the wire`);
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) this.integer(value);
    else this.#float(value);
  }

  /** A safe integer. */
  integer(value: number): void {
    const sink = this.#sink;
    if (value >= 0) {
      if (value < 0x80) sink.u8(value);
      else if (value < 0x100) sink.u8(0xcc).u8(value);
      else if (value < 0x1_0000) sink.u8(0xcd).u16(value);
      else if (value < TWO_32) sink.u8(0xce).u32(value);
      else sink.u8(0xcf).u64(BigInt(value));
    } else if (value >= -0x20) sink.u8(value + 0x100);
    else if (value >= -0x80) sink.u8(0xd0).u8(value + 0x100);
    else if (value >= -0x8000) sink.u8(0xd1).u16(value + 0x1_0000);
    else if (value >= -0x8000_0000) sink.u8(0xd2).u32(value + TWO_32);
    else sink.u8(0xd3).i64(BigInt(value));
  }

  bigint(value: bigint): void {
    if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) {
      this.integer(Number(value));
    } else if (value >= 0n && value < TWO_64) this.#sink.u8(0xcf).u64(value);
    else if (value < 0n && value >= -TWO_63) this.#sink.u8(0xd3).i64(value);
    else throw new EncodeFault("a bigint outside -2^63 to 2^64-1 does not fit in 64 bits");
  }

  #float(value: number): void {
    this.#sink.u8(0xcb).f64(value);
  }

  #object(value: object): void {
    if (Array.isArray(value)) this.#array(value);
    else if (isPlainObject(value)) this.#plainObject(value as Record<string, unknown>);
    else if (types.isMap(value)) this.#map(value);
    else if (types.isUint8Array(value)) this.#binary(value);
    else if (isTimestamp(value)) this.#timestamp(value);
    else if (isFloat(value)) this.#float(value.value);
    else if (isExtension(value)) this.#extension(value);
    else if (types.isDate(value)) this.#date(value);
    else throw new EncodeFault(`${className(value)} has no form; make it a plain value first`);
  }

  #date(date: Date): void {
    if (Number.isNaN(date.getTime())) throw new EncodeFault("the Date is invalid");
    this.#timestamp(Timestamp.fromDate(date));
  }

  #enter(): void {
    if (this.#depthLeft === 0) {
      throw new EncodeFault(`nested deeper than ${DEFAULT_MAX_DEPTH} levels (or inside itself)`);
    }
    this.#depthLeft--;
  }

  arrayHeader(count: number): void {
    this.#enter();
    if (count < 0x10) this.#sink.u8(0x90 + count);
    else if (count < 0x1_0000) this.#sink.u8(0xdc).u16(count);
    else this.#sink.u8(0xdd).u32(count);
  }

  #mapHeader(count: number): void {
    this.#enter();
    if (count < 0x10) this.#sink.u8(0x80 + count);
    else if (count < 0x1_0000) this.#sink.u8(0xde).u16(count);
    else this.#sink.u8(0xdf).u32(count);
  }

  #array(items: readonly unknown[]): void {
    const count = items.length;
    this.arrayHeader(count);
    let index = 0;
    try {
      // By index, so that a hole is met (and refused as undefined) rather than skipped.
      for (; index < count; index++) this.value(items[index]);
    } catch (error) {
      throw EncodeFault.under(error, index);
    }
    this.#depthLeft++;
  }

  // for-in with hasOwnProperty is three times as quick as Object.keys, and skips what a polluted
  // Object.prototype would add.

  #plainObject(object: Record<string, unknown>): void {
    let count = 0;
    for (const key in object) {
      if (hasOwn.call(object, key) && object[key] !== undefined) count++;
    }
    this.#mapHeader(count);
    let current = "";
    try {
      for (const key in object) {
        if (!hasOwn.call(object, key)) continue;
        const value = object[key];
        if (value === undefined) continue;
        current = key;
        count--;
        writeText(this.#sink, key);
        this.value(value);
      }
    } catch (error) {
      throw EncodeFault.under(error, current);
    }
    if (count !== 0) throw new EncodeFault("the object changed while it was read");
    this.#depthLeft++;
  }

  #map(map: ReadonlyMap<unknown, unknown>): void {
    let count = 0;
    for (const value of map.values()) if (value !== undefined) count++;
    this.#mapHeader(count);
    let current: unknown;
    try {
      for (const [key, value] of map) {
        if (value === undefined) continue;
        current = key;
        count--;
        this.value(key);
        this.value(value);
      }
    } catch (error) {
      throw EncodeFault.under(error, typeof current === "number" ? current : String(current));
    }
    if (count !== 0) throw new EncodeFault("the map changed while it was read");
    this.#depthLeft++;
  }

  #binary(bytes: Uint8Array): void {
    const sink = this.#sink;
    const length = bytes.byteLength;
    if (length < 0x100) sink.u8(0xc4).u8(length);
    else if (length < 0x1_0000) sink.u8(0xc5).u16(length);
    else if (length < TWO_32) sink.u8(0xc6).u32(length);
    else throw new EncodeFault("2^32 bytes or more do not fit in one value");
    sink.bytes(bytes);
  }

  #extensionHeader(type: number, length: number): void {
    const sink = this.#sink;
    const fixed = FIXED_LENGTHS.indexOf(length);
    if (fixed >= 0) sink.u8(0xd4 + fixed);
    else if (length < 0x100) sink.u8(0xc7).u8(length);
    else if (length < 0x1_0000) sink.u8(0xc8).u16(length);
    else if (length < TWO_32) sink.u8(0xc9).u32(length);
    else throw new EncodeFault("2^32 bytes or more do not fit in one value");
    sink.u8(type & 0xff);
  }

  #extension(value: Extension): void {
    this.#extensionHeader(value.type, value.data.byteLength);
    this.#sink.bytes(value.data);
  }

  #timestamp(moment: Timestamp): void {
    const length = timestampLength(moment);
    this.#extensionHeader(TIMESTAMP_TYPE, length);
    const start = this.#sink.reserve(length);
    writeTimestamp(moment, this.#sink.buffer, start);
  }
}

/** Lengths of extension data that have a first byte of their own, d4 to d8. */
const FIXED_LENGTHS: readonly number[] = [1, 2, 4, 8, 16];

/** An object literal, `Object.create(null)`, or the like from another realm (vm, worker). */
function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf"))
  );
}

function className(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "the object";
}
