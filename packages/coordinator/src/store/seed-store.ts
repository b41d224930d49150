import { fromExactJson } from "./exact-json.ts";
import { readAsset, readAssetEvent } from "./seed-assets.ts";
import {
  bad,
  checkFields,
  checkKey,
  entries,
  id,
  list,
  map,
  pointer,
  text,
  whole,
} from "./seed-fields.ts";
import { readDagRun, readTaskInstance } from "./seed-runs.ts";
import type { StoredConnection, TaskStore, XComRef } from "./task-store.ts";

/** What is taken for an item in a seed that names no Dag or run. */
export interface SeedDefaults {
  readonly dagId?: string;
  readonly runId?: string;
}

/** How many of each were written. */
export interface SeedResult {
  readonly variables: number;
  readonly connections: number;
  readonly xcoms: number;
  readonly dagRuns: number;
  readonly taskInstances: number;
  readonly assets: number;
  readonly assetEvents: number;
  /** Known keys of the format that say nothing to a store: `dag_run`, `xcom_keys_to_clear`, `ti_context`. */
  readonly ignored: readonly string[];
}

const PARTS = [
  "variables",
  "connections",
  "xcoms",
  "dag_runs",
  "task_instances",
  "assets",
  "asset_events",
];
/** The test harness keeps these in the same file; they belong to a run, not to a store. */
const PARTS_OF_A_RUN = ["dag_run", "xcom_keys_to_clear", "ti_context"];

/**
 * Writes what a task should find from one JSON document (already parsed) into a store:
 *
 *     {"variables": {"k": "text"},
 *      "connections": {"c": {"conn_type": "http", "host": "h", "login": …, "password": …,
 *                            "schema": …, "port": 1, "extra": "{}"}},
 *      "xcoms": [{"task_id": "t", "key": "return_value", "value": …,
 *                 "dag_id": …, "run_id": …, "map_index": -1}],
 *      "dag_runs": [{"run_id": "r0", "dag_id": …, "logical_date": "2026-06-15T00:00:00Z",
 *                    "state": "success", "conf": {}, …}],
 *      "task_instances": [{"task_id": "t", "run_id": …, "dag_id": …, "state": "success", …}],
 *      "assets": [{"name": "a", "uri": "s3://a", "group": "asset", "extra": {}, "active": true,
 *                  "aliases": []}],
 *      "asset_events": [{"name": "a", "uri": "s3://a", "timestamp": "2026-06-15T00:00:00Z", "extra": {},
 *                        "aliases": [], "partition_key": …, "source": {"task_id": "t", …}}]}
 *
 * Every part may be left out, and so may every field of which a value is shown here, but names and
 * task ids. Runs have the fields of the wire's DagRun; `run_after` is by default the logical date,
 * or the present. Dates have a zone. A Variable that is no text becomes its JSON text, as Airflow imports
 * Variables; an `extra` may be an object. XCom values are exact JSON (`{"$":"float","v":"1.0"}` and so
 * on). The whole document is checked before the first write.
 *
 * @throws StoreError `bad-seed` with a JSON pointer in `path` and in the message.
 */
export async function seedStore(
  store: TaskStore,
  seed: unknown,
  defaults: SeedDefaults = {},
): Promise<SeedResult> {
  const root = map(seed, "");
  for (const key of Object.keys(root)) {
    if (!PARTS.includes(key) && !PARTS_OF_A_RUN.includes(key)) {
      throw bad(pointer("", key), `is no part of a seed: ${PARTS.join(", ")}`);
    }
  }
  const items = <Item>(part: string, read: (item: unknown, at: string) => Item): Item[] =>
    list(root[part], `/${part}`).map((item, index) => read(item, `/${part}/${index}`));

  const variables = entries(root["variables"], "/variables").map(readVariable);
  const connections = entries(root["connections"], "/connections").map(readConnection);
  const xcoms = items("xcoms", (item, at) => readXCom(item, at, defaults));
  const dagRuns = items("dag_runs", (item, at) => readDagRun(item, at, defaults));
  const instances = items("task_instances", (item, at) => readTaskInstance(item, at, defaults));
  const assets = items("assets", readAsset);
  const assetEvents = items("asset_events", (item, at) => readAssetEvent(item, at, defaults));

  for (const variable of variables) await store.variables.set({ ...variable, description: null });
  for (const connection of connections) await store.connections.set(connection);
  for (const { ref, value } of xcoms) await store.xcoms.set(ref, value);
  for (const run of dagRuns) await store.dagRuns.set(run);
  for (const instance of instances) await store.taskInstances.set(instance);
  for (const asset of assets) await store.assets.set(asset);
  if (assetEvents.length > 0) await store.assets.record(assetEvents);
  return {
    variables: variables.length,
    connections: connections.length,
    xcoms: xcoms.length,
    dagRuns: dagRuns.length,
    taskInstances: instances.length,
    assets: assets.length,
    assetEvents: assetEvents.length,
    ignored: PARTS_OF_A_RUN.filter((key) => Object.hasOwn(root, key)),
  };
}

function readVariable([key, value]: readonly [string, unknown]): {
  key: string;
  value: string | null;
} {
  const at = pointer("/variables", key);
  checkKey(key, at);
  if (value === null || typeof value === "string") return { key, value };
  return { key, value: JSON.stringify(value) };
}

const TEXT_FIELDS = ["host", "schema", "login", "password"] as const;
/** `description` comes with Airflow's own exports; no task ever sees it. */
const CONNECTION_FIELDS = ["conn_type", ...TEXT_FIELDS, "port", "extra", "description"];

function readConnection([connId, value]: readonly [string, unknown]): StoredConnection {
  const at = pointer("/connections", connId);
  checkKey(connId, at);
  const fields = map(value, at);
  checkFields(fields, CONNECTION_FIELDS, at);
  const connType = text(fields["conn_type"], `${at}/conn_type`);
  if (connType === null) throw bad(`${at}/conn_type`, "is missing: every connection has a type");
  const [host, schema, login, password] = TEXT_FIELDS.map((name) =>
    text(fields[name], `${at}/${name}`),
  ) as [string | null, string | null, string | null, string | null];
  const port = fields["port"] ?? null;
  if (port !== null && !(Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535)) {
    throw bad(`${at}/port`, "is no port: a whole number from 0 to 65535, or null");
  }
  const extra = fields["extra"];
  const extraText =
    typeof extra === "object" && extra !== null
      ? JSON.stringify(extra)
      : text(extra, `${at}/extra`);
  return {
    connId,
    connType,
    host,
    schema,
    login,
    password,
    port: port as number | null,
    extra: extraText,
  };
}

function readXCom(
  item: unknown,
  at: string,
  defaults: SeedDefaults,
): { ref: XComRef; value: unknown } {
  const fields = map(item, at);
  if (!Object.hasOwn(fields, "value")) throw bad(`${at}/value`, "is missing");
  const ref = {
    dagId: id(fields, "dag_id", at, defaults.dagId),
    runId: id(fields, "run_id", at, defaults.runId),
    taskId: id(fields, "task_id", at),
    key: id(fields, "key", at, "return_value"),
    mapIndex: whole(fields, "map_index", at, { least: -1, fallback: -1 }),
  };
  try {
    return { ref, value: fromExactJson(fields["value"]) };
  } catch (error) {
    throw bad(`${at}/value`, error instanceof Error ? error.message : String(error));
  }
}
