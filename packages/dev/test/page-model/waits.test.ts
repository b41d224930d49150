import type { Wait } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { durationText, elapsedSeconds } from "../../dist/page-model/duration-text.js";
import { waitBars } from "../../dist/page-model/wait-bars.js";
import { waitWords } from "../../dist/page-model/wait-words.js";

const WAIT: Wait = {
  kind: "retry",
  afterTry: 2,
  mode: "backoff",
  baseSeconds: 60,
  jitterSeconds: 41,
  capSeconds: 90,
  cappedBy: "max_retry_delay",
  multiplier: 2,
  delaySeconds: 90,
  scaledSeconds: 90,
  beganAt: null,
  dueAt: null,
  startedAt: null,
  reason: null,
};

test("durations have at most two units", () => {
  for (const [seconds, text] of [
    [0, "0 s"],
    [0.04, "0.04 s"],
    [4.25, "4.3 s"],
    [59.7, "60 s"],
    [60, "1 min"],
    [125, "2 min 5 s"],
    [3_600, "1 h"],
    [86_399, "23 h 59 min"],
    [97_200, "1 d 3 h"],
    [-5, "-5 s"],
  ] as const) {
    assert.is(durationText(seconds), text);
  }
  assert.is(elapsedSeconds(null, null, 5), null);
  assert.is(elapsedSeconds("1970-01-01T00:00:01Z", null, 3_000), 2);
  assert.is(elapsedSeconds("1970-01-01T00:00:09Z", null, 3_000), 0, "a clock that went back");
});

test("a wait is told as it is counted", () => {
  assert.equal(waitWords(WAIT, 30), [
    "Base 1 min: 30 s × 2¹, rounded up to whole seconds.",
    "Jitter 41 s of at most 59 s; it comes from the task instance's own name, the same on every machine.",
    "Together 1 min 41 s, cut to 1 min 30 s by the task's max_retry_delay.",
  ]);
  const first = {
    ...WAIT,
    afterTry: 1,
    baseSeconds: 1,
    jitterSeconds: 0,
    capSeconds: null,
    cappedBy: null,
  };
  assert.equal(waitWords({ ...first, delaySeconds: 1, scaledSeconds: 0.1 }, 1), [
    "Base 1 s: 1 s, rounded up to whole seconds.",
    "No jitter: a base of 1 s leaves no room for one.",
    "Together 1 s, no cap.",
    "This run's time scale makes 0.1 s of 1 s.",
  ]);
  assert.match(waitWords({ ...WAIT, mode: "fixed" }, 90).join(" "), /no jitter/);
  assert.match(waitWords({ ...WAIT, mode: "override" }, 90).join(" "), /asked for 1 min 30 s/);
  assert.match(waitWords({ ...WAIT, mode: "overflow" }, 90).join(" "), /Airflow's longest wait/);
  assert.match(waitWords({ ...WAIT, kind: "reschedule" }, 90).join(" "), /Not a failure/);
});

test("waits are drawn on one scale, with what the cap cut off", () => {
  const [short, long] = waitBars([
    { ...WAIT, baseSeconds: 30, jitterSeconds: 10, delaySeconds: 40, cappedBy: null },
    WAIT,
  ]);
  if (short === undefined || long === undefined) throw new Error("two bars");
  const whole = 101 * 1.02;
  const near = (seen: number | null, seconds: number): void => {
    assert.ok(Math.abs((seen ?? -1) - seconds / whole) < 1e-9, `${seen} for ${seconds}`);
  };
  near(short.base, 30);
  near(short.jitter, 10);
  near(short.cutOff, 0);
  near(long.base, 60);
  near(long.jitter, 30);
  near(long.cutOff, 11);
  near(long.cap, 90);
  assert.is(long.capIsBeyond, false);
  const [far] = waitBars([{ ...WAIT, capSeconds: 86_400, cappedBy: null, delaySeconds: 101 }]);
  assert.is(far?.cap, null, "a cap far away does not squeeze the rest");
  assert.is(far?.capIsBeyond, true);
  assert.equal(
    waitBars([{ ...WAIT, mode: "fixed", delaySeconds: 0, capSeconds: null }])[0]?.base,
    0,
  );
});

test.run();
