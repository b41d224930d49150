import { isUtf8 } from "node:buffer";
import { BundleError } from "../errors.ts";
import { parseSimple } from "./parse-simple.ts";
import { parseYaml } from "./parse-yaml.ts";
import { isMetadataMap, type MetadataMap } from "./values.ts";

/** Metadata of more bytes is refused. */
export const MAX_METADATA_BYTES: number = 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** What YAML 1.1 calls not printable. */
const REFUSED = /[^\t\n\r\x20-\x7e\u0085\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Reads a bundle's metadata as Airflow does: UTF-8, one YAML 1.1 document, typed as PyYAML's
 * SafeLoader types it, a map at the top. Of two equal keys the last wins.
 *
 * Limits: 1 MiB, 100 alias expansions, 100 levels of lists and maps.
 *
 * @param length - of the region, where `bytes` is only its start; default all of it
 * @throws BundleError `bad-metadata` with the reason
 */
export function parseMetadata(bytes: Uint8Array, length: number = bytes.length): MetadataMap {
  if (length > MAX_METADATA_BYTES) {
    throw bad(`has ${length} bytes; at most ${MAX_METADATA_BYTES} are read`);
  }
  if (!isUtf8(bytes)) throw bad("is not UTF-8");
  return parseMetadataText(utf8.decode(bytes));
}

/** {@link parseMetadata} for text that is decoded already. */
export function parseMetadataText(text: string): MetadataMap {
  const simple = parseSimple(text);
  if (simple !== undefined) return simple;
  const refused = REFUSED.exec(text);
  if (refused !== null) {
    const code = (refused[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw bad(`has the character U+${code}, which YAML wants escaped`);
  }
  const value = parseYaml(text);
  if (!isMetadataMap(value)) throw bad("is not a map at its top");
  return value;
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `The metadata ${reason}.`);
}
