import { test } from "uvu";
import * as assert from "uvu/assert";
import { retryWait } from "../../../dist/dag-run/run/retry-wait.js";
import { runnableDag } from "../../support/dag-documents.ts";

/** The example of the retry package's README: etl.load of 2026-01-02T03:04:05Z, 300 s, multiplier 2. */
function wait(tryNumber: number, more: object = {}) {
  const [task] = runnableDag({
    tasks: [{ id: "load", retry_delay: 300, retry_exponential_backoff: 2 }],
  }).tasks;
  if (task === undefined) throw new Error("no task");
  return retryWait({
    ref: { dagId: "etl", runId: "r", taskId: "load", mapIndex: 3 },
    ...{ task, tryNumber, attemptId: 1, endDate: "2026-01-02T04:00:00.000Z" },
    logicalDate: "2026-01-02T03:04:05Z",
    ...{ delaySeconds: null, reason: null, timeScale: 1, maxTaskRetryDelaySeconds: undefined },
    ...more,
  });
}

test("the true delays, with what they are made of", () => {
  const first = wait(1);
  assert.equal(
    [first.mode, first.baseSeconds, first.jitterSeconds, first.delaySeconds],
    ["backoff", 300, 212, 512],
  );
  assert.is(first.dueAt, "2026-01-02T04:08:32.001Z");
  assert.equal(
    [2, 3, 4].map((n) => wait(n).delaySeconds),
    [835, 1880, 4704],
  );
  assert.is(wait(9).cappedBy, "max_task_retry_delay");
  assert.is(wait(9, { maxTaskRetryDelaySeconds: 100 }).delaySeconds, 100);
});

test("the scale changes what is waited here, and nothing else", () => {
  const scaled = wait(1, { timeScale: 0.01 });
  assert.equal([scaled.delaySeconds, scaled.scaledSeconds], [512, 5.12]);
  assert.is(scaled.dueAt, "2026-01-02T04:00:05.121Z");
  assert.is(wait(1, { timeScale: 0 }).dueAt, "2026-01-02T04:00:00.000Z");
});

test("what the task asked for itself comes before everything", () => {
  const asked = wait(1, { delaySeconds: 1.5, reason: "busy" });
  assert.equal([asked.mode, asked.delaySeconds, asked.reason], ["override", 1.5, "busy"]);
});

test.run();
