import {
  BundleError,
  isMetadataMap,
  type MetadataInput,
  type MetadataMap,
  type MetadataValue,
  YamlDate,
  YamlDateTime,
  YamlFloat,
} from "@parlance/bundle";

/**
 * Metadata that was read from YAML, to be written as JSON.
 *
 * @param notes - is told of what becomes text
 * @throws BundleError `bad-metadata` with the path of what JSON can't hold
 */
export function metadataToInput(
  metadata: MetadataMap,
  notes: string[],
): { [key: string]: MetadataInput | undefined } {
  return toInput(metadata, "", notes) as { [key: string]: MetadataInput };
}

function toInput(value: MetadataValue, path: string, notes: string[]): MetadataInput {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return value;
  if (value instanceof YamlFloat) return value.value;
  if (value instanceof YamlDate || value instanceof YamlDateTime) {
    notes.push(`the date at ${path} became text: ${value.iso}`);
    return value.iso;
  }
  if (Array.isArray(value)) {
    return (value as readonly MetadataValue[]).map((item, at) =>
      toInput(item, `${path}/${at}`, notes),
    );
  }
  if (!isMetadataMap(value)) throw bad(`the value at ${path} is no text; quote it`);
  const entries = [...value].map(([key, item]) => {
    if (typeof key !== "string") throw bad(`a key at ${path || "the top"} is no text; quote it`);
    return [key, toInput(item, `${path}/${key}`, notes)] as const;
  });
  return Object.fromEntries(entries);
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `The metadata can't be packed: ${reason}.`);
}
