import { TaskFailure } from "@parlance/results";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FakeClock, openStore } from "./open-store.ts";

test("it looks at once, each half second, and a last time at the deadline", async () => {
  const clock = new FakeClock("2026-07-01T12:00:00Z");
  const { store } = await openStore({ clock });
  const error = await rejects(store.wait("t", { timeoutMs: 1200 }), "timeout");
  assert.equal(clock.sleeps, [500, 500, 200]);
  assert.is(error.message, 'wait: after 1200 ms task "t" is PENDING, which is not the end of it.');
  await rejects(store.wait("t", { timeoutMs: 0 }), "timeout");
  assert.is(clock.sleeps.length, 3, "a timeout of 0 looks once");
  await rejects(store.wait("t", { timeoutMs: 250, intervalMs: 100 }), "timeout");
  assert.equal(clock.sleeps.slice(3), [100, 100, 50]);
  await store.close();
});

test("it ends with the task, whoever stored the outcome", async () => {
  const { store, run } = await openStore();
  const waiting = store.wait("t", { intervalMs: 5, timeoutMs: 10_000 });
  await store.store("t", { state: "STARTED" });
  run("UPDATE celery_taskmeta SET status = 'SUCCESS', result = CAST('42' AS BLOB)");
  assert.is((await waiting).result, 42);
  assert.is((await store.wait("t", { timeoutMs: 0 })).result, 42);
  await store.close();
});

test("FAILURE and REVOKED are thrown, or returned where that is asked for", async () => {
  const { store } = await openStore();
  await store.store("f", { state: "FAILURE", result: new RangeError("too far") });
  const error = await rejects(store.wait("f"));
  assert.instance(error, TaskFailure);
  assert.is(error.message, "RangeError: too far");
  const meta = await store.wait("f", { propagate: false });
  assert.instance(meta.result, TaskFailure);
  await store.store("r", { state: "REVOKED", result: null });
  assert.match(
    (await rejects(store.wait("r"))).message,
    /The task is REVOKED; no exception was stored/,
  );
  await store.close();
});

test("an abort ends it, before and in between", async () => {
  const { store } = await openStore();
  const reason = new Error("enough");
  const before = await rejects(store.wait("t", { signal: AbortSignal.abort(reason) }), "aborted");
  assert.is(before.cause, reason);
  const controller = new AbortController();
  const waiting = rejects(store.wait("t", { signal: controller.signal }), "aborted");
  controller.abort(reason);
  assert.is((await waiting).cause, reason);
  const later = rejects(store.wait("t", { signal: AbortSignal.timeout(20) }), "aborted");
  assert.is(((await later).cause as Error).name, "TimeoutError");
  await store.close();
});

test("numbers that are none are refused", async () => {
  const { store } = await openStore();
  for (const timeoutMs of [-1, Number.NaN])
    await rejects(store.wait("t", { timeoutMs }), "bad-option");
  for (const intervalMs of [0, -1, Number.NaN])
    await rejects(store.wait("t", { intervalMs }), "bad-option");
  await store.close();
});

test.run();
