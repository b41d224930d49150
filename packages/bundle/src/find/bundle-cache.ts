import type { BigIntStats } from "node:fs";
import type { BundleFooter, BundleRegions } from "../footer.ts";
import type { MetadataMap } from "../metadata/values.ts";
import { identityOf } from "../open-file.ts";

/** What a file turned out to be. */
export type Reading =
  | { readonly kind: "no-bundle" }
  | { readonly kind: "broken"; readonly reason: string }
  | {
      readonly kind: "bundle";
      readonly footer: BundleFooter;
      readonly regions: BundleRegions;
      readonly metadata: MetadataMap;
      /** Of the executable region; undefined until a search needed it. */
      actualSha256?: string;
    };

/**
 * A file written again within one tick of the file system's clock, at the same size, looks the
 * same; so what changed this recently is not remembered.
 */
const MIN_AGE_MS = 100;

/**
 * Remembers what files turned out to be, by device, inode, size, and the times of change in
 * nanoseconds, so that searching again costs no more than looking at the files' status.
 */
export class BundleCache {
  readonly maxEntries: number;
  readonly #readings = new Map<string, Reading>();

  /** @param options.maxEntries - the oldest go first; default 20,000 */
  constructor({ maxEntries = 20_000 }: { readonly maxEntries?: number } = {}) {
    this.maxEntries = maxEntries;
  }

  /** How many files are remembered. */
  get size(): number {
    return this.#readings.size;
  }

  clear(): void {
    this.#readings.clear();
  }

  /** @internal */
  get(stats: BigIntStats): Reading | undefined {
    return this.#readings.get(identityOf(stats));
  }

  /** @internal */
  set(stats: BigIntStats, reading: Reading): void {
    const ageMs = Date.now() - Number(stats.ctimeNs / 1_000_000n);
    if (ageMs < MIN_AGE_MS) return;
    if (this.#readings.size >= this.maxEntries) {
      const [oldest] = this.#readings.keys();
      if (oldest !== undefined) this.#readings.delete(oldest);
    }
    this.#readings.set(identityOf(stats), reading);
  }
}
