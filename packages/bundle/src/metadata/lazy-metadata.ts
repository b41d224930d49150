import { MAX_METADATA_BYTES, parseMetadata, parseMetadataText } from "./parse-metadata.ts";
import { scanJson } from "./scan-json.ts";
import type { MetadataMap } from "./values.ts";

/**
 * Metadata that can be read, and is read when it is wanted. A search looks at that of many bundles
 * and needs one; kept as text, it also takes a tenth of the memory.
 */
export class LazyMetadata {
  /** Plain JSON with a map `dags`; undefined when the metadata was read at once. */
  readonly #text: string | undefined;
  readonly #map: MetadataMap | undefined;

  /**
   * Takes the bytes of a metadata region, as {@link parseMetadata} does.
   *
   * @throws BundleError `bad-metadata` with the reason
   */
  constructor(bytes: Buffer, length: number) {
    const isWhole = bytes.length === length && length <= MAX_METADATA_BYTES;
    if (isWhole && scanJson(bytes)?.hasDagMap === true) {
      this.#text = bytes.toString("latin1");
    } else {
      this.#map = parseMetadata(bytes, length);
    }
  }

  /** False when `dags` is a map that does not have this key for sure. */
  mayOffer(dagId: string): boolean {
    return this.#text === undefined || this.#text.includes(dagId);
  }

  /** All of it. */
  read(): MetadataMap {
    return this.#map ?? parseMetadataText(this.#text ?? "");
  }
}
