import type { BundleFooter, BundleRegions } from "../footer.ts";
import type { LazyMetadata } from "../metadata/lazy-metadata.ts";
import { type FileIdentity, isSameFile } from "../open-file.ts";
import type { FilePath } from "./walk-files.ts";

/** A bundle as far as it was read. */
export interface BundleReading {
  readonly kind: "bundle";
  readonly footer: BundleFooter;
  readonly regions: BundleRegions;
  readonly metadata: LazyMetadata;
  /** Of the executable region; undefined until a search needed it. */
  actualSha256?: string;
}

/** What a file turned out to be. */
export type Reading =
  | BundleReading
  | { readonly kind: "no-bundle" }
  | { readonly kind: "broken"; readonly reason: string };

/** A file that was read, and which one that was. */
export interface SeenFile {
  readonly identity: FileIdentity;
  readonly reading: Reading;
}

/**
 * A file written again within one tick of the file system's clock, at the same size, looks the
 * same; so what changed this recently is not remembered.
 */
const MIN_AGE_MS = 100;

/**
 * Remembers what files turned out to be, as long as device, inode, size, and the times of change in
 * nanoseconds are the same, so that searching again costs no more than looking at the files' status.
 */
export class BundleCache {
  readonly maxEntries: number;
  /** By path. One that is no text is rejected in the end and so not worth a place. */
  readonly #files = new Map<FilePath, SeenFile>();

  /** @param options.maxEntries - the oldest go first; default 20,000 */
  constructor({ maxEntries = 20_000 }: { readonly maxEntries?: number } = {}) {
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
  get(path: FilePath, identity: FileIdentity): SeenFile | undefined {
    const file = this.#files.get(path);
    return file !== undefined && isSameFile(file.identity, identity) ? file : undefined;
  }

  /** @internal */
  set(path: FilePath, file: SeenFile): void {
    const ageMs = Date.now() - Number(file.identity.ctimeNs / 1_000_000n);
    if (ageMs < MIN_AGE_MS || typeof path !== "string") return;
    if (this.#files.size >= this.maxEntries && !this.#files.has(path)) {
      const [oldest] = this.#files.keys();
      if (oldest !== undefined) this.#files.delete(oldest);
    }
    this.#files.set(path, file);
  }
}
