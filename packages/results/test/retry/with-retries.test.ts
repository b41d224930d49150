import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { backoffMs, OPERATION_BACKOFF, SET_UP_BACKOFF } from "../../dist/retry/backoff.js";
import { DatabaseFault, FAULTS } from "../../dist/retry/database-fault.js";
import {
  AttemptsFailed,
  untilAborted,
  waitMs,
  withRetries,
} from "../../dist/retry/with-retries.js";

const busy = new DatabaseFault("locked", FAULTS.busy, "40P01");
const bad = new DatabaseFault("too long", FAULTS.data, "22001");

function plan(random: () => number, waits: number[] = []) {
  return {
    retries: 3,
    backoff: OPERATION_BACKOFF,
    retryable: (fault: DatabaseFault) => fault.retryable,
    signal: undefined,
    random,
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
}

test("an operation waits up to 20, 40, 80 ms, in whole milliseconds, drawn evenly", () => {
  const most = [1, 2, 3, 9, 10, 11, 40].map((retry) =>
    backoffMs(OPERATION_BACKOFF, retry, () => 0.999999999),
  );
  assert.equal(most, [20, 40, 80, 5120, 10_000, 10_000, 10_000]);
  assert.is(
    backoffMs(OPERATION_BACKOFF, 3, () => 0),
    0,
  );
  assert.is(
    backoffMs(OPERATION_BACKOFF, 3, () => 0.5),
    40,
  );
  const drawn = new Set(Array.from({ length: 2_000 }, () => backoffMs(OPERATION_BACKOFF, 1)));
  assert.equal(
    [...drawn].sort((a, b) => a - b),
    Array.from({ length: 21 }, (_, ms) => ms),
  );
});

test("the set-up waits up to 10, 20, 40 … 1,000 ms", () => {
  const most = Array.from({ length: 10 }, (_, retry) =>
    backoffMs(SET_UP_BACKOFF, retry + 1, () => 0.999999999),
  );
  assert.equal(most, [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
});

test("four attempts, then the last fault", async () => {
  const waits: number[] = [];
  let calls = 0;
  const error = await rejects(
    withRetries(
      plan(() => 0.999999999, waits),
      async () => {
        calls++;
        throw busy;
      },
    ),
  );
  assert.instance(error, AttemptsFailed);
  assert.is((error as AttemptsFailed).attempts, 4);
  assert.is((error as AttemptsFailed).fault, busy);
  assert.is(calls, 4);
  assert.equal(waits, [20, 40, 80]);
});

test("what succeeds in between is the outcome", async () => {
  let calls = 0;
  const dropped: DatabaseFault[] = [];
  const given = await withRetries(
    { ...plan(Math.random), beforeRetry: (fault: DatabaseFault) => dropped.push(fault) },
    async () => {
      if (++calls < 4) throw busy;
      return calls;
    },
  );
  assert.is(given, 4);
  assert.equal(dropped, [busy, busy, busy]);
});

test("what can't succeed is not tried again, and what is no fault passes as it is", async () => {
  let calls = 0;
  const work = (error: Error) => async () => {
    calls++;
    throw error;
  };
  const failed = await rejects(withRetries(plan(Math.random), work(bad)));
  assert.is((failed as AttemptsFailed).attempts, 1);
  const own = new RangeError("mine");
  assert.is(await rejects(withRetries(plan(Math.random), work(own))), own);
  assert.is(calls, 2);
});

test("a signal ends it before, and during a wait", async () => {
  const reason = new Error("enough");
  const before = await rejects(
    withRetries({ ...plan(Math.random), signal: AbortSignal.abort(reason) }, async () => 1),
    "aborted",
  );
  assert.is(before.cause, reason);
  const controller = new AbortController();
  const { wait: _, ...waiting } = plan(() => 0.999999999);
  const during = withRetries(
    { ...waiting, backoff: { capMs: 60_000, firstExponent: 12 }, signal: controller.signal },
    async () => {
      setTimeout(() => controller.abort(reason), 5);
      throw busy;
    },
  );
  assert.is((await rejects(during, "aborted")).cause, reason);
  await waitMs(1, undefined);
});

test("one who gives up waiting for a promise leaves it to the others", async () => {
  const controller = new AbortController();
  let settle: ((value: number) => void) | undefined;
  const shared = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const impatient = rejects(untilAborted(shared, controller.signal), "aborted");
  const patient = untilAborted(shared, new AbortController().signal);
  controller.abort();
  await impatient;
  settle?.(7);
  assert.is(await patient, 7);
  await rejects(untilAborted(shared, controller.signal), "aborted");
});

test.run();
