import type { AssetKey, NewAssetEvent } from "../store/asset-store.ts";
import { exactJsonText } from "../store/exact-json.ts";
import type { Body } from "./answers.ts";
import type { Attempt } from "./attempt.ts";
import { mapOf, optionalText, textOf } from "./read-body.ts";

/** What SucceedTask says of one asset. */
interface Emitted {
  readonly key: AssetKey;
  readonly extra: Body;
  readonly partitionKey: string | null;
  /** For an event of an alias: which, and the `extra` of an asset that is not there yet. */
  readonly alias: string | null;
  readonly assetExtra: Body;
}

/**
 * The changes of assets that a SucceedTask reports, as Airflow's server reads it: an outlet that is an
 * asset has the events that were emitted for it, or one without more facts; an outlet that names an
 * asset by name or URI has them if there is such an asset; an alias has what was emitted for it. An
 * asset that is not active has none. An asset that nobody has named yet is made, which on Airflow a
 * Dag does.
 */
export async function assetChanges(body: Body, attempt: Attempt): Promise<NewAssetEvent[]> {
  const outlets = listOf(body["task_outlets"]);
  const emitted = listOf(body["outlet_events"]).map(readEvent);
  const direct = emitted.filter(({ alias }) => alias === null);
  const changes: NewAssetEvent[] = [];
  const known = new Set<string>();
  for (const outlet of outlets) {
    const key = await keyOf(outlet, direct, attempt);
    if (key === undefined || known.has(idOf(key))) continue;
    known.add(idOf(key));
    if ((await attempt.store.assets.get(key))?.active === false) continue;
    const own = direct.filter((event) => idOf(event.key) === idOf(key));
    const none = { key, extra: {}, partitionKey: null, alias: null, assetExtra: {} };
    for (const event of own.length > 0 ? own : [none]) changes.push(change(event, [], attempt));
  }
  const aliases = outlets.filter(({ type }) => type === "AssetAlias").map(({ name }) => name);
  const ofAliases = new Map<string, { event: Emitted; names: Set<string> }>();
  for (const event of emitted) {
    if (event.alias === null || !aliases.includes(event.alias)) continue;
    const id = exactJsonText([idOf(event.key), event.assetExtra, event.extra]);
    const same = ofAliases.get(id) ?? { event, names: new Set() };
    same.names.add(event.alias);
    ofAliases.set(id, same);
  }
  for (const { event, names } of ofAliases.values()) {
    changes.push(change({ ...event, partitionKey: null }, [...names].sort(), attempt));
  }
  return changes;
}

async function keyOf(
  { type, name, uri }: Body,
  emitted: readonly Emitted[],
  { store }: Attempt,
): Promise<AssetKey | undefined> {
  if (type === "Asset") return name && uri ? { name: textOf(name), uri: textOf(uri) } : undefined;
  if (type === "AssetNameRef" && name) {
    const by = { name: textOf(name) };
    return (await store.assets.find(by)) ?? emitted.find(({ key }) => key.name === by.name)?.key;
  }
  if (type === "AssetUriRef" && uri) {
    const by = { uri: textOf(uri) };
    return (await store.assets.find(by)) ?? emitted.find(({ key }) => key.uri === by.uri)?.key;
  }
  return undefined;
}

function change(event: Emitted, aliases: readonly string[], attempt: Attempt): NewAssetEvent {
  const { name, uri } = event.key;
  return {
    name,
    uri,
    timestamp: attempt.now().toISOString(),
    extra: event.extra,
    aliases,
    partitionKey: event.partitionKey ?? optionalText(attempt.dagRun["partition_key"]),
    source: attempt.taskInstance,
    assetExtra: event.assetExtra,
  };
}

function readEvent(event: Body): Emitted {
  const key = mapOf(event["dest_asset_key"]);
  const [name, uri] = [optionalText(key?.["name"]), optionalText(key?.["uri"])];
  if (name === null || uri === null) {
    throw new Error("an item of outlet_events has no dest_asset_key with name and uri");
  }
  return {
    key: { name, uri },
    extra: mapOf(event["extra"]) ?? {},
    partitionKey: optionalText(event["partition_key"]),
    alias: optionalText(event["source_alias_name"]),
    assetExtra: mapOf(event["dest_asset_extra"]) ?? {},
  };
}

function idOf({ name, uri }: AssetKey): string {
  return JSON.stringify([name, uri]);
}

function listOf(value: unknown): Body[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.map(mapOf).filter((item) => item !== undefined);
}
