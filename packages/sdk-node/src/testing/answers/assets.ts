import { Timestamp } from "@parlance/framing";
import { compare, type MemoryAsset, type MemoryAssetEvent } from "../memory-state.ts";
import {
  type Answer,
  type Answerers,
  type Asking,
  answer,
  type Body,
  notFound,
  optionalNumber,
  optionalText,
  text,
} from "./answer.ts";

/** Assets and what happened to them. */
export const ASSET_ANSWERERS: Answerers = {
  GetAssetByName: (body, { state }) => oneAsset(state.assets, { name: text(body["name"]) }),

  GetAssetByUri: (body, { state }) => oneAsset(state.assets, { uri: text(body["uri"]) }),

  GetAssetsByAlias(body, { state }) {
    const alias = text(body["alias_name"]);
    const found = state.assets.filter(({ aliases }) => aliases.includes(alias));
    return answer("AssetsByAliasResult", {
      assets: found.map((asset) => ({ ...assetBody(asset), type: "AssetResult" })),
    });
  },

  GetAssetEventByAsset(body, asking) {
    const [name, uri] = [optionalText(body["name"]), optionalText(body["uri"])];
    return events(body, asking, (event) => {
      return (name === null || event.name === name) && (uri === null || event.uri === uri);
    });
  },

  GetAssetEventByAssetAlias(body, asking) {
    const alias = text(body["alias_name"]);
    return events(body, asking, ({ aliases }) => aliases.includes(alias));
  },

  ValidateInletsAndOutlets(_body, { state }) {
    const inactive = state.assets.filter(({ active }) => !active);
    return answer("InactiveAssetsResult", {
      inactive_assets: inactive.map(({ name, uri }) => ({ name, uri, type: "Asset" })),
    });
  },
};

function oneAsset(
  assets: readonly MemoryAsset[],
  by: { readonly name?: string; readonly uri?: string },
): Answer {
  const found = assets.find((asset) =>
    by.name === undefined ? asset.uri === by.uri : asset.name === by.name,
  );
  return found === undefined
    ? notFound("ASSET_NOT_FOUND", by)
    : answer("AssetResult", assetBody(found));
}

function assetBody({ name, uri, group, extra }: MemoryAsset): Body {
  return { name, uri, group, extra };
}

function events(
  body: Body,
  { state }: Asking,
  isWanted: (event: MemoryAssetEvent) => boolean,
): Answer {
  const after = moment(body["after"]);
  const before = moment(body["before"]);
  const partitionKey = optionalText(body["partition_key"]);
  const found = state.assetEvents
    .filter(isWanted)
    .filter(({ timestamp }) => after === null || compare(timestamp, after) >= 0)
    .filter(({ timestamp }) => before === null || compare(timestamp, before) <= 0)
    .filter((event) => partitionKey === null || event.partitionKey === partitionKey)
    .sort((a, b) => compare(a.timestamp, b.timestamp));
  if (body["ascending"] === false) found.reverse();
  const limit = optionalNumber(body["limit"]);
  return answer("AssetEventsResult", {
    asset_events: found.slice(0, limit ?? undefined).map((event) => {
      const asset = state.assets.find(({ name }) => name === event.name);
      return eventBody(event, state.assetEvents.indexOf(event) + 1, asset);
    }),
  });
}

/** What is null is left out, as on Airflow. */
function eventBody(event: MemoryAssetEvent, id: number, asset: MemoryAsset | undefined): Body {
  const { name, uri, extra, timestamp, source, partitionKey } = event;
  return {
    id,
    timestamp,
    extra,
    asset: asset === undefined ? { name, uri, group: "asset", extra: {} } : assetBody(asset),
    created_dagruns: [],
    ...(source !== null && {
      source_task_id: source.taskId,
      source_dag_id: source.dagId,
      source_run_id: source.runId,
      source_map_index: source.mapIndex,
    }),
    ...(partitionKey !== null && { partition_key: partitionKey }),
  };
}

/** A date-time of a request: a timestamp, or text with a zone. */
export function moment(value: unknown): Timestamp | null {
  if (value instanceof Timestamp) return value;
  return typeof value === "string" ? Timestamp.parse(value) : null;
}

/** The events that a SucceedTask reports, added to those that are there. */
export function recordAssetEvents(body: Body, { state, instance }: Asking, now: Timestamp): void {
  const listed = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);
  const reported = listed(body["outlet_events"]);
  const seen = new Set<string>();
  const add = (name: string, uri: string, event: Body | undefined): void => {
    const alias = optionalText(event?.["source_alias_name"]);
    seen.add(name);
    state.assetEvents.push({
      name,
      uri,
      timestamp: now,
      extra: (event?.["extra"] ?? {}) as Body,
      aliases: alias === null ? [] : [alias],
      partitionKey: optionalText(event?.["partition_key"]),
      source: instance,
    });
  };
  for (const event of reported) {
    const key = (event["dest_asset_key"] ?? {}) as Body;
    add(text(key["name"]), text(key["uri"]), event);
  }
  for (const outlet of listed(body["task_outlets"])) {
    const { name, uri } = outlet;
    const asset = state.assets.find((known) => known.name === name || known.uri === uri);
    const [assetName, assetUri] = [asset?.name ?? text(name), asset?.uri ?? text(uri)];
    if (outlet["type"] !== "AssetAlias" && !seen.has(assetName))
      add(assetName, assetUri, undefined);
  }
}
