import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run } from "../support/run-scenario.js";

/** scenario, should_retry, final state, exit code */
const ENDS: readonly [string, boolean, string, number][] = [
  ["succeed", false, "success", 0],
  ["fail", true, "failed", 0],
  ["skip", false, "skipped", 0],
  ["retry", false, "up_for_retry", 0],
  ["defer", false, "deferred", 0],
  ["silent", false, "success", 0],
  ["closeEarly", false, "success", 0],
  ["exit7", false, "failed", 7],
  ["exit7", true, "up_for_retry", 7],
  ["kill", false, "failed", -9],
  ["failThenSucceed", false, "success", 0],
  ["succeedThenExit1", true, "up_for_retry", 1],
];

test("every way to end has the final state of the tables", async () => {
  const ran = await Promise.all(
    ENDS.map(([scenario, shouldRetry]) => run(scenario, { shouldRetry })),
  );
  for (const [at, { result, store }] of ran.entries()) {
    const [scenario, , finalState, exitCode] = ENDS[at] as (typeof ENDS)[number];
    assert.equal([result.finalState, result.exitCode], [finalState, exitCode], scenario);
    const [instance] = await store.taskInstances.list({ dagId: "d" });
    assert.is(instance?.state, finalState, scenario);
  }
});

test("a retry's delay and reason are in the result", async () => {
  const { result } = await run("retry");
  assert.equal(result.retry, { delaySeconds: 1.5, reason: "flaky" });
  assert.is(result.terminal?.["type"], "RetryTask");
});

test("an earlier try's XComs are gone when the next one starts", async () => {
  const store = new MemoryTaskStore();
  const left = { dagId: "d", runId: "r", taskId: "t", key: "old", mapIndex: -1 };
  await store.xcoms.set(left, 1);
  await store.xcoms.set({ ...left, taskId: "other" }, 2);
  await run("succeed", { store });
  assert.is(await store.xcoms.get(left), undefined);
  assert.is((await store.xcoms.get({ ...left, taskId: "other" }))?.value, 2);
});

test("bytes that are no frame end the task, with one record and the code", async () => {
  const { result, logs } = await run("garbage", { shouldRetry: true });
  assert.equal([result.finalState, result.error?.code], ["up_for_retry", "not-msgpack"]);
  assert.ok((result.exitCode ?? 0) < 0);
  const records = logs.filter(({ logger }) => logger === "parlance.supervisor");
  assert.equal(
    records.map(({ level, code }) => [level, code]),
    [["error", "not-msgpack"]],
  );
});

test("a broken link is no success, even with exit code 0", async () => {
  const empty = await run("garbageThenExit0");
  assert.equal([empty.result.finalState, empty.result.error?.code], ["failed", "empty-frame"]);
  const half = await run("half");
  assert.equal([half.result.finalState, half.result.exitCode], ["failed", 0]);
  assert.is(half.result.error?.code, "truncated");
});

test("bad messages are answered, and the task goes on", async () => {
  const { result, events } = await run("bad");
  assert.is(result.finalState, "success");
  assert.match(String(events[0]), "/key");
  assert.match(String(events[1]), "Nonsense");
});

test("requests after the terminal message are still answered", async () => {
  const store = new MemoryTaskStore();
  await seedStore(store, { variables: { plain: "still here" } });
  const { result, events } = await run("requestsAfterTheEnd", { store });
  assert.equal([result.finalState, events], ["success", ["still here"]]);
});

test("2,000 requests in flight are all answered", async () => {
  const { result, events } = await run("pipeline");
  assert.equal([result.finalState, events], ["success", ["2000", "bye"]]);
});

test("an abort before the start is a failed start", async () => {
  const { result } = await run("succeed", { signal: AbortSignal.abort(), shouldRetry: true });
  assert.equal(
    [result.finalState, result.exitCode, result.error?.code],
    ["up_for_retry", null, "aborted"],
  );
});

test("the schema version decides what StartupDetails looks like", async () => {
  const argBindings = [{ kind: "literal", name: "a", value: 3 }] as const;
  const shape = async (schemaVersion: "2026-06-16" | "2026-10-30"): Promise<object> => {
    const { logs } = await run("details", { argBindings }, { schemaVersion });
    return JSON.parse(String(logs[0]?.["details"])).ti_context;
  };
  assert.not("arg_bindings" in (await shape("2026-06-16")));
  const newer = (await shape("2026-10-30")) as { arg_bindings: unknown };
  const binding = { name: "a", value_schema: null, kind: "literal", value: 3, from_default: false };
  assert.equal(newer.arg_bindings, [binding]);
});

test("a failed start is a result, with the program's last words in the log", async () => {
  const script = "console.log('out'); console.error('no such module'); process.exit(3)";
  const { result, logs } = await run("", {}, { argv: [process.execPath, "-e", script, "--"] });
  assert.equal([result.finalState, result.exitCode], ["failed", 3]);
  assert.is(result.error?.code, "exited-before-connect");
  const words = logs.map(({ logger, event }) => `${logger} ${String(event)}`);
  assert.ok(
    words.includes("task.stdout out") && words.includes("task.stderr no such module"),
    words.join("\n"),
  );

  const missing = await run("", { shouldRetry: true }, { argv: ["/nonexistent/program"] });
  assert.equal([missing.result.finalState, missing.result.exitCode], ["up_for_retry", null]);
  assert.is(missing.result.error?.code, "spawn-failed");

  const silent = await run(
    "",
    {},
    { argv: [process.execPath, "-e", "setInterval(() => {}, 1000)", "--"], startupTimeoutMs: 300 },
  );
  assert.is(silent.result.error?.code, "startup-timeout");
});

test("a store that can't be prepared is a failed start, and the process is ended", async () => {
  const store = new MemoryTaskStore();
  store.xcoms.list = () => Promise.reject(new Error("the disk is gone"));
  const { result } = await run("stubborn", { store });
  assert.equal([result.finalState, result.error?.code], ["failed", "store-failed"]);
  assert.match(String(result.error?.message), "the disk is gone");
});

test.run();
