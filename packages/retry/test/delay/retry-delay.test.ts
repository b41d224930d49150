import {
  Instant,
  MAX_DELAY_US,
  MIN_DELAY_US,
  type NextRetryInput,
  nextRetry,
  planRetries,
  type RetryDelayInput,
  RetryError,
  retryDelay,
} from "@parlance/retry";
import { load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const INPUT: NextRetryInput = {
  dagId: "etl",
  taskId: "load",
  logicalDate: "2026-01-02T03:04:05Z",
  endDate: "2026-01-02T04:00:00Z",
  tryNumber: 1,
  retryDelayUs: 300_000_000,
  multiplier: 2,
};

test("the worked examples of the facts", () => {
  const seconds = (change: Partial<RetryDelayInput>): number =>
    Number(retryDelay({ ...INPUT, ...change }).delayUs) / 1e6;
  const waits = Array.from({ length: 8 }, (_, at) => seconds({ tryNumber: at + 1 }));
  assert.equal(waits, [512, 835, 1880, 4704, 7241, 18_870, 21_992, 39_624]);
  assert.is(seconds({ multiplier: 5, tryNumber: 5 }), 86_400);
  for (const multiplier of [1, 0, -2.5, -0, Number.NaN, Number.NEGATIVE_INFINITY, 1n, 0n, -1n]) {
    assert.equal(retryDelay({ ...INPUT, multiplier }).mode, "fixed");
    assert.is(seconds({ multiplier }), 300);
  }
});

test("the parts of a wait", () => {
  const parts = (change: Partial<RetryDelayInput>): unknown[] => {
    const wait = retryDelay({ ...INPUT, ...change });
    return [wait.mode, wait.baseSeconds, wait.jitterSeconds, wait.cappedBy, wait.delayUs];
  };
  assert.equal(parts({}), ["backoff", 300, 212, null, 512_000_000n]);
  assert.equal(parts({ maxRetryDelayUs: 400_000_001 }), [
    "backoff",
    300,
    212,
    "max_retry_delay",
    400_000_001n,
  ]);
  assert.equal(parts({ maxRetryDelayUs: 512_000_000 }), ["backoff", 300, 212, null, 512_000_000n]);
  assert.equal(parts({ maxRetryDelayUs: 0 }), ["backoff", 300, 212, null, 512_000_000n]);
  assert.equal(parts({ maxRetryDelayUs: 0n }), ["backoff", 300, 212, null, 512_000_000n]);
  assert.equal(parts({ maxRetryDelayUs: null }), ["backoff", 300, 212, null, 512_000_000n]);
  assert.equal(parts({ maxRetryDelayUs: -1 }), ["backoff", 300, 212, "max_retry_delay", -1n]);
  assert.equal(parts({ maxTaskRetryDelaySeconds: 400 }), [
    "backoff",
    300,
    212,
    "max_task_retry_delay",
    400_000_000n,
  ]);
  assert.equal(parts({ maxTaskRetryDelaySeconds: 512 }), ["backoff", 300, 212, null, 512_000_000n]);
  const [mode, base, , cap, delay] = parts({ multiplier: 1e308, tryNumber: 3, retryDelayUs: 0 });
  assert.equal(
    [mode, base, cap, delay],
    ["overflow", 86_400, "max_task_retry_delay", 86_400_000_000n],
  );
  assert.equal(parts({ overrideSeconds: 0, maxRetryDelayUs: 1 }), [
    "override",
    null,
    null,
    null,
    0n,
  ]);
  assert.equal(parts({ overrideSeconds: null })[0], "backoff");
});

test("a back-off waits from its base to less than twice as long, whole seconds, never less than one", () => {
  const input = fc.record({
    multiplier: fc.double({ min: 0.01, max: 9, noNaN: true }).filter((value) => value !== 1),
    tryNumber: fc.integer({ min: 1, max: 12 }),
    retryDelayUs: fc.integer({ min: -1_000_000, max: 4_000_000_000 }),
    dagId: fc.string(),
  });
  fc.assert(
    fc.property(input, (change) => {
      const wait = retryDelay({ ...INPUT, ...change, maxTaskRetryDelaySeconds: 1e12 });
      const [base, jitter] = [wait.baseSeconds as number, wait.jitterSeconds as number];
      assert.ok(base >= 1 && Number.isInteger(base));
      assert.ok(jitter >= 0 && jitter < base);
      if (wait.cappedBy === null) assert.is(wait.delayUs, BigInt(base + jitter) * 1_000_000n);
      else assert.is(wait.delayUs, 10n ** 18n);
      assert.equal(retryDelay({ ...INPUT, ...change, maxTaskRetryDelaySeconds: 1e12 }), wait);
    }),
    { numRuns: load(20_000) },
  );
});

test("the caps hold for a back-off, and for nothing else", () => {
  const us = fc.integer({ min: 1, max: 10 ** 12 });
  fc.assert(
    fc.property(
      us,
      us,
      fc.integer({ min: 0, max: 90_000 }),
      (retryDelayUs, maxRetryDelayUs, cap) => {
        const input = { ...INPUT, retryDelayUs, maxRetryDelayUs, maxTaskRetryDelaySeconds: cap };
        const { delayUs } = retryDelay(input);
        assert.ok(delayUs <= BigInt(maxRetryDelayUs) && delayUs <= BigInt(cap) * 1_000_000n);
        assert.is(retryDelay({ ...input, multiplier: 0 }).delayUs, BigInt(retryDelayUs));
        assert.is(retryDelay({ ...input, overrideSeconds: 1e7 }).delayUs, 10n ** 13n);
      },
    ),
    { numRuns: load(10_000) },
  );
});

test("numbers and bigints of the same value are the same", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 2, max: 9 }), (retryDelayUs, multiplier) => {
      const big = { retryDelayUs: BigInt(retryDelayUs), multiplier: BigInt(multiplier) };
      const numbers = { retryDelayUs, multiplier };
      assert.equal(retryDelay({ ...INPUT, ...big }), retryDelay({ ...INPUT, ...numbers }));
    }),
    { numRuns: load(5_000) },
  );
});

test("the ends of what a delay can be", () => {
  const fixed = (retryDelayUs: bigint): bigint =>
    retryDelay({ ...INPUT, multiplier: 0, retryDelayUs }).delayUs;
  assert.is(fixed(MAX_DELAY_US), MAX_DELAY_US);
  assert.is(fixed(MIN_DELAY_US), MIN_DELAY_US);
  throws(() => fixed(MAX_DELAY_US + 1n), "out-of-range");
  throws(() => fixed(MIN_DELAY_US - 1n), "out-of-range");
  throws(
    () => retryDelay({ ...INPUT, multiplier: 1e308, tryNumber: 3, maxTaskRetryDelaySeconds: 1e14 }),
    "out-of-range",
  );
  throws(() => retryDelay({ ...INPUT, maxTaskRetryDelaySeconds: -(10n ** 30n) }), "out-of-range");
  throws(
    () =>
      retryDelay({ ...INPUT, multiplier: Number.POSITIVE_INFINITY, retryDelayUs: 0, tryNumber: 2 }),
    "not-a-number",
  );
  for (const overrideSeconds of [Number.POSITIVE_INFINITY, 1e15, -1e15, 10n ** 20n]) {
    throws(() => retryDelay({ ...INPUT, overrideSeconds }), "out-of-range");
  }
  throws(() => retryDelay({ ...INPUT, overrideSeconds: Number.NaN }), "not-a-number");
});

test("the end of an attempt", () => {
  assert.is(nextRetry(INPUT).nextRetry.toIso(), "2026-01-02T04:08:32+00:00");
  assert.is(
    nextRetry({ ...INPUT, endDate: "2026-01-02T05:00:00+01:00" }).nextRetry.toIso(),
    "2026-01-02T05:08:32+01:00",
  );
  throws(() => nextRetry({ ...INPUT, endDate: null }), "missing-end-date");
  const now = (): Date => new Date("2026-05-01T00:00:00Z");
  const asked = nextRetry({ ...INPUT, endDate: null, overrideSeconds: 1.5, now });
  assert.is(asked.nextRetry.toIso(), "2026-05-01T00:00:01.500000+00:00");
  const before = Date.now();
  const { nextRetry: byClock } = nextRetry({ ...INPUT, endDate: null, overrideSeconds: 0 });
  assert.ok(byClock.toDate().getTime() >= before);
  throws(() => nextRetry({ ...INPUT, endDate: "9999-12-31T23:59:59Z" }), "out-of-range");
});

test("arguments of plain JavaScript get an error that names them", () => {
  const cases: [Record<string, unknown>, string, RegExp][] = [
    [{ multiplier: true }, "wrong-type", /multiplier is true/],
    [{ multiplier: "2" }, "wrong-type", /multiplier is "2"/],
    [{ multiplier: undefined }, "wrong-type", /multiplier/],
    [{ retryDelayUs: 1.5 }, "bad-input", /retryDelayUs is 1.5/],
    [{ retryDelayUs: 2 ** 60 }, "bad-input", /bigint/],
    [{ retryDelayUs: "300" }, "bad-input", /retryDelayUs/],
    [{ maxRetryDelayUs: {} }, "bad-input", /maxRetryDelayUs is an object/],
    [{ maxTaskRetryDelaySeconds: 0.5 }, "bad-input", /maxTaskRetryDelaySeconds is 0.5/],
    [{ maxTaskRetryDelaySeconds: Number.NaN }, "bad-input", /maxTaskRetryDelaySeconds/],
    [{ tryNumber: 1.5 }, "bad-input", /tryNumber is 1.5/],
    [{ tryNumber: undefined }, "bad-input", /tryNumber/],
    [{ dagId: 7 }, "bad-input", /dagId is 7/],
    [{ taskId: null }, "bad-input", /taskId is null/],
    [{ overrideSeconds: "3" }, "bad-input", /overrideSeconds/],
    [{ logicalDate: "2026-01-02T03:04:05" }, "naive-date", /no zone/],
    [{ logicalDate: undefined }, "bad-date", /logicalDate: .*undefined/],
    [{ dagId: "\ud800" }, "lone-surrogate", /D800/],
  ];
  for (const [change, code, message] of cases) {
    const error = throws(() => retryDelay({ ...INPUT, ...change } as RetryDelayInput), code);
    assert.match(error.message, message);
    assert.instance(error, RetryError);
    assert.is(error.name, "RetryError");
    assert.not.ok(Object.keys(error).includes("name"));
  }
});

test("a plan has one wait fewer than attempts, each from the end of its attempt", () => {
  const { tryNumber: _, ...input } = INPUT;
  const plan = planRetries({ ...input, tries: 4, attemptUs: 60_000_000 });
  assert.equal(
    plan.waits.map((wait) => [
      wait.tryNumber,
      String(wait.endDate),
      wait.delayUs,
      String(wait.nextRetry),
    ]),
    [
      [1, "2026-01-02T04:00:00+00:00", 512_000_000n, "2026-01-02T04:08:32+00:00"],
      [2, "2026-01-02T04:09:32+00:00", 835_000_000n, "2026-01-02T04:23:27+00:00"],
      [3, "2026-01-02T04:24:27+00:00", 1_880_000_000n, "2026-01-02T04:55:47+00:00"],
    ],
  );
  assert.is(plan.totalUs, 3_227_000_000n);
  assert.equal(planRetries({ ...input, tries: 1 }).waits, []);
  const later = planRetries({ ...input, endDate: null, tries: 2, firstTryNumber: 8 });
  assert.is(later.waits[0]?.delayUs, 39_624_000_000n);
  assert.is(later.waits[0]?.nextRetry, null);
  for (const tries of [0, 1.5, 10_001, Number.NaN, "3" as unknown as number]) {
    throws(() => planRetries({ ...input, tries }), "bad-input");
  }
  throws(() => planRetries({ ...input, tries: 2, attemptUs: 0.5 }), "bad-input");
  throws(
    () => planRetries({ ...input, tries: 2, endDate: "9999-12-31T23:59:59Z" }),
    "out-of-range",
  );
  const given = { ...input, tries: 2, overrideSeconds: 5 };
  assert.is(planRetries(given).waits[0]?.mode, "backoff");
});

test("an instant may be given as an Instant", () => {
  const logicalDate = Instant.parse("2026-01-02T04:04:05+01:00");
  assert.is(retryDelay({ ...INPUT, logicalDate }).delayUs, 512_000_000n);
});

test.run();
