import {
  CORE_DEFAULTS,
  checkRetryPeriod,
  initialMaxTries,
  isEligibleToRetry,
  maxTriesAfterClearing,
  maxTriesAfterSuccess,
  parseCoreOptions,
  type RetryPeriodInput,
  shouldRetry,
} from "@parlance/retry";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("who may try again: scheduler and Execution API", () => {
  // state, try number, max_tries, the task's retries; scheduler, Execution API
  const cases: [string | null, number, number, number | null, boolean, boolean][] = [
    ["running", 1, 1, 1, true, true],
    ["running", 2, 1, 1, false, false],
    ["running", 1, 0, 0, false, false],
    ["restarting", 9, 0, 0, true, true],
    ["restarting", 9, 1, null, true, true],
    [null, 2, 3, 3, true, true],
    // Where the two differ.
    ["running", 1, 3, 0, false, true],
    ["running", 0, 0, 2, true, false],
    // The Dag can't be loaded.
    ["running", 1, 1, null, true, true],
    ["running", 2, 1, null, false, false],
    ["running", 0, 0, null, true, false],
    // Negative ones count as any other.
    ["running", 1, -1, -1, false, false],
    ["running", -1, -1, -1, true, true],
  ];
  for (const [state, tryNumber, maxTries, retries, scheduler, api] of cases) {
    const attempt = { state, tryNumber, maxTries };
    const label = JSON.stringify({ ...attempt, retries });
    assert.is(isEligibleToRetry({ ...attempt, retries }), scheduler, label);
    assert.is(shouldRetry(attempt), api, label);
  }
  assert.is(isEligibleToRetry({ state: "running", tryNumber: 1, maxTries: 1 }), true);
});

test("max_tries from the first attempt over clearing to a restart that succeeds", () => {
  assert.is(initialMaxTries(3), 3);
  // All four attempts failed, then it is cleared: four more.
  assert.is(maxTriesAfterClearing({ tryNumber: 4, maxTries: 3, retries: 3 }), 7);
  assert.is(maxTriesAfterClearing({ tryNumber: 1, maxTries: 0, retries: 0 }), 1);
  assert.is(maxTriesAfterClearing({ tryNumber: 5, maxTries: 3 }), 5);
  assert.is(maxTriesAfterClearing({ tryNumber: 2, maxTries: 3, retries: null }), 3);
  const instance = { tryNumber: 2, maxTries: 3, retries: 3 };
  assert.is(maxTriesAfterSuccess({ ...instance, state: "restarting" }), 5);
  assert.is(maxTriesAfterSuccess({ ...instance, state: "running" }), 3);
});

const NEXT = "2026-01-02T04:08:32+00:00";
const period = (change: Partial<RetryPeriodInput>): string => {
  const input = { state: "up_for_retry", nextRetry: NEXT, now: NEXT, ...change };
  const { passes, reason } = checkRetryPeriod(input);
  return `${passes ? "passes" : "holds"}: ${reason}`;
};

test("the retry period ends after its last microsecond", () => {
  assert.is(period({ now: "2026-01-02T04:08:31.999999+00:00" }), "holds: waiting");
  assert.is(period({ now: NEXT }), "holds: waiting");
  assert.is(period({ now: "2026-01-02T05:08:32.000001+01:00" }), "passes: elapsed");
  assert.is(period({ state: "queued", nextRetry: null }), "passes: not-up-for-retry");
  assert.is(period({ state: null }), "passes: not-up-for-retry");
  assert.is(period({ ignoreRetryPeriod: true, nextRetry: null }), "passes: ignored");
  throws(() => period({ nextRetry: null }), "bad-input");
  throws(() => period({ now: "2026-01-02" }), "bad-date");
  const { message } = checkRetryPeriod({ state: "up_for_retry", nextRetry: NEXT, now: NEXT });
  assert.is(message.split(NEXT).length, 3, message); // both instants
});

test("[core] options are whole numbers, in every form that Airflow takes", () => {
  assert.equal(parseCoreOptions({}), CORE_DEFAULTS);
  const cases: [string, number][] = [
    ["60", 60],
    [" 1_000 ", 1000],
    ["86400.0", 86_400],
    ["864e2", 86_400],
    ["-5", -5],
    ["-0.0", 0],
    ["0", 0],
  ];
  for (const [text, value] of cases) {
    const options = parseCoreOptions({ max_task_retry_delay: text });
    assert.is(options.maxTaskRetryDelaySeconds, value);
    assert.is(options.defaultTaskRetryDelaySeconds, 300);
  }
  assert.is(parseCoreOptions({ default_task_retries: "3" }).defaultTaskRetries, 3);
  assert.is(parseCoreOptions({ default_task_retry_delay: "9" }).defaultTaskRetryDelaySeconds, 9);
  for (const text of ["", "1.5", "nan", "inf", "x", "1e400", "9".repeat(20)]) {
    throws(() => parseCoreOptions({ max_task_retry_delay: text }), "bad-input");
  }
  throws(() => parseCoreOptions({ default_task_retries: 3 as unknown as string }), "bad-input");
});

test.run();
