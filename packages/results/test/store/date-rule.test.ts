import { test } from "uvu";
import * as assert from "uvu/assert";
import { FakeClock, openStore } from "./open-store.ts";

const NOW = "2026-07-01T12:00:00.250Z";

async function dateAfter(options: object, ...states: string[]): Promise<unknown> {
  const { store, query } = await openStore({ clock: new FakeClock(NOW), ...options });
  for (const state of states) await store.store("t", { state });
  const [row] = query("SELECT date_done FROM celery_taskmeta");
  await store.close();
  return row?.["date_done"];
}

const UTC = "2026-07-01 12:00:00.250000";

test("a time stands beside a finished task, and beside an unready one that was stored twice", async () => {
  assert.is(await dateAfter({}, "SUCCESS"), UTC);
  assert.is(await dateAfter({}, "REVOKED"), UTC);
  for (const state of ["STARTED", "RETRY", "PENDING", "PROGRESS"]) {
    assert.is(await dateAfter({}, state), null, state);
    assert.is(await dateAfter({}, state, state), UTC, `${state} twice`);
    assert.is(await dateAfter({}, state, state, state), null, `${state} three times`);
  }
  assert.is(await dateAfter({}, "FAILURE", "STARTED"), null);
  assert.is(await dateAfter({}, "FAILURE", "STARTED", "RETRY"), UTC);
});

test("Celery's zone is the wall clock of the app, but for the time that fills itself", async () => {
  const zones = [
    [{ timezone: "America/New_York" }, "2026-07-01 08:00:00.250000"],
    [{ timezone: "Asia/Kolkata" }, "2026-07-01 17:30:00.250000"],
    [{ timezone: "UTC" }, UTC],
    [{ dates: "celery" }, UTC],
  ] as const;
  for (const [options, expected] of zones) {
    assert.is(await dateAfter(options, "SUCCESS"), expected);
    assert.is(await dateAfter(options, "STARTED", "STARTED"), UTC);
  }
});

test("a time reads back to its instant, whatever the zone", async () => {
  for (const timezone of [
    undefined,
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
  ]) {
    for (const now of [
      "2026-03-08T06:59:59.999Z",
      "2026-03-08T07:00:00.000Z",
      "2026-12-31T23:30:00.001Z",
    ]) {
      const { store } = await openStore({
        clock: new FakeClock(now),
        ...(timezone === undefined ? {} : { timezone }),
      });
      await store.store("t", { state: "SUCCESS" });
      assert.is((await store.get("t")).dateDone?.toISOString(), now, timezone);
      await store.close();
    }
  }
});

test("in the hour that comes twice the earlier instant is read", async () => {
  const { store, run } = await openStore({ timezone: "America/New_York" });
  run(
    "INSERT INTO celery_taskmeta (task_id, status, date_done) VALUES ('t', 'X', '2026-11-01 01:30:00.000000')",
  );
  assert.is((await store.get("t")).dateDone?.toISOString(), "2026-11-01T05:30:00.000Z");
  await store.close();
});

test("a cleanup compares in the zone that rows are written in", async () => {
  for (const timezone of ["America/New_York", "Asia/Shanghai"]) {
    const clock = new FakeClock(NOW);
    const { store } = await openStore({ timezone, clock });
    await store.store("t", { state: "SUCCESS" });
    await store.saveGroup("g", ["t"]);
    clock.nowMs += 3_599_000;
    assert.equal(await counts(store.cleanup({ expiresSeconds: 3600 })), [0, 0], timezone);
    clock.nowMs += 2_000;
    assert.equal(await counts(store.cleanup({ expiresSeconds: 3600 })), [1, 1], timezone);
    await store.close();
  }
});

async function counts(progress: Promise<{ tasks: number; groups: number }>): Promise<number[]> {
  const { tasks, groups } = await progress;
  return [tasks, groups];
}

test("times that other writers left are read, and what is no time is null beside its text", async () => {
  const { store, run } = await openStore();
  const texts = [
    ["2026-06-16 01:02:03", "2026-06-16T01:02:03.000Z"],
    ["2026-06-16T01:02:03.123Z", "2026-06-16T01:02:03.123Z"],
    ["2026-06-16 01:02:03.123456+02:00", "2026-06-15T23:02:03.123Z"],
    ["2026-06-16", "2026-06-16T00:00:00.000Z"],
    ["yesterday", undefined],
  ] as const;
  for (const [text, expected] of texts) {
    run("DELETE FROM celery_taskmeta");
    run("INSERT INTO celery_taskmeta (task_id, status, date_done) VALUES ('t', 'SUCCESS', ?)", [
      text,
    ]);
    const meta = await store.get("t");
    assert.is(meta.dateDone?.toISOString(), expected, text);
    assert.is(meta.dateDoneText, text);
  }
  await store.close();
});

test.run();
