import { MemoryTaskStore } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run, supervisorEvents } from "../support/run-scenario.js";

test("a link that can't be read ends its own task only: one record, the code, no state left running", async () => {
  const store = new MemoryTaskStore();
  const [broken, ...others] = await Promise.all([
    run("garbage", { store, taskId: "broken", shouldRetry: true }),
    run("echo", { store, taskId: "a" }),
    run("echo", { store, taskId: "b" }),
  ]);
  assert.is(broken.result.finalState, "up_for_retry");
  assert.ok((broken.result.exitCode ?? 0) < 0);
  assert.is(broken.result.error?.code, "not-msgpack");
  const errors = broken.logs.filter(({ level }) => level === "error");
  assert.equal(
    errors.map(({ logger, ...record }) => [logger, record["code"]]),
    [["parlance.supervisor", "not-msgpack"]],
  );
  for (const { result } of others) assert.is(result.finalState, "success");
  const states = (await store.taskInstances.list({ dagId: "d" })).map(({ state }) => state);
  assert.equal(states, ["success", "success", "up_for_retry"]);
});

test("strictAirflow says what a stock supervisor would come to", async () => {
  const strictAirflow = true;
  const garbage = await run("garbage", {}, { strictAirflow });
  assert.is(garbage.result.finalState, "failed");
  assert.match(supervisorEvents(garbage.logs), /stock supervisor would die of it/);
  const empty = await run("garbageThenExit0", {}, { strictAirflow });
  assert.match(supervisorEvents(empty.logs), /stock supervisor would read nothing more/);
  // To stock a link that is cut off in a frame has ended; the exit code says the rest.
  const half = await run("half", {}, { strictAirflow });
  assert.equal([half.result.finalState, half.result.error], ["success", undefined]);
});

test("what the store is told of an attempt is never that it runs on", async () => {
  const store = new MemoryTaskStore();
  const expected = [
    ["silent", false, "success"],
    ["exit7", false, "failed"],
    ["exit7", true, "up_for_retry"],
    ["kill", true, "up_for_retry"],
    ["succeedThenExit1", true, "up_for_retry"],
  ] as const;
  await Promise.all(
    expected.map(([scenario, shouldRetry], at) =>
      run(scenario, { store, shouldRetry, taskId: `${at} ${scenario}` }),
    ),
  );
  const rows = await store.taskInstances.list({ dagId: "d" });
  assert.equal(
    rows.map(({ taskId, state, endDate }) => [taskId, state, endDate !== null]),
    expected.map(([scenario, , state], at) => [`${at} ${scenario}`, state, true]),
  );
});

test("the run of a task is in the store; one that was triggered and queued runs now", async () => {
  const store = new MemoryTaskStore();
  await run("succeed", { store, dagRun: { logicalDate: new Date("2026-06-16T00:00:00Z") } });
  const seen = await store.dagRuns.get("d", "r");
  assert.equal([seen?.state, seen?.logicalDate], ["running", "2026-06-16T00:00:00+00:00"]);
  await store.dagRuns.update("d", "r", { state: "queued", startDate: null, note: "kept" });
  await run("succeed", { store });
  const again = await store.dagRuns.get("d", "r");
  assert.equal([again?.state, again?.note, again?.startDate !== null], ["running", "kept", true]);
});

test("what the store has of a run is told to its tasks, and what the caller says wins", async () => {
  const store = new MemoryTaskStore();
  const seen = await run("details", { store, dagRun: { conf: { n: 1 }, note: "first" } });
  await store.dagRuns.update("d", "r", { state: "success", endDate: "2026-06-17T00:00:00Z" });
  const { logs } = await run("details", { store, dagRun: { note: "second" } });
  const dagRunOf = (records: typeof logs) => {
    const record = records.find(({ event }) => event === "details");
    return JSON.parse(String(record?.["details"])).ti_context.dag_run;
  };
  const [before, after] = [dagRunOf(seen.logs), dagRunOf(logs)];
  assert.equal([after.conf, after.note, after.state], [{ n: 1 }, "second", "running"]);
  assert.is(after.run_after, before.run_after);
  const stored = await store.dagRuns.get("d", "r");
  assert.equal([stored?.state, stored?.endDate], ["running", null]);
});

test("tries are kept", async () => {
  const store = new MemoryTaskStore();
  const of = (tryNumber: number) => {
    return { taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber, shouldRetry: true } };
  };
  await run("retry", { store, ...of(1) });
  await run("succeed", { store, ...of(2) });
  const ref = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 };
  const [first] = await store.taskInstances.history(ref);
  assert.equal(
    [first?.state, first?.tryNumber, first?.retryDelaySeconds, first?.retryReason],
    ["up_for_retry", 1, 1.5, "flaky"],
  );
  assert.is((await store.taskInstances.get(ref))?.state, "success");
});

test.run();
