import {
  CalendarDate,
  DateTime,
  Decimal,
  encodeChildren,
  encodeGroup,
  PythonFloat,
  type ResultGroup,
  TaskFailure,
  type TaskMeta,
  TimeOfDay,
  Uuid,
} from "@parlance/results";
import type { CeleryTask } from "@parlance/test-kit";
import type { Fields } from "./golden.ts";

const EXTENDED = ["name", "args", "kwargs", "worker", "retries", "queue"] as const;
const EXCEPTION_STATES = new Set(["FAILURE", "RETRY", "REVOKED"]);

/** What we read, in the form of the peer. */
export function ourTask(meta: TaskMeta): Fields {
  const { state, result, traceback, children } = meta;
  const task: Record<string, unknown> = { status: state, result: tag(result), traceback };
  task["children"] = children === null ? null : encodeChildren(children);
  if (meta.name === undefined) return task;
  for (const name of EXTENDED) task[name] = tag(meta[name]);
  if (meta.stampedHeaders != null) {
    task["stamped_headers"] = meta.stampedHeaders;
    Object.assign(task, tag(meta.stamps ?? {}));
  }
  return task;
}

/** What Celery read, in the same form. Of an exception, what the row says: Celery may have no such class. */
export function celeryTask(read: CeleryTask | Fields, row: Fields | null): Fields {
  const { async: _async, exists: _exists, date_done: _date, task_id: _id, ...task } = read;
  const stored = storedException(read["status"], row);
  return {
    ...task,
    result: stored === undefined ? plain(task["result"]) : stored,
    children: plain(task["children"]),
    ...(task["args"] === undefined ? {} : { args: plain(task["args"]) }),
  };
}

/** As Celery has it: a tuple of tuples. */
export function ourGroup(group: ResultGroup | null): unknown {
  if (group === null) return null;
  const { groupId: id, parent, members } = group;
  return encodeGroup({ kind: "group", id, parent, members });
}

/** Without what tells Python's tuples and result objects from lists. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { $tuple, $result, $exc } = value as { $tuple?: unknown; $result?: unknown; $exc?: Fields };
  if ($tuple !== undefined) return plain($tuple);
  if ($result !== undefined) return plain($result);
  if ($exc !== undefined) {
    return { $exc: { type: $exc["type"], module: $exc["module"], args: plain($exc["args"]) } };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function storedException(status: unknown, row: Fields | null): unknown {
  if (!EXCEPTION_STATES.has(String(status))) return undefined;
  const text = (row?.["result"] as { readonly utf8?: string } | null | undefined)?.utf8;
  if (text === undefined || !text.includes('"exc_type"')) return undefined;
  const value: unknown = JSON.parse(text);
  const stored = (Array.isArray(value) ? Object.fromEntries(value) : value) as Fields;
  const { exc_type: type, exc_module: module = null, exc_message: message = "" } = stored;
  if (type === undefined) return undefined;
  return { $exc: { type, module, args: Array.isArray(message) ? message : [message] } };
}

/** A value of ours as the peer tags it. */
export function tag(value: unknown): unknown {
  if (value instanceof PythonFloat) return tag(value.value);
  if (typeof value === "bigint") {
    const isPlain = value >= -(2n ** 53n) && value <= 2n ** 53n;
    return isPlain ? Number(value) : { $int: String(value) };
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return { $float: Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf" };
  }
  if (typeof value !== "object" || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(tag);
  if (value instanceof Uint8Array) return tagBytes(value);
  if (value instanceof Uuid) return typed("uuid", { hex: value.hex });
  for (const [type, kind] of TYPES) if (value instanceof kind) return typed(type, String(value));
  if (value instanceof TaskFailure) {
    return { $exc: { type: value.type, module: value.module, args: value.args.map(tag) } };
  }
  if (value instanceof Set) return { $set: [...value].map(tag) };
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  if (entries.every(([key]) => typeof key === "string")) {
    return Object.fromEntries(entries.map(([key, item]) => [key, tag(item)]));
  }
  return { $map: entries.map(([key, item]) => [tag(key), tag(item)]) };
}

const TYPES = [
  ["datetime", DateTime],
  ["date", CalendarDate],
  ["time", TimeOfDay],
  ["decimal", Decimal],
] as const;

function typed(type: string, value: unknown): Fields {
  return { __type__: type, __value__: value };
}

function tagBytes(bytes: Uint8Array): Fields {
  try {
    return typed("bytes", new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return typed("base64", Buffer.from(bytes).toString("base64"));
  }
}
