import { readFileSync } from "node:fs";
import {
  createSerializer,
  PythonFloat,
  type ResultNode,
  type ResultStore,
  type StoreInput,
  TaskFailure,
} from "@parlance/results";

type Fields = { readonly [name: string]: unknown };

/** One case of a golden file; see the README beside the files. */
export interface GoldenCase {
  readonly name: string;
  readonly write: readonly Fields[];
  readonly row: { readonly [column: string]: unknown } | null;
  readonly date_done?: "now" | "null" | "fixed";
  readonly group?: string;
}

/**
 * The cases of a file. Read by our own JSON reader, since `write` tells 1.0 from 1, and has integers
 * beyond 2^53 and Celery's tagged values.
 */
const exact = await createSerializer("json", { wrapFloats: true, keepKeyOrder: true });

export function goldenCases(file: string): readonly GoldenCase[] {
  const url = new URL(`../../test/data/golden/${file}.json`, import.meta.url);
  return (exact.decode(readFileSync(url)) as { cases: readonly GoldenCase[] }).cases;
}

/** Does what an item of `write` says. */
export async function playItem(store: ResultStore, item: Fields): Promise<unknown> {
  if (typeof item["forget"] === "string") return store.forget(item["forget"]);
  if (typeof item["delete_group"] === "string") return store.deleteGroup(item["delete_group"]);
  if (typeof item["group"] === "string") {
    const members = (item["results"] as readonly unknown[]).map(node);
    const parent = item["parent"] === undefined ? null : node(item["parent"]);
    return store.saveGroup(item["group"], members, { parent });
  }
  return store.store(item["id"] as string, input(item));
}

function input(item: Fields): StoreInput {
  if (item["via"] === "started") return { state: "STARTED", result: item["result"] };
  if (item["via"] === "revoked") {
    const args = [item["result"]];
    const result = new TaskFailure({ type: "TaskRevokedError", module: "celery.exceptions", args });
    return { state: "REVOKED", result };
  }
  const request = item["request"] as Fields | undefined;
  const delivery = request?.["delivery_info"] as { routing_key?: string } | undefined;
  return {
    state: item["state"] as string,
    result: value(item["result"]),
    traceback: (item["traceback"] as string | undefined) ?? null,
    children: (request?.["children"] as readonly unknown[] | undefined)?.map(node) ?? null,
    request:
      request === undefined
        ? null
        : {
            task: request["task"] as string,
            args: value(request["args"]),
            kwargs: value(request["kwargs"]),
            hostname: request["hostname"] as string,
            retries: request["retries"] as number,
            deliveryInfo:
              delivery === undefined ? null : { routingKey: delivery.routing_key ?? null },
          },
    ...(request?.["stamped_headers"] === undefined
      ? {}
      : {
          stamps: request["stamps"] as Fields,
          stampedHeaders: request["stamped_headers"] as string[],
        }),
  };
}

/** An id, `{id, parent?}`, `{group, results, parent?}`, or Celery's own tuple. */
function node(spec: unknown): ResultNode {
  if (typeof spec === "string") return { kind: "task", id: spec, parent: null };
  const fields = spec as Fields;
  const parent = fields["parent"] === undefined ? null : node(fields["parent"]);
  if (typeof fields["group"] !== "string") {
    return { kind: "task", id: fields["id"] as string, parent };
  }
  const members = ((fields["results"] as readonly unknown[] | undefined) ?? []).map(node);
  return { kind: "group", id: fields["group"], parent, members };
}

/** The `$` forms, at any depth. */
export function value(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(value);
  if (given instanceof Map) return new Map([...given].map(([k, v]) => [value(k), value(v)]));
  if (typeof given !== "object" || given === null) return given;
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== null) return given;
  const fields = given as Fields;
  const [key, ...others] = Object.keys(fields);
  if (key?.startsWith("$") && others.length === 0) return special(key, fields[key]);
  return Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, value(v)]));
}

function special(kind: string, of: unknown): unknown {
  switch (kind) {
    case "$int":
      return BigInt(of as string);
    case "$float":
      return new PythonFloat(
        of === "nan"
          ? Number.NaN
          : of === "inf"
            ? Infinity
            : of === "-inf"
              ? -Infinity
              : Number(of),
      );
    case "$tuple":
      return (of as readonly unknown[]).map(value);
    case "$map":
      return new Map(
        (of as readonly (readonly [unknown, unknown])[]).map(([k, v]) => [value(k), value(v)]),
      );
    case "$exc": {
      const { type, module, args } = of as { type: string; module: string; args: unknown[] };
      return new TaskFailure({ type, module, args: args.map(value) });
    }
    default:
      throw new Error(`no ${kind} in JavaScript`);
  }
}
