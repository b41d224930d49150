// Most of this file is judged by the compiler: it fails to build when a type is wrong.
import type {
  RetryTask,
  StartupDetails,
  SucceedTask,
  ToSupervisor,
  ToTask,
  v20260616,
  v20261030,
  WireDateTime,
} from "@parlance/protocol";
import { SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { validate } from "@parlance/protocol/validators/2026-06-16/SucceedTask.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Timestamp } from "./support/wire-values.ts";

const moment: WireDateTime = new Timestamp(0n);

export const succeed: SucceedTask = { type: "SucceedTask", end_date: moment, task_outlets: [] };
export const byText: SucceedTask = { type: "SucceedTask", end_date: "2026-06-16T00:00:00Z" };
export const retry: RetryTask = { type: "RetryTask", end_date: 0, retry_reason: null };

// @ts-expect-error an unknown field of a strict message
export const strict: RetryTask = { type: "RetryTask", end_date: 0, reason: "r" };
// @ts-expect-error the type is always demanded
export const untyped: RetryTask = { end_date: 0 };
// @ts-expect-error end_date is required and never null
export const nullDate: SucceedTask = { type: "SucceedTask", end_date: null };
// @ts-expect-error optional and nullable are two things: undefined is neither
export const undefinedName: RetryTask = { type: "RetryTask", end_date: 0, retry_reason: undefined };
// @ts-expect-error loop_decision came with 2026-10-30
export const old: v20260616.SucceedTask = { ...byText, loop_decision: null };
export const young: v20261030.SucceedTask = { ...byText, loop_decision: { stop: true } };
export const skip: v20260616.SkipDownstreamTasks = {
  type: "SkipDownstreamTasks",
  // @ts-expect-error a pair of id and map index
  tasks: ["a", ["b", 1, 2]],
};

/** A union is told apart by its type. */
export function read(message: ToTask): unknown {
  if (message.type === "VariableResult") return message.value satisfies string | null;
  if (message.type === "StartupDetails") {
    return message.ti_context.dag_run.logical_date satisfies string | WireDateTime | null;
  }
  return undefined;
}

export function send(message: ToSupervisor): string {
  return message.type;
}
send({ type: "GetVariable", key: "k" });
// @ts-expect-error no message of a task
send({ type: "VariableResult", key: "k", value: null });

export function bindings(details: StartupDetails): string[] {
  return (details.ti_context.arg_bindings ?? []).map((each) =>
    each.kind === "xcom" ? each.task_id : typeof each.value,
  );
}

test("the versions of the types are the versions of the package", () => {
  const versions: readonly SchemaVersion[] = ["2026-06-16", "2026-10-30"];
  assert.equal(SCHEMA_VERSIONS, versions);
});

test("a message's own validator can be had alone", () => {
  const issues: readonly { readonly path: string; readonly message: string }[] = validate(succeed);
  assert.equal(issues, []);
});

test.run();
