import {
  describeUnwritable,
  EncodeFault,
  isPlainObject,
  stepOut,
} from "../serializers/encode-fault.ts";
import { isPythonInt, PythonFloat } from "../values/python-float.ts";
import { isPythonValue } from "../values/python-value.ts";

/** Python's packer goes no deeper. */
const MOST_LEVELS = 511;
const MOST_UINT64 = 2n ** 64n - 1n;
const LEAST_INT64 = -(2n ** 63n);
const LONE_SURROGATE = /\p{Surrogate}/u;
const NO_TYPE =
  "msgpack has no type for it, and Celery writes none; store its text, or use json or yaml";

/** Writes one value; not to be used twice. */
export class MsgpackWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  /** @throws EncodeFault */
  write(value: unknown): Uint8Array {
    this.#value(value === undefined ? null : value, 0);
    return this.#bytes.subarray(0, this.#length);
  }

  #value(value: unknown, level: number): void {
    if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "boolean") this.#head(value ? 0xc3 : 0xc2);
    else if (typeof value === "bigint") this.#bigint(value);
    else if (value === null || value === undefined)
      this.#head(0xc0); // undefined: in arrays only
    else if (typeof value !== "object") throw new EncodeFault(describeUnwritable(value));
    else if (value instanceof Uint8Array) this.#binary(value);
    else if (value instanceof PythonFloat) this.#float(value.value);
    else this.#container(value, level);
  }

  #container(value: object, level: number): void {
    if (level >= MOST_LEVELS) {
      throw new EncodeFault(`it is nested deeper than ${MOST_LEVELS} levels`, value);
    }
    if (Array.isArray(value)) this.#array(value, level + 1);
    else if (value instanceof Map) this.#map(value, [...value], level + 1);
    else if (isPlainObject(value)) this.#map(value, Object.entries(value), level + 1);
    else throw new EncodeFault(isPythonValue(value) ? NO_TYPE : describeUnwritable(value));
  }

  #array(items: readonly unknown[], level: number): void {
    this.#sized(items.length, 0x90, 15, undefined, 0xdc, 0xdd);
    let index = 0;
    try {
      for (; index < items.length; index++) this.#value(items[index], level);
    } catch (error) {
      throw stepOut(error, items, index);
    }
  }

  #map(container: object, all: readonly (readonly [unknown, unknown])[], level: number): void {
    const entries = all.filter(([, value]) => value !== undefined);
    this.#sized(entries.length, 0x80, 15, undefined, 0xde, 0xdf);
    let shown = "";
    try {
      for (const [key, value] of entries) {
        shown = String(key);
        if (typeof key === "string") this.#text(key);
        else if (key instanceof Uint8Array) this.#binary(key);
        else throw new EncodeFault("its key is no text; Python reads only text and bytes as keys");
        this.#value(value, level);
      }
    } catch (error) {
      throw stepOut(error, container, shown);
    }
  }

  #text(text: string): void {
    const size = Buffer.byteLength(text);
    if (size !== text.length && LONE_SURROGATE.test(text)) {
      throw new EncodeFault("it holds a lone surrogate, which has no UTF-8 form");
    }
    this.#sized(size, 0xa0, 31, 0xd9, 0xda, 0xdb);
    this.#reserve(size);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #binary(bytes: Uint8Array): void {
    this.#sized(bytes.length, 0, -1, 0xc4, 0xc5, 0xc6);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The head of what has a length: in the byte itself up to `mostFixed`, else behind a byte. */
  #sized(
    size: number,
    fixed: number,
    mostFixed: number,
    head8: number | undefined,
    head16: number,
    head32: number,
  ): void {
    if (size <= mostFixed) this.#head(fixed | size);
    else if (head8 !== undefined && size <= 0xff) this.#uint(head8, 1, size);
    else if (size <= 0xffff) this.#uint(head16, 2, size);
    else if (size <= 0xffffffff) this.#uint(head32, 4, size);
    else throw new EncodeFault("it is larger than msgpack can say");
  }

  #number(value: number): void {
    if (isPythonInt(value)) this.#int(value);
    else this.#float(value);
  }

  #int(value: number): void {
    if (value >= 0) {
      if (value < 0x80) this.#head(value);
      else if (value <= 0xff) this.#uint(0xcc, 1, value);
      else if (value <= 0xffff) this.#uint(0xcd, 2, value);
      else if (value <= 0xffffffff) this.#uint(0xce, 4, value);
      else this.#bigint(BigInt(value));
    } else if (value >= -0x20) this.#head(value & 0xff);
    else if (value >= -0x80) this.#uint(0xd0, 1, value & 0xff);
    else if (value >= -0x8000) this.#uint(0xd1, 2, value & 0xffff);
    else if (value >= -0x80000000) this.#uint(0xd2, 4, value >>> 0);
    else this.#bigint(BigInt(value));
  }

  #bigint(value: bigint): void {
    if (value >= -0x80000000n && value <= 0xffffffffn) {
      this.#int(Number(value));
      return;
    }
    if (value < LEAST_INT64 || value > MOST_UINT64) {
      throw new EncodeFault("it is an int of more than 64 bits; store its text, or use json");
    }
    this.#head(value < 0n ? 0xd3 : 0xcf);
    this.#reserve(8);
    this.#bytes.writeBigUInt64BE(BigInt.asUintN(64, value), this.#length);
    this.#length += 8;
  }

  #float(value: number): void {
    this.#head(0xcb);
    this.#reserve(8);
    this.#bytes.writeDoubleBE(value, this.#length);
    this.#length += 8;
  }

  #uint(head: number, width: 1 | 2 | 4, value: number): void {
    this.#head(head);
    this.#reserve(width);
    this.#length = this.#bytes.writeUIntBE(value, this.#length, width);
  }

  #head(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
