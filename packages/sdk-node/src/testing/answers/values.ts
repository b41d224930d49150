import type { MemoryXCom } from "../memory-state.ts";
import { xcomId } from "../memory-state.ts";
import {
  type Answerers,
  type Asking,
  answer,
  apiError,
  type Body,
  EMPTY,
  notFound,
  OK,
  optionalNumber,
  optionalText,
  text,
} from "./answer.ts";

/** Key parts by which Airflow takes a Variable's value for a secret. */
const SECRET_KEY =
  /access_token|api_?key|apikey|authorization|passphrase|passw|private_key|secret|token|keyfile/i;

/** Variables and Connections. */
export const VALUE_ANSWERERS: Answerers = {
  GetVariable(body, { state, addSecret }) {
    const key = text(body["key"]);
    const value = state.variables.get(key);
    if (value === undefined) return notFound("VARIABLE_NOT_FOUND", { key });
    if (SECRET_KEY.test(key)) addSecret(value);
    return answer("VariableResult", { key, value });
  },

  GetVariableKeys(body, { state }) {
    const prefix = optionalText(body["prefix"]) ?? "";
    const offset = optionalNumber(body["offset"]) ?? 0;
    const limit = optionalNumber(body["limit"]) ?? 1000;
    if (limit < 1 || offset < 0) return apiError(422, "limit must be above 0, offset not below");
    const keys = [...state.variables.keys()].filter((key) => key.startsWith(prefix)).sort();
    return answer("VariableKeysResult", {
      keys: keys.slice(offset, offset + limit),
      total_entries: keys.length,
    });
  },

  PutVariable(body, { state }) {
    state.variables.set(text(body["key"]), text(body["value"]));
    return EMPTY;
  },

  DeleteVariable(body, { state }) {
    const key = text(body["key"]);
    return state.variables.delete(key) ? OK : apiError(404, `there is no Variable ${key}`);
  },

  GetConnection(body, { state, addSecret }) {
    const id = text(body["conn_id"]);
    const connection = state.connections.get(id);
    if (connection === undefined) return notFound("CONNECTION_NOT_FOUND", { conn_id: id });
    for (const secret of [connection.password, connection.extra]) if (secret) addSecret(secret);
    const { type, ...others } = connection;
    return answer("ConnectionResult", { conn_id: id, conn_type: type, ...others });
  },

  MaskSecret(body, { addSecret }) {
    const add = (value: unknown): void => {
      if (typeof value === "string") addSecret(value);
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(add);
    };
    add(body["value"]);
    return EMPTY;
  },
};

/** XComs: one that is missing reads as null, as on Airflow; only an item of a series is not found. */
export const XCOM_ANSWERERS: Answerers = {
  GetXCom(body, { state }) {
    const address = addressOf(body);
    const exact = state.xcoms.get(xcomId(address));
    const isPriorWanted = exact === undefined && body["include_prior_dates"] === true;
    const found = exact ?? (isPriorWanted ? latest(state, address) : undefined);
    return answer("XComResult", { key: address.key, value: found?.value ?? null });
  },

  GetXComCount(body, asking) {
    return answer("XComCountResponse", { len: series(body, asking).length });
  },

  GetXComSequenceItem(body, asking) {
    const offset = optionalNumber(body["offset"]) ?? 0;
    const found = series(body, asking).at(offset);
    if (found !== undefined) return answer("XComSequenceIndexResult", { root: found.value });
    const { key, dag_id, run_id, task_id } = body;
    return notFound("XCOM_NOT_FOUND", { key, dag_id, run_id, task_id, offset });
  },

  GetXComSequenceSlice(body, asking) {
    const [start, stop] = [optionalNumber(body["start"]), optionalNumber(body["stop"])];
    const step = optionalNumber(body["step"]) || 1;
    const values = series(body, asking).map(({ value }) => value);
    return answer("XComSequenceSliceResult", { root: pythonSlice(values, start, stop, step) });
  },

  SetXCom(body, { state }) {
    const mappedLength = optionalNumber(body["mapped_length"]);
    if (mappedLength !== null && mappedLength > 1024) {
      return apiError(400, "pushed value is too large to map as a downstream's dependency");
    }
    state.setXCom({ ...addressOf(body), value: body["value"], mappedLength });
    return EMPTY;
  },

  DeleteXCom(body, { state }) {
    state.xcoms.delete(xcomId(addressOf(body)));
    return EMPTY;
  },
};

function addressOf(body: Body): Omit<MemoryXCom, "value" | "mappedLength"> {
  const mapIndex = optionalNumber(body["map_index"]) ?? -1;
  return {
    dagId: text(body["dag_id"]),
    runId: text(body["run_id"]),
    taskId: text(body["task_id"]),
    key: text(body["key"]),
    mapIndex: mapIndex < 0 ? -1 : mapIndex,
  };
}

/** What all instances of a task wrote under a key, by map index. */
function series(body: Body, { state }: Pick<Asking, "state">): MemoryXCom[] {
  const { dagId, runId, taskId, key } = addressOf(body);
  return [...state.xcoms.values()]
    .filter((xcom) => xcom.dagId === dagId && xcom.runId === runId)
    .filter((xcom) => xcom.taskId === taskId && xcom.key === key)
    .sort((a, b) => a.mapIndex - b.mapIndex);
}

/** The same XCom of the run that was added last. */
function latest(
  state: Asking["state"],
  { dagId, taskId, key, mapIndex }: Omit<MemoryXCom, "value" | "mappedLength">,
): MemoryXCom | undefined {
  for (const { runId } of state.runs.filter((run) => run.dagId === dagId).reverse()) {
    const found = state.xcoms.get(xcomId({ dagId, runId, taskId, key, mapIndex }));
    if (found !== undefined) return found;
  }
  return undefined;
}

function pythonSlice(
  values: readonly unknown[],
  start: number | null,
  stop: number | null,
  step: number,
): unknown[] {
  const { length } = values;
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const place = (at: number | null, otherwise: number): number => {
    if (at === null) return otherwise;
    return Math.min(most, Math.max(least, at < 0 ? at + length : at));
  };
  const end = place(stop, step > 0 ? length : -1);
  const found: unknown[] = [];
  const isBefore = (at: number): boolean => (step > 0 ? at < end : at > end);
  for (let at = place(start, step > 0 ? 0 : length - 1); isBefore(at); at += step) {
    found.push(values[at]);
  }
  return found;
}
