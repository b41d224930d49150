import { fromExactJson } from "./exact-json.ts";
import { checkKeys } from "./series.ts";
import { type StoredConnection, StoreError, type TaskStore, type XComRef } from "./task-store.ts";

/** What is taken for an XCom in a seed that names no Dag or run. */
export interface SeedDefaults {
  readonly dagId?: string;
  readonly runId?: string;
}

/** How many of each were written. */
export interface SeedResult {
  readonly variables: number;
  readonly connections: number;
  readonly xcoms: number;
  /** Known keys of the format that say nothing to a store: `dag_run`, `xcom_keys_to_clear`, `ti_context`. */
  readonly ignored: readonly string[];
}

const PARTS = ["variables", "connections", "xcoms"];
/** The test harness keeps these in the same file; they belong to a run, not to a store. */
const PARTS_OF_A_RUN = ["dag_run", "xcom_keys_to_clear", "ti_context"];

type Entries = readonly (readonly [string, unknown])[];

/**
 * Writes Variables, Connections and XComs from one JSON document (already parsed) into a store:
 *
 *     {"variables": {"k": "text"},
 *      "connections": {"c": {"conn_type": "http", "host": "h", "login": …, "password": …,
 *                            "schema": …, "port": 1, "extra": "{}"}},
 *      "xcoms": [{"task_id": "t", "key": "return_value", "value": …,
 *                 "dag_id": …, "run_id": …, "map_index": -1}]}
 *
 * Every key may be left out. A Variable that is no text becomes its JSON text, as Airflow imports
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
  const variables = entries(root["variables"], "/variables").map(readVariable);
  const connections = entries(root["connections"], "/connections").map(readConnection);
  const xcoms = list(root["xcoms"], "/xcoms").map((item, at) => readXCom(item, at, defaults));

  for (const variable of variables) await store.variables.set({ ...variable, description: null });
  for (const connection of connections) await store.connections.set(connection);
  for (const { ref, value } of xcoms) await store.xcoms.set(ref, value);
  return {
    variables: variables.length,
    connections: connections.length,
    xcoms: xcoms.length,
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
  const unknown = Object.keys(fields).find((key) => !CONNECTION_FIELDS.includes(key));
  if (unknown !== undefined) {
    throw bad(pointer(at, unknown), `is no field of a connection: ${CONNECTION_FIELDS.join(", ")}`);
  }
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
  index: number,
  defaults: SeedDefaults,
): { ref: XComRef; value: unknown } {
  const at = `/xcoms/${index}`;
  const fields = map(item, at);
  const id = (name: string, fallback: string | undefined): string => {
    const given = text(fields[name], `${at}/${name}`) ?? fallback;
    if (given === undefined) throw bad(`${at}/${name}`, "is missing");
    checkKey(given, `${at}/${name}`);
    return given;
  };
  const mapIndex = fields["map_index"] ?? -1;
  if (!Number.isSafeInteger(mapIndex) || Number(mapIndex) < -1) {
    throw bad(`${at}/map_index`, "is no map index: a whole number from -1");
  }
  if (!Object.hasOwn(fields, "value")) throw bad(`${at}/value`, "is missing");
  const ref = {
    dagId: id("dag_id", defaults.dagId),
    runId: id("run_id", defaults.runId),
    taskId: id("task_id", undefined),
    key: id("key", "return_value"),
    mapIndex: Number(mapIndex),
  };
  try {
    return { ref, value: fromExactJson(fields["value"]) };
  } catch (error) {
    throw bad(`${at}/value`, error instanceof Error ? error.message : String(error));
  }
}

function entries(value: unknown, at: string): Entries {
  return value === undefined ? [] : Object.entries(map(value, at));
}

function list(value: unknown, at: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw bad(at, `is ${kind(value)}, not a list`);
  return value;
}

function map(value: unknown, at: string): { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw bad(at, `is ${kind(value)}, not an object`);
  }
  return value as { readonly [key: string]: unknown };
}

function text(value: unknown, at: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw bad(at, `is ${kind(value)}, not text`);
  return value;
}

function checkKey(key: string, at: string): void {
  try {
    checkKeys("seedStore", [key]);
  } catch (error) {
    throw bad(at, (error as Error).message);
  }
}

function kind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function pointer(base: string, key: string): string {
  return `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function bad(path: string, what: string): StoreError {
  return new StoreError("bad-seed", `seed: ${path === "" ? "the document" : path} ${what}`, {
    path,
  });
}
