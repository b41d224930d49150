import { isUtf8 } from "node:buffer";
import { BundleError } from "../errors.ts";
import {
  isMetadataMap,
  type MetadataMap,
  type MetadataValue,
  YamlFloat,
} from "../metadata/values.ts";
import { MAX_LEVELS } from "../yaml/yaml-error.ts";

/** Stands for a number that JSON does not know and Python's reader takes. */
const FOREIGN_NUMBER = "\u0000foreign number: ";

/**
 * Reads a Node bundle's metadata: JSON as Python reads it (`NaN` and `Infinity` pass), a map at
 * the top. Whole numbers are integers here, however they are written.
 *
 * @throws BundleError `bad-metadata`
 */
export function parseJsonMetadata(bytes: Uint8Array): MetadataMap {
  if (!isUtf8(bytes)) throw bad("is not UTF-8");
  const text = new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(bytes)
    .replace(/"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g, (word) =>
      word.startsWith('"') ? word : JSON.stringify(FOREIGN_NUMBER + word),
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad("is no JSON");
  }
  const metadata = convert(value, 1);
  if (!isMetadataMap(metadata)) throw bad("is not a map at its top");
  return metadata;
}

function convert(value: unknown, level: number): MetadataValue {
  if (typeof value === "string") {
    if (!value.startsWith(FOREIGN_NUMBER)) return value;
    return new YamlFloat(Number(value.slice(FOREIGN_NUMBER.length)));
  }
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : new YamlFloat(value);
  if (typeof value !== "object" || value === null) return value as MetadataValue;
  if (level > MAX_LEVELS) throw bad(`nests more than ${MAX_LEVELS} levels deep`);
  if (Array.isArray(value)) return value.map((item) => convert(item, level + 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, convert(item, level + 1)]));
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `The metadata ${reason}.`);
}
