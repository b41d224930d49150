import type { SqlValue } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { decodeException } from "../exceptions/decode-exception.ts";
import { encodeException } from "../exceptions/encode-exception.ts";
import { TaskFailure } from "../exceptions/task-failure.ts";
import { encodeChildren } from "../results-tree/encode-nodes.ts";
import type { ResultNode } from "../results-tree/result-node.ts";
import type { TaskColumn } from "../schema/tables.ts";
import type { Serializer } from "../serializers/serializer.ts";
import { hasLoneSurrogate } from "./check-id.ts";
import { checkStamps } from "./check-stamps.ts";
import { kindOf } from "./kind-of.ts";
import { EXCEPTION_STATES } from "./states.ts";
import type { StoreContext } from "./store-context.ts";
import type { StoreInput, TaskRequest } from "./store-input.ts";

/** A column that a store sets, with its value, in the order of the table. `date_done` is apart: it depends on the row. */
export type TaskRow = readonly (readonly [column: TaskColumn, value: SqlValue])[];

/**
 * What a store writes, as Celery writes it.
 *
 * @throws ResultsError `bad-state`, `bad-value`, `stamp-name`
 * @throws SerializerError `cannot-encode`
 */
export function taskRow(context: StoreContext, input: StoreInput): TaskRow {
  if (typeof input !== "object" || input === null) {
    throw refuse(
      "bad-value",
      "input",
      `the second argument is ${kindOf(input)}; expected { state, … }.`,
    );
  }
  const { serializer } = context;
  const text = (value: unknown, field: string) => cleanText(context, value, field);
  const children = encodeChildren(asNodes(input.children));
  const row: [TaskColumn, SqlValue][] = [
    ["status", checkState(input.state, context)],
    ["result", serializer.encode(resultValue(input, serializer))],
    ["traceback", text(input.traceback, "traceback")],
    ["children", children === null ? null : serializer.encode(children)],
  ];
  const stamps = checkStamps(input.stamps, input.stampedHeaders);
  if (!context.extended) return row;
  const request = input.request ?? null;
  if (typeof request !== "object") {
    throw refuse("bad-value", "request", `request is ${kindOf(request)}; expected an object.`);
  }
  const encoded = (value: unknown) =>
    request === null ? null : serializer.encode(value === undefined ? null : value);
  row.push(
    ["name", text(request?.task, "request.task")],
    ["args", encoded(request?.args)],
    ["kwargs", encoded(request?.kwargs)],
    ["worker", text(request?.hostname, "request.hostname")],
    ["retries", checkRetries(request)],
    ["queue", text(request?.routingKey ?? request?.deliveryInfo?.routingKey, "request.routingKey")],
  );
  // Without stamps the column is left alone: Celery does not clear what an earlier store wrote.
  if (stamps !== null) row.push(["stamps", serializer.encode(stamps)]);
  return row;
}

function checkState(state: unknown, context: StoreContext): string {
  const why =
    typeof state !== "string"
      ? `is ${kindOf(state)}`
      : state === ""
        ? "is empty"
        : hasLoneSurrogate(state)
          ? "has half a surrogate pair"
          : context.database.dialect === "postgresql" && state.includes("\0")
            ? "has U+0000, which PostgreSQL can't hold"
            : undefined;
  if (why === undefined) return state as string;
  throw refuse(
    "bad-state",
    "state",
    `the state ${why}; expected text such as SUCCESS or PROGRESS.`,
  );
}

/** In the failing states Celery reads an exception and nothing else: a row with another value breaks every reader. */
function resultValue(input: StoreInput, serializer: Serializer): unknown {
  const result = input.result === undefined ? null : input.result;
  if (!EXCEPTION_STATES.has(input.state)) return result;
  if (result === null) return null;
  if (result instanceof TaskFailure || isError(result)) return encodeException(result, serializer);
  try {
    const failure = decodeException(result);
    if (failure !== null) return result;
  } catch {
    // not in the shape of an exception: refused below
  }
  throw refuse(
    "bad-value",
    "result",
    `the result of state ${input.state} is ${kindOf(result)}; ` +
      "expected an Error, a TaskFailure, an object with exc_type, or null: Celery could not read the row. " +
      "Use a state of your own for another value.",
  );
}

function isError(value: unknown): boolean {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

function asNodes(children: StoreInput["children"]): readonly ResultNode[] | null | undefined {
  return Array.isArray(children) ? children.map(asNode) : (children as null | undefined);
}

/** An id stands for a task without parent. */
export function asNode(node: ResultNode | string): ResultNode {
  return typeof node === "string" ? { kind: "task", id: node, parent: null } : node;
}

/** Text as the column takes it. Half a surrogate pair has no UTF-8; stock fails there, and loses the result. */
function cleanText(context: StoreContext, value: unknown, field: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") {
    throw refuse("bad-value", field, `${field} is ${kindOf(value)}; expected text or null.`);
  }
  const whole = value.replace(/\p{Surrogate}/gu, "\uFFFD");
  return context.database.dialect === "postgresql" && whole.includes("\0")
    ? whole.replaceAll("\0", () => context.nulReplacement)
    : whole;
}

function checkRetries(request: TaskRequest | null): number | null {
  const retries = request?.retries ?? null;
  if (retries === null) return null;
  if (Number.isInteger(retries) && Math.abs(retries) <= 0x7fffffff) return retries;
  throw refuse("bad-value", "request.retries", "retries is no whole number of 32 bits.");
}

function refuse(code: "bad-value" | "bad-state", field: string, why: string): ResultsError {
  return new ResultsError(code, `store: ${why}`, { facts: { operation: "store", field } });
}
