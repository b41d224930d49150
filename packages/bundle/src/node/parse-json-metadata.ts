import { isUtf8 } from "node:buffer";
import { BundleError } from "../errors.ts";
import { isMetadataMap, type MetadataMap, type MetadataValue } from "../metadata/values.ts";
import { parsePythonJson } from "./parse-python-json.ts";

/**
 * Reads a Node bundle's metadata: JSON as Python reads it, a map at the top. At most 100 levels.
 *
 * @throws BundleError `bad-metadata`
 */
export function parseJsonMetadata(bytes: Uint8Array): MetadataMap {
  if (!isUtf8(bytes)) throw bad("is not UTF-8");
  let value: MetadataValue;
  try {
    value = parsePythonJson(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw bad(`is no JSON: ${(cause as Error).message}`, cause);
  }
  if (!isMetadataMap(value)) throw bad("is not a map at its top");
  return value;
}

function bad(reason: string, cause?: unknown): BundleError {
  return new BundleError("bad-metadata", `The metadata ${reason}.`, { cause });
}
