import { parseExactJson } from "../store/exact-json.ts";
import { StoreError } from "../store/task-store.ts";

/**
 * A large value as exact JSON text in UTF-8, that nobody has had to build in this thread. A store
 * keeps it as it is (`XComStore.setExactJson`); who needs the value itself pays for it.
 */
export class ExactJsonBytes {
  readonly bytes: Uint8Array;

  /** @param bytes - must not be written to any more */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /**
   * The value; takes as long as parsing takes.
   *
   * @throws StoreError `not-a-store` when the bytes can't be read
   */
  toValue(): unknown {
    try {
      return parseExactJson(textOfBytes(this.bytes));
    } catch {
      // Without the cause: an error of the parser quotes what it could not read, a password maybe.
      throw new StoreError("not-a-store", "the store is damaged: a large value can't be read");
    }
  }
}

/** UTF-8 as text; beyond about 512 MB there is no string that could hold it. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Text as UTF-8 in memory that threads share: handed on, it is not copied. */
export function toSharedBytes(text: string): Uint8Array {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  return bytes;
}
