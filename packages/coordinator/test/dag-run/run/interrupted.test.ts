import type { AttemptSummary } from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { afterInterruption, ENGINE_DIED } from "../../../dist/dag-run/run/interrupted.js";
import { runnableDag } from "../../support/dag-documents.ts";

const NOW = "2026-01-02T03:04:05.000Z";
const REF = { dagId: "d", runId: "r", taskId: "a", mapIndex: -1 };

const ATTEMPT: AttemptSummary = {
  ...REF,
  ...{ attemptId: 7, tryNumber: 1, startDate: NOW, endDate: null, state: "running" },
  ...{ exitCode: null, durationMs: null, error: null, hasLog: false, hasFrames: false },
};

const EMPTY = {
  ...{ id: null, nextMethod: null, nextKwargs: null, deferral: null, rescheduleDate: null },
  ...{ rescheduleCount: 0, firstStartDate: null, note: null, retryDelaySeconds: null },
  ...{
    retryReason: null,
    renderedMapIndex: null,
    renderedFields: null,
    startDate: NOW,
    endDate: null,
  },
};

function after(row: object, retries = 0, attempt: object = {}) {
  const [task] = runnableDag({ tasks: [{ id: "a", retries, retry_delay: 60 }] }).tasks;
  if (task === undefined) throw new Error("no task");
  return afterInterruption({
    attempt: { ...ATTEMPT, ...attempt },
    row: { ...REF, ...EMPTY, tryNumber: 1, maxTries: retries, state: "running", ...row },
    ...{ task, now: NOW },
    run: { logicalDate: null, timeScale: 1, maxTaskRetryDelaySeconds: undefined },
  });
}

test("a task that ran has failed, and is tried again where tries are left", () => {
  const failed = after({});
  assert.is(failed.state, "failed");
  assert.is(failed.attempt.error?.code, ENGINE_DIED);
  assert.is(failed.attempt.endDate, NOW);
  const again = after({}, 2);
  assert.is(again.state, "up_for_retry");
  assert.is(again.wait?.dueAt, "2026-01-02T03:05:05.001Z");
  assert.is(after({ tryNumber: 3 }, 2, { tryNumber: 3 }).state, "failed");
});

test("one that had said how it ended is not run again", () => {
  for (const state of ["success", "skipped", "failed", "deferred"] as const) {
    const end = after({ state, endDate: NOW }, 2);
    assert.is(end.state, state);
    assert.equal(end.changes, {});
    assert.is(end.attempt.state, state);
  }
});

test("a retry, or a reschedule, that was said has its wait from when it was said", () => {
  const retry = after({ state: "up_for_retry", endDate: NOW, retryDelaySeconds: 5 }, 2);
  assert.is(retry.wait?.dueAt, "2026-01-02T03:04:10.001Z");
  const rescheduleDate = "2026-01-02T03:05:05.000Z";
  const poke = after({ state: "up_for_reschedule", endDate: NOW, rescheduleDate });
  assert.is(poke.wait?.kind, "reschedule");
  assert.is(poke.wait?.delaySeconds, 60);
});

test("one whose process never began loses no try", () => {
  const end = after({ state: "queued" }, 1);
  assert.is(end.state, null);
  assert.is(end.changes.tryNumber, 0);
});

test.run();
