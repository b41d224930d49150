/*
 * One MessagePack value, by its first byte (lengths and numbers are big-endian):
 *
 *   00-7f integer 0..127      c4 c5 c6  bin,  length in 1, 2, 4 bytes
 *   80-8f map of 0..15        c7 c8 c9  extension, length in 1, 2, 4 bytes, then the type
 *   90-9f array of 0..15      ca cb     float32, float64
 *   a0-bf str of 0..31        cc cd ce cf  unsigned integer in 1, 2, 4, 8 bytes
 *   c0    nil                 d0 d1 d2 d3  signed integer in 1, 2, 4, 8 bytes
 *   c1    never used          d4-d8     the type, then 1, 2, 4, 8, 16 bytes of extension
 *   c2 c3 false, true         d9 da db  str,  length in 1, 2, 4 bytes
 *   e0-ff integer -32..-1     dc dd     array, count in 2, 4 bytes
 *                             de df     map,   count in 2, 4 bytes
 */
import { asBuffer } from "../as-buffer.ts";
import { FrameError } from "../frame-error.ts";
import { Extension, TIMESTAMP_TYPE } from "../value/extension.ts";
import { Float } from "../value/float.ts";
import { readTimestamp } from "../value/timestamp-bytes.ts";
import type { WireValue } from "../value/wire-value.ts";
import type { KeyCache } from "./key-cache.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_ELEMENTS, type DecodeOptions } from "./limits.ts";
import { readText } from "./read-text.ts";

const TWO_32 = 2 ** 32;

/**
 * Reads the values of one payload, strictly: whatever is not exact, well-formed and within the
 * limits throws `FrameError` `not-msgpack`, after which the reader is of no more use.
 */
export class ValueReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #wrapFloats: boolean;
  readonly #mapsAsMap: boolean;
  readonly #keys: KeyCache | undefined;
  #offset = 0;
  /** Levels that may still be opened. */
  #depthLeft: number;
  /** Elements that may still be announced. */
  #elementsLeft: number;
  /** Elements announced by open containers and not read yet; each takes a byte at least. */
  #owed = 0;

  constructor(payload: Uint8Array, options: DecodeOptions = {}) {
    this.#bytes = asBuffer(payload);
    this.#end = payload.byteLength;
    this.#wrapFloats = options.wrapFloats === true;
    this.#mapsAsMap = options.maps === "map";
    this.#keys = options.keys;
    this.#depthLeft = options.maxDepth ?? DEFAULT_MAX_DEPTH;
    this.#elementsLeft = options.maxElements ?? DEFAULT_MAX_ELEMENTS;
  }

  get offset(): number {
    return this.#offset;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#end;
  }

  /** The first byte of the next value, not consumed; `undefined` at the end. */
  peek(): number | undefined {
    return this.#bytes[this.#offset];
  }

  /** The count of the array that comes next, or `undefined`, consuming nothing, for another value. */
  arrayHeader(): number | undefined {
    const head = this.peek();
    if (head === undefined || !(isFixArray(head) || head === 0xdc || head === 0xdd))
      return undefined;
    this.#offset++;
    const count = isFixArray(head) ? head & 0x0f : this.#unsigned(head === 0xdc ? 2 : 4);
    this.#open(count, "array");
    return count;
  }

  /** One item of the array that {@link arrayHeader} opened. */
  item(): WireValue {
    this.#owed--;
    return this.value();
  }

  value(): WireValue {
    if (this.#offset >= this.#end) throw this.#fault("the payload ends where a value should be");
    const head = this.#bytes[this.#offset++] as number;
    if (head < 0x80) return head;
    if (head < 0x90) return this.#map(head & 0x0f);
    if (head < 0xa0) return this.#array(head & 0x0f);
    if (head < 0xc0) return this.#text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    return this.#long(head);
  }

  #long(head: number): WireValue {
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#unsigned(1 << (head - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#unsigned(1 << (head - 0xc7)));
      case 0xca:
        return this.#float(this.#bytes.readFloatBE(this.#take(4)));
      case 0xcb:
        return this.#float(this.#bytes.readDoubleBE(this.#take(8)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (head - 0xcc));
      case 0xcf:
        return this.#unsigned64();
      case 0xd0:
        return this.#bytes.readInt8(this.#take(1));
      case 0xd1:
        return this.#bytes.readInt16BE(this.#take(2));
      case 0xd2:
        return this.#bytes.readInt32BE(this.#take(4));
      case 0xd3:
        return this.#signed64();
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (head - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (head - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(head === 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(head === 0xde ? 2 : 4));
      default:
        throw this.#fault(`byte 0x${head.toString(16)} begins no value`, 1);
    }
  }

  #fault(what: string, back = 0): FrameError {
    const payloadOffset = this.#offset - back;
    const message = `the payload is no MessagePack at byte ${payloadOffset} of ${this.#end}: ${what}`;
    return new FrameError("not-msgpack", message, { payloadOffset });
  }

  /** Consumes `length` bytes and gives where they begin. */
  #take(length: number): number {
    const start = this.#offset;
    if (length > this.#end - start) {
      throw this.#fault(`${length} bytes are announced, ${this.#end - start} are left`);
    }
    this.#offset = start + length;
    return start;
  }

  #unsigned(length: number): number {
    const start = this.#take(length);
    if (length === 1) return this.#bytes[start] as number;
    return length === 2 ? this.#bytes.readUInt16BE(start) : this.#bytes.readUInt32BE(start);
  }

  // The type follows from the value and not from the width on the wire (msgspec writes the
  // shortest form, others do not): number as long as it is exact, else bigint.

  #unsigned64(): number | bigint {
    const start = this.#take(8);
    const high = this.#bytes.readUInt32BE(start);
    if (high < 0x20_0000) return high * TWO_32 + this.#bytes.readUInt32BE(start + 4);
    return this.#bytes.readBigUInt64BE(start);
  }

  #signed64(): number | bigint {
    const start = this.#take(8);
    const high = this.#bytes.readInt32BE(start);
    const value = high * TWO_32 + this.#bytes.readUInt32BE(start + 4);
    return Number.isSafeInteger(value) ? value : this.#bytes.readBigInt64BE(start);
  }

  #float(value: number): number | Float {
    return this.#wrapFloats && Number.isInteger(value) ? new Float(value) : value;
  }

  #text(length: number): string {
    const start = this.#take(length);
    return readText(this.#bytes, start, start + length);
  }

  /** A copy: the payload may be part of a larger buffer, which a view would keep alive. */
  #binary(length: number): Uint8Array {
    const start = this.#take(length);
    return new Uint8Array(this.#bytes.subarray(start, start + length));
  }

  #extension(length: number): WireValue {
    const type = this.#bytes.readInt8(this.#take(1));
    if (type !== TIMESTAMP_TYPE) return new Extension(type, this.#binary(length));
    const moment = readTimestamp(this.#bytes, this.#take(length), length);
    if (typeof moment === "string") throw this.#fault(moment, length);
    return moment;
  }

  /** Takes note of a container before anything is allocated for what it announces. */
  #open(count: number, kind: string): void {
    if (this.#depthLeft === 0) throw this.#fault("arrays and maps are nested too deep");
    this.#owed += count;
    this.#elementsLeft -= count;
    if (this.#owed > this.#end - this.#offset) {
      throw this.#fault(`the ${kind} announces more elements than the bytes left can hold`);
    }
    if (this.#elementsLeft < 0) throw this.#fault("arrays and maps have too many elements");
    this.#depthLeft--;
  }

  #array(count: number): WireValue[] {
    this.#open(count, "array");
    const items: WireValue[] = [];
    for (let index = 0; index < count; index++) {
      this.#owed--;
      items.push(this.value());
    }
    this.#depthLeft++;
    return items;
  }

  #map(count: number): WireValue {
    this.#open(count * 2, "map");
    if (this.#mapsAsMap) return this.#entries(new Map(), count);
    const object: Record<string, WireValue> = {};
    let order: string[] | undefined;
    for (let index = 0; index < count; index++) {
      if (!isTextHead(this.#bytes[this.#offset])) {
        // Not only text: what was read so far goes over to a Map, which keeps keys of any kind.
        const keys = order ?? Object.keys(object);
        const map = new Map<WireValue, WireValue>(
          keys.map((key) => [key, object[key] as WireValue]),
        );
        return this.#entries(map, count - index);
      }
      this.#owed -= 2;
      const key = this.#key();
      const value = this.value();
      // Keys that may be array indices move to the front of an object, but not of a Map.
      if (order !== undefined) order.push(key);
      else if (beginsWithDigit(key)) order = [...Object.keys(object), key];
      if (key === "__proto__") setOwn(object, key, value);
      else object[key] = value; // twice the same key: the last one wins, as for the stock decoder
    }
    this.#depthLeft++;
    return object;
  }

  #key(): string {
    const head = this.#bytes[this.#offset] as number;
    const length = head & 0x1f;
    const start = this.#offset + 1;
    const isShort = head <= 0xbf && length > 0 && length <= this.#end - start;
    if (!isShort) return this.value() as string;
    this.#offset = start + length;
    const keys = this.#keys;
    if (keys === undefined) return readText(this.#bytes, start, start + length);
    const slot = keys.slot(this.#bytes, start, length);
    const known = keys.find(slot, this.#bytes, start, length);
    if (known !== undefined) return known;
    const key = readText(this.#bytes, start, start + length);
    keys.keep(slot, key, length);
    return key;
  }

  #entries(map: Map<WireValue, WireValue>, count: number): Map<WireValue, WireValue> {
    for (let index = 0; index < count; index++) {
      this.#owed -= 2;
      const key = this.value();
      map.set(key, this.value());
    }
    this.#depthLeft++;
    return map;
  }
}

function isFixArray(head: number): boolean {
  return head >= 0x90 && head <= 0x9f;
}

function isTextHead(head: number | undefined): boolean {
  return head !== undefined && ((head >= 0xa0 && head <= 0xbf) || (head >= 0xd9 && head <= 0xdb));
}

function beginsWithDigit(key: string): boolean {
  const code = key.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}

function setOwn(object: object, key: string, value: WireValue): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
