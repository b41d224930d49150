/** Reads the parts of a pickle in order; every method throws RangeError where the bytes end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get at(): number {
    return this.#at;
  }

  /** Unsigned, little-endian, 1 to 4 bytes. */
  uint(size: number): number {
    return this.take(size).readUIntLE(0, size);
  }

  int32(): number {
    return this.take(4).readInt32LE();
  }

  double(): number {
    return this.take(8).readDoubleBE();
  }

  /** A length of 8 bytes; one beyond the end fails as any other. */
  uint64(): number {
    return Number(this.take(8).readBigUInt64LE());
  }

  /** Fails where fewer bytes are left. */
  need(size: number): void {
    if (size > this.#bytes.length - this.#at) throw new RangeError("it is cut off");
  }

  /** An int of any size in two's complement, little-endian. */
  long(size: number): bigint {
    const bytes = this.take(size);
    if (size === 0) return 0n;
    const hex = Buffer.from(bytes).reverse().toString("hex");
    return BigInt.asIntN(size * 8, BigInt(`0x${hex}`));
  }

  /** ASCII up to a line feed, without it. */
  line(): string {
    const end = this.#bytes.indexOf(10, this.#at);
    if (end === -1) throw new RangeError("it is cut off");
    const text = this.take(end - this.#at).toString("latin1");
    this.#at++;
    return text;
  }

  take(size: number): Buffer {
    this.need(size);
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }
}
