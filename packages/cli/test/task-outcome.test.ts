import type { TaskResult } from "@parlance/coordinator";
import { TaskFailure } from "@parlance/results";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { attemptOutcome } from "../dist/run/task-outcome.js";

// Each end of an attempt in Celery's words; not every one can be had from a TypeScript task.

const failed = (message: string) =>
  new TaskFailure({ type: "TaskFailed", module: "parlance.task", args: [message] });
const revoked = (reason: string) =>
  new TaskFailure({ type: "TaskRevokedError", module: "celery.exceptions", args: [reason] });

const CASES: readonly (readonly [Partial<TaskResult>, object])[] = [
  [{ finalState: "success" }, { state: "SUCCESS", result: 7 }],
  [{ finalState: "skipped" }, { state: "SUCCESS", result: null }],
  [{ finalState: "removed" }, { state: "REVOKED", result: revoked("removed") }],
  [{ finalState: "SERVER_TERMINATED" }, { state: "REVOKED", result: revoked("terminated") }],
  [{ finalState: "deferred" }, { state: "DEFERRED", result: null }],
  [{ finalState: "up_for_reschedule" }, { state: "UP_FOR_RESCHEDULE", result: null }],
  [
    { finalState: "failed", exitCode: 3 },
    { state: "FAILURE", result: failed("exit code 3"), traceback: null },
  ],
  [
    { finalState: "failed", exitCode: 0 },
    { state: "FAILURE", result: failed("the task said that it failed"), traceback: null },
  ],
  [
    { finalState: "up_for_retry", retry: { reason: "later" } },
    { state: "RETRY", result: failed("later"), traceback: null },
  ],
  [
    { finalState: "failed", error: { code: "spawn-failed", message: "\ud800 no" } },
    { state: "FAILURE", result: failed("spawn-failed: \ufffd no"), traceback: null },
  ],
];

for (const [result, expected] of CASES) {
  test(`${result.finalState} with ${JSON.stringify(result)}`, () => {
    const full = { exitCode: 0, durationMs: 1, finalState: "success", ...result } as TaskResult;
    assert.equal(attemptOutcome(full, undefined, 7), expected);
  });
}

test("an exception whose name Python could not have becomes a plain failure", () => {
  const full: TaskResult = { exitCode: 0, durationMs: 1, finalState: "failed" };
  const odd = { type: "a\0b", message: "m", traceback: "t \udc00" };
  assert.equal(attemptOutcome(full, odd, null), {
    state: "FAILURE",
    result: failed("m"),
    traceback: "t \ufffd",
  });
});

test.run();
