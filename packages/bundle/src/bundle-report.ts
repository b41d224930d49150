import type { BundleFooter, BundleRegions } from "./footer.ts";
import type { BundleProblem } from "./metadata/check-metadata.ts";
import type { SourceRegion } from "./metadata/source-index.ts";
import type { MetadataMap } from "./metadata/values.ts";
import type { NodeLayout } from "./node/node-layout.ts";

/** How a bundle is looked at. */
export interface ReadOptions {
  /** Schema versions that Airflow knows; without them every text is taken. */
  readonly knownSchemaVersions?: readonly string[] | undefined;
}

/** All that can be told about a file that is, or should be, a bundle. */
export interface BundleReport {
  readonly path: string;
  /** `node` for a `.min.mjs` bundle of Airflow 3.4; null for no bundle of any kind. */
  readonly format: "AFBNDL01" | "node" | null;
  /** null when there is no strictly good footer. */
  readonly footer: BundleFooter | null;
  readonly regions: BundleRegions | null;
  /** Where the parts of a Node bundle are; null for another format, or a bad layout. */
  readonly nodeLayout: NodeLayout | null;
  /** null when it can't be read. */
  readonly metadata: MetadataMap | null;
  /**
   * The index of embedded sources; null when there is none, or a bad one. Offsets count from the
   * source region, in a Node bundle from the start of the file.
   */
  readonly sources: readonly SourceRegion[] | null;
  /** Footer strict, digest equal, metadata a map: no problem is a fault. */
  readonly verified: boolean;
  readonly problems: readonly BundleProblem[];
}
