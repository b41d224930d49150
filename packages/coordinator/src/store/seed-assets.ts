import type { NewAssetEvent, StoredAsset } from "./asset-store.ts";
import {
  bad,
  checkFields,
  checkKey,
  type Fields,
  id,
  instanceRef,
  list,
  map,
  moment,
  text,
  values,
} from "./seed-fields.ts";
import type { SeedDefaults } from "./seed-store.ts";

const ASSET_FIELDS = ["name", "uri", "group", "extra", "active", "aliases"];

/** An asset of a seed. As in a Dag, its URI is its name where only that is given. */
export function readAsset(item: unknown, at: string): StoredAsset {
  const fields = map(item, at);
  checkFields(fields, ASSET_FIELDS, at);
  const name = id(fields, "name", at);
  const active = fields["active"] ?? true;
  if (typeof active !== "boolean") throw bad(`${at}/active`, "is neither true nor false");
  return {
    name,
    uri: id(fields, "uri", at, name),
    group: text(fields["group"], `${at}/group`) ?? "asset",
    extra: values(fields, "extra", at),
    active,
    aliases: aliasesOf(fields, at),
  };
}

const EVENT_FIELDS = ["name", "uri", "timestamp", "extra", "aliases", "partition_key", "source"];
const SOURCE_FIELDS = ["dag_id", "run_id", "task_id", "map_index"];

/** A change of an asset of a seed. */
export function readAssetEvent(item: unknown, at: string, defaults: SeedDefaults): NewAssetEvent {
  const fields = map(item, at);
  checkFields(fields, EVENT_FIELDS, at);
  const name = id(fields, "name", at);
  return {
    name,
    uri: id(fields, "uri", at, name),
    timestamp: moment(fields, "timestamp", at) ?? new Date().toISOString(),
    extra: values(fields, "extra", at),
    aliases: aliasesOf(fields, at),
    partitionKey: text(fields["partition_key"], `${at}/partition_key`),
    source: sourceOf(fields["source"], `${at}/source`, defaults),
  };
}

function aliasesOf(fields: Fields, at: string): string[] {
  return list(fields["aliases"], `${at}/aliases`).map((alias, index) => {
    const place = `${at}/aliases/${index}`;
    const name = text(alias, place);
    if (name === null) throw bad(place, "is null, not text");
    checkKey(name, place);
    return name;
  });
}

function sourceOf(value: unknown, at: string, defaults: SeedDefaults): NewAssetEvent["source"] {
  if (value === undefined || value === null) return null;
  const fields = map(value, at);
  checkFields(fields, SOURCE_FIELDS, at);
  return instanceRef(fields, at, defaults);
}
