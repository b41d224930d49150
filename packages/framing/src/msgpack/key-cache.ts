const SLOTS = 512;

/**
 * Remembers the text of short map keys by their bytes. Messages repeat the same few names, and
 * making a new string of each, which the engine then has to look up among its property names,
 * is more than half the cost of decoding.
 *
 * At most 512 keys of 31 ASCII bytes are held; a newer key takes the place of an older one.
 * Belongs to one channel (or one reader of many frames), never to the module.
 */
export class KeyCache {
  readonly #keys: (string | undefined)[] = new Array<string | undefined>(SLOTS).fill(undefined);

  /** Where the key of these bytes (at least one) would be. */
  slot(bytes: Uint8Array, start: number, length: number): number {
    const first = bytes[start] as number;
    const middle = bytes[start + (length >>> 1)] as number;
    const last = bytes[start + length - 1] as number;
    return (length * 31 + first * 7 + middle * 13 + last) % SLOTS;
  }

  /** The key in that slot if it has exactly these bytes. */
  find(slot: number, bytes: Uint8Array, start: number, length: number): string | undefined {
    const key = this.#keys[slot];
    if (key === undefined || key.length !== length) return undefined;
    for (let index = 0; index < length; index++) {
      if (key.charCodeAt(index) !== bytes[start + index]) return undefined;
    }
    return key;
  }

  /** Takes a key into its slot; one with characters beyond ASCII is never found and so not taken. */
  keep(slot: number, key: string, length: number): void {
    if (key.length === length) this.#keys[slot] = key;
  }
}
