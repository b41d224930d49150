import type { BundleFooter, BundleRegions } from "../footer.ts";
import type { LazyMetadata } from "../metadata/lazy-metadata.ts";
import type { FileIdentity } from "../open-file.ts";
import { FileCache } from "./file-cache.ts";

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

/** Remembers what executable bundles turned out to be; see {@link FileCache}. */
export class BundleCache extends FileCache<SeenFile> {
  /** @param options.maxEntries - the oldest go first; default 20,000 */
  constructor({ maxEntries = 20_000 }: { readonly maxEntries?: number } = {}) {
    super(maxEntries);
  }
}
