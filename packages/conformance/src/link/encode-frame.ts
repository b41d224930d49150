import { Extension, Float, Timestamp } from "@parlance/framing";

/** How {@link encodeFrame} writes values. */
export interface EncodeFormat {
  /** The widest format of each kind instead of the narrowest. */
  readonly widest?: boolean | undefined;
  /** Bytes of a timestamp. Default: as few as hold it. */
  readonly timestampBytes?: 4 | 8 | 12 | undefined;
}

const TIMESTAMP = 0xff; // -1, as a byte

/**
 * Encodes a frame to a task, length prefix included, in formats that a supervisor would not choose: every one of them
 * is legal MessagePack, and a runtime that reads the wire with a real decoder does not notice.
 *
 * @param elements - the frame's array: id, body, error, and whatever else
 */
export function encodeFrame(elements: readonly unknown[], format: EncodeFormat): Buffer {
  const parts: Buffer[] = [];
  write(parts, elements, format);
  const payload = Buffer.concat(parts);
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  return Buffer.concat([prefix, payload]);
}

function write(parts: Buffer[], value: unknown, format: EncodeFormat): void {
  if (value === null || value === undefined) parts.push(byte(0xc0));
  else if (typeof value === "boolean") parts.push(byte(value ? 0xc3 : 0xc2));
  else if (typeof value === "bigint") parts.push(wholeNumber(value, format));
  else if (typeof value === "number") parts.push(number(value, format));
  else if (value instanceof Float) parts.push(float(value.value));
  else if (typeof value === "string") writeText(parts, value, format);
  else if (value instanceof Timestamp) parts.push(timestamp(value, format));
  else if (Array.isArray(value)) {
    parts.push(count(value.length, format, [0x90, 16], [0xdc, 0xdd]));
    for (const item of value) write(parts, item, format);
  } else if (value instanceof Uint8Array) {
    parts.push(Buffer.of(0xc6), uint32(value.byteLength), Buffer.from(value));
  } else if (value instanceof Extension) {
    parts.push(Buffer.of(0xc9), uint32(value.data.byteLength), byte(value.type & 0xff));
    parts.push(Buffer.from(value.data));
  } else writeMap(parts, value as { readonly [key: string]: unknown }, format);
}

function writeMap(
  parts: Buffer[],
  map: { readonly [key: string]: unknown },
  format: EncodeFormat,
): void {
  const entries = Object.entries(map).filter(([, value]) => value !== undefined);
  parts.push(count(entries.length, format, [0x80, 16], [0xde, 0xdf]));
  for (const [key, value] of entries) {
    writeText(parts, key, format);
    write(parts, value, format);
  }
}

function writeText(parts: Buffer[], text: string, { widest }: EncodeFormat): void {
  const bytes = Buffer.from(text, "utf8");
  if (!widest && bytes.length < 32) parts.push(byte(0xa0 | bytes.length));
  else parts.push(Buffer.of(0xdb), uint32(bytes.length));
  parts.push(bytes);
}

/** The head of a list or a map. */
function count(
  length: number,
  { widest }: EncodeFormat,
  [fix, fixLimit]: readonly [number, number],
  [short, long]: readonly [number, number],
): Buffer {
  if (widest) return Buffer.concat([byte(long), uint32(length)]);
  if (length < fixLimit) return byte(fix | length);
  if (length > 0xffff) return Buffer.concat([byte(long), uint32(length)]);
  const head = Buffer.alloc(3);
  head[0] = short;
  head.writeUInt16BE(length, 1);
  return head;
}

function number(value: number, format: EncodeFormat): Buffer {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
    ? wholeNumber(BigInt(value), format)
    : float(value);
}

function wholeNumber(value: bigint, { widest }: EncodeFormat): Buffer {
  if (!widest && value >= 0n && value < 128n) return byte(Number(value));
  const bytes = Buffer.alloc(9);
  bytes[0] = value < 0n ? 0xd3 : 0xcf;
  if (value < 0n) bytes.writeBigInt64BE(value, 1);
  else bytes.writeBigUInt64BE(value, 1);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xcb;
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function timestamp({ seconds, nanoseconds }: Timestamp, { timestampBytes }: EncodeFormat): Buffer {
  const fits4 = seconds >= 0n && seconds < 2n ** 32n;
  const fits8 = seconds >= 0n && seconds < 2n ** 34n;
  if (timestampBytes === 4 && fits4) {
    return Buffer.concat([Buffer.of(0xd6, TIMESTAMP), uint32(Number(seconds))]);
  }
  if (timestampBytes !== 12 && fits8) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE((BigInt(nanoseconds) << 34n) | seconds);
    return Buffer.concat([Buffer.of(0xd7, TIMESTAMP), bytes]);
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(seconds);
  return Buffer.concat([Buffer.of(0xc7, 12, TIMESTAMP), uint32(nanoseconds), bytes]);
}

const byte = (value: number): Buffer => Buffer.of(value);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
