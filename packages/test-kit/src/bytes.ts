import * as assert from "uvu/assert";

/** `"00ff"` as bytes. */
export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

/** Bytes as lower-case hex digits without separators. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Compares by content: uvu's `equal` tells a Buffer and a Uint8Array apart. */
export function bytesEqual(actual: Uint8Array, expected: Uint8Array, message?: string): void {
  assert.is(toHex(actual), toHex(expected), message);
}
