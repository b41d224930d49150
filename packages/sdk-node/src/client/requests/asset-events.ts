import type { WireMap } from "@parlance/framing";
import { validate as validByAsset } from "@parlance/protocol/validators/2026-10-30/GetAssetEventByAsset.js";
import { validate as validByAlias } from "@parlance/protocol/validators/2026-10-30/GetAssetEventByAssetAlias.js";
import { InvalidRequestError } from "../../errors.ts";
import type { AssetEvent, AssetEventFilter, AssetEventRun, AssetRef } from "../api/assets.ts";
import { Answer } from "./answer.ts";
import { toTimestampOrNull, withExact } from "./dates.ts";
import { checkAssetRef } from "./outlet-events.ts";
import { readAsset } from "./read-asset.ts";
import { readSource } from "./read-dag-run.ts";
import { demandNewerSchema, type RequestScope } from "./request-scope.ts";

/** See `Assets.listEvents`. */
export async function listAssetEvents(
  scope: RequestScope,
  of: AssetRef | { readonly alias: string },
  filter: AssetEventFilter,
): Promise<readonly AssetEvent[]> {
  const filters = filterFields(scope, filter);
  if (filter.limit === 0) return []; // 3.3 would take it for no limit
  const { requester } = scope;
  let request: { readonly type: string; readonly [field: string]: unknown };
  if ("alias" in of) {
    request = { type: "GetAssetEventByAssetAlias", alias_name: of.alias, ...filters };
  } else {
    checkAssetRef(of, "assets.listEvents");
    const { name = null, uri = null } = of;
    request = { type: "GetAssetEventByAsset", name, uri, ...filters };
  }
  const validate = "alias" in of ? validByAlias : validByAsset;
  const answer = await requester.ask(request, validate, "AssetEventsResult");
  return new Answer(request.type, answer).parts("asset_events").map(readEvent);
}

function filterFields(scope: RequestScope, filter: AssetEventFilter): WireMap {
  const { limit = null, ascending = true } = filter;
  if (limit !== null && limit < 0) {
    const message = `assets.listEvents got limit ${limit}, expected 0 or more`;
    throw new InvalidRequestError("invalid-request", "/limit", message);
  }
  const newer: Record<string, unknown> = {};
  for (const [name, field] of NEWER) {
    if (filter[name] === undefined) continue;
    demandNewerSchema(scope, `assets.listEvents with ${name}`);
    newer[field] = filter[name];
  }
  return {
    after: toTimestampOrNull(filter.after, "after"),
    before: toTimestampOrNull(filter.before, "before"),
    limit,
    ascending,
    ...newer,
  };
}

const NEWER = [
  ["partitionKey", "partition_key"],
  ["partitionKeyPattern", "partition_key_regexp_pattern"],
  ["extra", "extra"],
] as const;

function readEvent(event: Answer): AssetEvent {
  const timestamp = event.date("timestamp");
  return {
    id: event.number("id"),
    timestamp: timestamp.toDate(),
    exact: { timestamp },
    asset: readAsset(event.part("asset")),
    extra: event.json("extra"),
    source: readSource(event),
    createdRuns: event.parts("created_dagruns").map(readRun),
    partitionKey: event.textOrNull("partition_key"),
  };
}

function readRun(run: Answer): AssetEventRun {
  return {
    dagId: run.text("dag_id"),
    runId: run.text("run_id"),
    state: run.text("state"),
    ...withExact({
      logicalDate: run.dateOrNull("logical_date"),
      startDate: run.dateOrNull("start_date"),
      endDate: run.dateOrNull("end_date"),
      dataIntervalStart: run.dateOrNull("data_interval_start"),
      dataIntervalEnd: run.dateOrNull("data_interval_end"),
    }),
    partitionKey: run.textOrNull("partition_key"),
  };
}
