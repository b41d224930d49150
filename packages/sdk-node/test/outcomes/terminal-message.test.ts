import { validateBody } from "@parlance/protocol/validate";
import { type OutcomeFacts, type TaskContext, TaskError, Timestamp } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Outcome, terminalMessage } from "../../dist/runtime/terminal-message.js";

const now = new Date("2026-06-16T01:02:03.004Z");
const pause = { timeoutMs: 1_234_567, resumeMethod: "m", kwargs: { at: now, n: 1n } };
const facts: readonly OutcomeFacts[] = [
  { kind: "skip", reason: null },
  { kind: "reschedule", at: now },
  {
    ...{ kind: "defer", classpath: "a.B", queue: "q", ...pause },
    triggerKwargs: { moment: now, tags: new Set(["x"]), exact: Timestamp.parse(now.toISOString()) },
  },
  {
    ...{ kind: "await-input", subject: "?", body: null, options: ["a"], defaults: null },
    ...{ multiple: false, params: {}, assignees: [], ...pause },
  },
];
const outcomes: readonly Outcome[] = [
  { kind: "success" },
  { kind: "removed" },
  ...[new Error("no"), new TaskError("no", { retry: false }), "text", undefined].map(
    (error) => ({ kind: "failed", error }) as const,
  ),
  ...facts.map((each) => ({ kind: "outcome", facts: each }) as const),
];
const silent = { error: () => {} } as never;
const plain = {
  details: { context: { shouldRetry: false } as TaskContext, schemaVersion: "2026-06-16" },
  renderedMapIndex: null,
  outlets: { task_outlets: [], outlet_events: [] },
  retryPolicy: undefined,
  log: silent,
  now,
} as const;

test("every report is one that both schema versions know", async () => {
  const types = new Set<string>();
  for (const schemaVersion of ["2026-06-16", "2026-10-30"] as const) {
    for (const outcome of outcomes) {
      for (const shouldRetry of [true, false]) {
        for (const renderedMapIndex of [null, "x"]) {
          const context = { shouldRetry } as TaskContext;
          const { body, validate } = await terminalMessage(outcome, {
            details: { context, schemaVersion },
            renderedMapIndex,
            outlets: { task_outlets: [], outlet_events: [] },
            retryPolicy: undefined,
            log: silent,
            now,
          });
          assert.equal(validate(body), []);
          assert.equal(validateBody(schemaVersion, "to-supervisor", body), {
            valid: true,
            type: body.type,
          });
          types.add(`${body.type} ${String(body["state"])}`);
        }
      }
    }
  }
  assert.equal([...types].sort(), [
    "AwaitInputTask awaiting_input",
    "DeferTask deferred",
    "RescheduleTask up_for_reschedule",
    "RetryTask up_for_retry",
    "SucceedTask success",
    "TaskState failed",
    "TaskState removed",
    "TaskState skipped",
  ]);
});

test("a queue of triggerers is left out where Airflow says that there are none", async () => {
  const deferred = outcomes.find((each) => each.kind === "outcome" && each.facts.kind === "defer");
  const queueWith = async (setting: string | undefined) => {
    if (setting === undefined) delete process.env["AIRFLOW__TRIGGERER__QUEUES_ENABLED"];
    else process.env["AIRFLOW__TRIGGERER__QUEUES_ENABLED"] = setting;
    const { body } = await terminalMessage(deferred as Outcome, plain);
    return body["queue"];
  };
  assert.is(await queueWith("True"), "q");
  assert.is(await queueWith("False"), null);
  assert.is(await queueWith(undefined), "q");
});

test("dates and sets in kwargs go out as Python's own do", async () => {
  const deferred = outcomes.find((each) => each.kind === "outcome" && each.facts.kind === "defer");
  const { body } = await terminalMessage(deferred as Outcome, plain);
  const { moment, tags } = body["trigger_kwargs"] as { [key: string]: { __classname__: string } };
  assert.is(moment?.__classname__, "datetime.datetime");
  assert.is(tags?.__classname__, "builtins.set");
  assert.is(body["trigger_timeout"], "PT1234.567S");
});

test.run();
