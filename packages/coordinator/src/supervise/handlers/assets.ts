import type { StoredAsset, StoredAssetEvent } from "../../store/asset-store.ts";
import {
  type Answer,
  answer,
  apiError,
  type Body,
  clientError,
  NO_ASSET_NAMED,
  notFound,
} from "../answers.ts";
import type { Attempt, HandlerTable } from "../attempt.ts";
import { timestampOf } from "../dag-run-body.ts";
import { isoOf, mapOf, numberOf, optionalText, textOf } from "../read-body.ts";
import { selectByPattern } from "../select-by-pattern.ts";

/** Questions about assets and what happened to them, answered from the store. */
export const ASSET_HANDLERS: HandlerTable = {
  async GetAssetByName(body, { store }) {
    const name = textOf(body["name"]);
    if (name === "") return NO_ASSET_NAMED;
    const asset = await store.assets.find({ name });
    return asset === undefined
      ? notFound("ASSET_NOT_FOUND", { name })
      : answer("AssetResult", assetBody(asset));
  },

  async GetAssetByUri(body, { store }) {
    const uri = textOf(body["uri"]);
    if (uri === "") return NO_ASSET_NAMED;
    const asset = await store.assets.find({ uri });
    return asset === undefined
      ? notFound("ASSET_NOT_FOUND", { uri })
      : answer("AssetResult", assetBody(asset));
  },

  async GetAssetsByAlias(body, { store }) {
    const found = await store.assets.byAlias(textOf(body["alias_name"]));
    const assets = found.map((asset) => ({ ...assetBody(asset), type: "AssetResult" }));
    return answer("AssetsByAliasResult", { assets });
  },

  async GetAssetEventByAsset(body, attempt) {
    const name = optionalText(body["name"]) || undefined;
    const uri = optionalText(body["uri"]) || undefined;
    if (name === undefined && uri === undefined) {
      return clientError("ValueError", "Either `name`, `uri` or `alias_name` must be provided");
    }
    return await eventsFor(body, attempt, {
      ...(name !== undefined && { name }),
      ...(uri !== undefined && { uri }),
    });
  },

  GetAssetEventByAssetAlias: (body, attempt) =>
    eventsFor(body, attempt, { alias: textOf(body["alias_name"]) }),
};

async function eventsFor(
  body: Body,
  { store }: Attempt,
  whose: { readonly name?: string; readonly uri?: string; readonly alias?: string },
): Promise<Answer> {
  const after = isoOf(body["after"]);
  const before = isoOf(body["before"]);
  const partitionKey = optionalText(body["partition_key"]);
  const found = await store.assets.events({
    ...whose,
    ...(after !== null && { after }),
    ...(before !== null && { before }),
    ...(partitionKey !== null && { partitionKey }),
    ascending: body["ascending"] !== false,
  });
  const extra = Object.entries(mapOf(body["extra"]) ?? {});
  const withExtra = found.filter((event) => {
    return extra.every(([key, value]) => event.extra[key] === value);
  });
  const pattern = optionalText(body["partition_key_regexp_pattern"]);
  const selected =
    pattern === null
      ? withExtra
      : selectByPattern(pattern, withExtra, ({ partitionKey: key }) => key);
  if (selected === undefined) {
    return apiError(400, `${textOf(body["type"])}: partition_key_regexp_pattern can't be used`);
  }
  const limit = numberOf(body["limit"]) ?? 0;
  const events = limit > 0 ? selected.slice(0, limit) : selected;
  const assets = new Map<string, StoredAsset | undefined>();
  for (const event of events) {
    const id = JSON.stringify([event.name, event.uri]);
    if (!assets.has(id)) assets.set(id, await store.assets.get(event));
  }
  return answer("AssetEventsResult", {
    asset_events: events.map((event) =>
      eventBody(event, assets.get(JSON.stringify([event.name, event.uri]))),
    ),
  });
}

function assetBody({ name, uri, group, extra }: StoredAsset): Body {
  return { name, uri, group, extra };
}

/** What is null is left out, as on stock. */
function eventBody(event: StoredAssetEvent, asset: StoredAsset | undefined): Body {
  const { name, uri, source, partitionKey } = event;
  return {
    id: event.id,
    timestamp: timestampOf(event.timestamp),
    extra: event.extra,
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
