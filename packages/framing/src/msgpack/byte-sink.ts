const INITIAL_BYTES = 256;

/**
 * A buffer that grows while it is written. It belongs to one encoded frame alone: `socket.write`
 * may keep the bytes long after the call, so no buffer is ever used for a second frame.
 */
export class ByteSink {
  /** Replaced when it grows: use it at once. */
  buffer: Buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Makes room for `count` bytes, counts them as written and gives where they begin. */
  reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.buffer.length) this.#grow(needed);
    this.#length = needed;
    return start;
  }

  /** Makes room for `count` more bytes without counting them. */
  ensure(count: number): void {
    if (this.#length + count > this.buffer.length) this.#grow(this.#length + count);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.#length);
    this.buffer = larger;
  }

  u8(value: number): this {
    const start = this.reserve(1);
    this.buffer[start] = value;
    return this;
  }

  u16(value: number): this {
    const start = this.reserve(2);
    this.buffer[start] = value >>> 8;
    this.buffer[start + 1] = value;
    return this;
  }

  u32(value: number): this {
    const start = this.reserve(4);
    this.buffer.writeUInt32BE(value, start);
    return this;
  }

  u64(value: bigint): this {
    const start = this.reserve(8);
    this.buffer.writeBigUInt64BE(value, start);
    return this;
  }

  i64(value: bigint): this {
    const start = this.reserve(8);
    this.buffer.writeBigInt64BE(value, start);
    return this;
  }

  f64(value: number): this {
    const start = this.reserve(8);
    this.buffer.writeDoubleBE(value, start);
    return this;
  }

  bytes(value: Uint8Array): this {
    const start = this.reserve(value.byteLength);
    this.buffer.set(value, start);
    return this;
  }

  /** What was written, without a copy; the sink must not be used afterwards. */
  finish(): Buffer {
    return this.buffer.subarray(0, this.#length);
  }
}
