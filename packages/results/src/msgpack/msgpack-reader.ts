import { MOST_LEVELS } from "../serializers/limits.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { DictBuilder } from "../values/dict-builder.ts";
import { isPythonInt, PythonFloat } from "../values/python-float.ts";
import { decodeUtf8 } from "../values/utf8.ts";

/** A text of so few bytes is looked through here; native calls cost more. */
const SHORT = 40;

/**
 * Reads one value as Python's `unpackb(bytes, raw=False)`: text is strict UTF-8, keys of maps are
 * text or bytes, the last of equal keys wins, and nothing may follow. Extension types, which Celery
 * writes for no value, are refused. A length never makes it allocate more than is there.
 */
export class MsgpackReader {
  readonly #bytes: Buffer;
  readonly #options: ValueOptions;
  readonly #wrapFloats: boolean;
  #at = 0;

  constructor(bytes: Uint8Array, options: ValueOptions) {
    if (!(bytes instanceof Uint8Array)) throw new RangeError(`expected bytes, not ${typeof bytes}`);
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#options = options;
    this.#wrapFloats = options.wrapFloats === true;
  }

  /** @throws RangeError */
  read(): unknown {
    const value = this.#value(0);
    if (this.#at < this.#bytes.length) throw new RangeError(`more follows at byte ${this.#at}`);
    return value;
  }

  #value(level: number): unknown {
    const head = this.#uint(1);
    if (head < 0x80) return head;
    if (head < 0x90) return this.#map(head & 15, level + 1);
    if (head < 0xa0) return this.#array(head & 15, level + 1);
    if (head < 0xc0) return this.#text(head & 31);
    if (head >= 0xe0) return head - 0x100;
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
        return Uint8Array.from(this.#take(this.#uint(1 << (head - 0xc4))));
      case 0xca:
        return this.#float(this.#bytes.readFloatBE(this.#skip(4)));
      case 0xcb:
        return this.#float(this.#bytes.readDoubleBE(this.#skip(8)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#uint(1 << (head - 0xcc));
      case 0xcf:
        return narrow(this.#bytes.readBigUInt64BE(this.#skip(8)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#bytes.readIntBE(this.#skip(1 << (head - 0xd0)), 1 << (head - 0xd0));
      case 0xd3:
        return narrow(this.#bytes.readBigInt64BE(this.#skip(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#uint(1 << (head - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#uint(2 << (head - 0xdc)), level + 1);
      case 0xde:
      case 0xdf:
        return this.#map(this.#uint(2 << (head - 0xde)), level + 1);
      default:
        throw new RangeError(
          `byte ${this.#at - 1} is 0x${head.toString(16)}: ${head === 0xc1 ? "no type" : "an extension type, which Celery never writes"}`,
        );
    }
  }

  #array(size: number, level: number): unknown[] {
    this.#enter(size, level);
    const items: unknown[] = [];
    for (let index = 0; index < size; index++) items.push(this.#value(level));
    return items;
  }

  #map(size: number, level: number): unknown {
    this.#enter(size * 2, level);
    const entries = new DictBuilder(this.#options);
    for (let index = 0; index < size; index++) {
      const key = this.#value(level);
      if (typeof key !== "string" && !(key instanceof Uint8Array)) {
        throw new RangeError(
          "a map has a key that is neither text nor bytes, which Python refuses",
        );
      }
      entries.set(key, this.#value(level));
    }
    return entries.finish();
  }

  #enter(items: number, level: number): void {
    if (level > MOST_LEVELS) throw new RangeError(`nested deeper than ${MOST_LEVELS} levels`);
    if (items > this.#bytes.length - this.#at) throw this.#cut();
  }

  #text(size: number): string {
    if (size > SHORT) return decodeUtf8(this.#take(size));
    const start = this.#skip(size);
    for (let at = start; at < this.#at; at++) {
      if ((this.#bytes[at] as number) > 0x7f)
        return decodeUtf8(this.#bytes.subarray(start, this.#at));
    }
    return this.#bytes.toString("latin1", start, this.#at);
  }

  #float(value: number): number | PythonFloat {
    return this.#wrapFloats && isPythonInt(value) ? new PythonFloat(value) : value;
  }

  #uint(size: number): number {
    const start = this.#skip(size);
    return size === 1 ? (this.#bytes[start] as number) : this.#bytes.readUIntBE(start, size);
  }

  #take(size: number): Buffer {
    const start = this.#skip(size);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Goes on by so many bytes and gives the place of the first of them. */
  #skip(size: number): number {
    const start = this.#at;
    if (size > this.#bytes.length - start) throw this.#cut();
    this.#at = start + size;
    return start;
  }

  #cut(): RangeError {
    return new RangeError(`cut off after ${this.#bytes.length} bytes`);
  }
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
