/*
 * The data of MessagePack's timestamp extension, by its length:
 *
 *    4 bytes   u32 seconds
 *    8 bytes   u64: nanoseconds in the upper 30 bits, seconds in the lower 34
 *   12 bytes   u32 nanoseconds, i64 seconds
 *
 * The shortest form that holds the moment is written; any is read. All big-endian.
 */
import { asBuffer } from "../as-buffer.ts";
import { Timestamp } from "./timestamp.ts";

const TWO_32 = 2 ** 32;
const TWO_34 = 2n ** 34n;

/**
 * Reads the `length` bytes at `offset`.
 *
 * @returns the moment, or text saying what is wrong with the bytes
 */
export function readTimestamp(bytes: Buffer, offset: number, length: number): Timestamp | string {
  if (length === 4) return new Timestamp(bytes.readUInt32BE(offset), 0);
  if (length === 8) {
    const high = bytes.readUInt32BE(offset);
    const nanoseconds = high >>> 2;
    if (nanoseconds > 999_999_999) return `a timestamp of ${nanoseconds} nanoseconds`;
    return new Timestamp((high & 3) * TWO_32 + bytes.readUInt32BE(offset + 4), nanoseconds);
  }
  if (length === 12) {
    const nanoseconds = bytes.readUInt32BE(offset);
    if (nanoseconds > 999_999_999) return `a timestamp of ${nanoseconds} nanoseconds`;
    return new Timestamp(bytes.readBigInt64BE(offset + 4), nanoseconds);
  }
  return `a timestamp of ${length} bytes (4, 8 or 12 are possible)`;
}

/** How many bytes of data the moment takes: 4, 8 or 12. */
export function timestampLength(moment: Timestamp): 4 | 8 | 12 {
  if (moment.seconds < 0n || moment.seconds >= TWO_34) return 12;
  return moment.nanoseconds === 0 && moment.seconds < BigInt(TWO_32) ? 4 : 8;
}

/** Writes {@link timestampLength} bytes at `offset`. */
export function writeTimestamp(moment: Timestamp, bytes: Buffer, offset: number): void {
  const length = timestampLength(moment);
  if (length === 12) {
    bytes.writeUInt32BE(moment.nanoseconds, offset);
    bytes.writeBigInt64BE(moment.seconds, offset + 4);
    return;
  }
  const seconds = Number(moment.seconds);
  if (length === 4) {
    bytes.writeUInt32BE(seconds, offset);
    return;
  }
  bytes.writeUInt32BE(moment.nanoseconds * 4 + Math.floor(seconds / TWO_32), offset);
  bytes.writeUInt32BE(seconds % TWO_32, offset + 4);
}

/**
 * Reads the data of a timestamp extension: 4, 8 or 12 bytes.
 *
 * @throws RangeError for another length, or for nanoseconds of a second and more
 */
export function decodeTimestamp(data: Uint8Array): Timestamp {
  const moment = readTimestamp(asBuffer(data), 0, data.byteLength);
  if (typeof moment === "string") throw new RangeError(`decodeTimestamp: ${moment}`);
  return moment;
}

/** The data of a timestamp extension in its shortest form: 4, 8 or 12 bytes. */
export function encodeTimestamp(moment: Timestamp): Uint8Array {
  const data = Buffer.alloc(timestampLength(moment));
  writeTimestamp(moment, data, 0);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
