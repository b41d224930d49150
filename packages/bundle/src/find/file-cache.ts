import { type FileIdentity, isSameFile } from "../open-file.ts";
import type { FilePath } from "./walk-files.ts";

/**
 * A file written again within one tick of the file system's clock, at the same size, looks the
 * same; so what changed this recently is not remembered.
 */
const MIN_AGE_MS = 100;

/**
 * Remembers what files turned out to be, as long as device, inode, size, and the times of change in
 * nanoseconds are the same, so that searching again costs no more than looking at the files' status.
 */
export class FileCache<Seen extends { readonly identity: FileIdentity }> {
  readonly maxEntries: number;
  /** By path. One that is no text is rejected in the end and so not worth a place. */
  readonly #files = new Map<FilePath, Seen>();

  constructor(maxEntries: number) {
    this.maxEntries = maxEntries;
  }

  /** How many files are remembered. */
  get size(): number {
    return this.#files.size;
  }

  clear(): void {
    this.#files.clear();
  }

  /** @internal */
  get(path: FilePath, identity: FileIdentity): Seen | undefined {
    const file = this.#files.get(path);
    return file !== undefined && isSameFile(file.identity, identity) ? file : undefined;
  }

  /** @internal */
  set(path: FilePath, file: Seen): void {
    const ageMs = Date.now() - Number(file.identity.ctimeNs / 1_000_000n);
    if (ageMs < MIN_AGE_MS || typeof path !== "string") return;
    if (this.#files.size >= this.maxEntries && !this.#files.has(path)) {
      const [oldest] = this.#files.keys();
      if (oldest !== undefined) this.#files.delete(oldest);
    }
    this.#files.set(path, file);
  }
}
