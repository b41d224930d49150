import {
  PythonFloat,
  type ResultNode,
  type ResultStore,
  type StoreInput,
  TaskFailure,
} from "@parlance/results";
import type { Fields } from "./golden.ts";

/** Does with our store what the item of a golden case asks of Celery. */
export async function play(store: ResultStore, item: Fields): Promise<void> {
  if (typeof item["forget"] === "string") await store.forget(item["forget"]);
  else if (typeof item["delete_group"] === "string") await store.deleteGroup(item["delete_group"]);
  else if (typeof item["group"] === "string") {
    const members = (item["results"] as readonly unknown[]).map(nodeOf);
    const parent = item["parent"] === undefined ? null : nodeOf(item["parent"]);
    await store.saveGroup(item["group"], members, { parent });
  } else await store.store(item["id"] as string, inputOf(item));
}

function inputOf(item: Fields): StoreInput {
  if (item["via"] === "started") return { state: "STARTED", result: item["result"] };
  if (item["via"] === "revoked") {
    const failure = { type: "TaskRevokedError", module: "celery.exceptions" };
    return { state: "REVOKED", result: new TaskFailure({ ...failure, args: [item["result"]] }) };
  }
  const request = item["request"] as Fields | undefined;
  return {
    state: item["state"] as string,
    result: fromGolden(item["result"]),
    traceback: (item["traceback"] as string | undefined) ?? null,
    ...(request === undefined ? {} : ofRequest(request)),
  };
}

function ofRequest(request: Fields): Partial<StoreInput> {
  const delivery = request["delivery_info"] as { readonly routing_key?: string } | undefined;
  const stamps = {
    stamps: request["stamps"] as Fields,
    stampedHeaders: request["stamped_headers"] as string[],
  };
  return {
    children: (request["children"] as readonly unknown[] | undefined)?.map(nodeOf) ?? null,
    request: {
      task: request["task"] as string,
      args: fromGolden(request["args"]),
      kwargs: fromGolden(request["kwargs"]),
      hostname: request["hostname"] as string,
      // as every request of Celery has it
      retries: (request["retries"] as number | undefined) ?? 0,
      deliveryInfo: delivery === undefined ? null : { routingKey: delivery.routing_key ?? null },
    },
    ...(request["stamped_headers"] === undefined ? {} : stamps),
  };
}

/** `"id"`, `{id, parent?}`, or `{group, results, parent?}`. */
function nodeOf(spec: unknown): ResultNode {
  if (typeof spec === "string") return { kind: "task", id: spec, parent: null };
  const {
    id,
    group,
    results = [],
    parent,
  } = spec as {
    readonly id?: string;
    readonly group?: string;
    readonly results?: readonly unknown[];
    readonly parent?: unknown;
  };
  const above = parent === undefined ? null : nodeOf(parent);
  if (group === undefined) return { kind: "task", id: id ?? "", parent: above };
  return { kind: "group", id: group, parent: above, members: results.map(nodeOf) };
}

/** Values of a golden case as our store takes them: the `$` forms at any depth. */
function fromGolden(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(fromGolden);
  if (given instanceof Map) {
    return new Map([...given].map(([key, value]) => [fromGolden(key), fromGolden(value)]));
  }
  if (typeof given !== "object" || given === null) return given;
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== null) return given;
  const entries = Object.entries(given);
  const [first] = entries;
  if (first !== undefined && entries.length === 1 && first[0].startsWith("$")) {
    return special(first[0], first[1]);
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, fromGolden(value)]));
}

/** Where Python has a class that can be imported from elsewhere as well. */
const HOMES = new Map([["celery.exceptions.SoftTimeLimitExceeded", "billiard.exceptions"]]);

function special(kind: string, content: unknown): unknown {
  const text = String(content);
  switch (kind) {
    case "$int":
      return BigInt(text);
    case "$float":
      return new PythonFloat(Number(text.replace("nan", "NaN").replace("inf", "Infinity")));
    case "$tuple":
      return (content as readonly unknown[]).map(fromGolden);
    case "$map":
      return pythonDict(content as readonly [unknown, unknown][]);
    case "$exc": {
      const { type, module, args } = content as Record<"type" | "module", string> & Fields;
      const home = HOMES.get(`${module}.${type}`) ?? module;
      return new TaskFailure({ type, module: home, args: (args as unknown[]).map(fromGolden) });
    }
    default:
      throw new Error(`a ${kind} can't be written from JavaScript`);
  }
}

/** Of keys that are equal in Python (1 and True) the first stays, with the last value. */
function pythonDict(entries: readonly (readonly [unknown, unknown])[]): Map<unknown, unknown> {
  const keys = new Map<unknown, unknown>();
  const dict = new Map<unknown, unknown>();
  for (const [given, value] of entries) {
    const key = fromGolden(given);
    const number = typeof key === "boolean" ? Number(key) : key;
    if (!keys.has(number)) keys.set(number, key);
    dict.set(keys.get(number), fromGolden(value));
  }
  return dict;
}
