import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BoundedLines } from "../../../dist/dag-run/files/bounded-lines.js";
import { readLines } from "../../../dist/dag-run/files/read-lines.js";
import { openEngine, runDag } from "../../support/engine.ts";
import { fail } from "../../support/fake-coordinator.ts";

const folder = temporaryFolder("parlance-history");

test("runs come the newest first, page by page, of one Dag or of all", async () => {
  const engine = await openEngine();
  const { history } = engine;
  for (const [at, dagId] of ["x", "y", "x", "x"].entries()) {
    await runDag(engine, { dagId, tasks: [{ id: "a" }] }, {}, { runId: `r${at}` });
  }
  assert.equal(await history.dagIds(), ["x", "y"]);
  const all = await history.runs();
  assert.equal(
    all.runs.map(({ runId }) => runId),
    ["r3", "r2", "r1", "r0"],
  );
  assert.is(all.nextBefore, null);
  const first = await history.grid({ dagId: "x", limit: 2 });
  assert.equal(
    first.runs.map(({ runId }) => runId),
    ["r3", "r2"],
  );
  const next = await history.grid({ dagId: "x", limit: 2, before: first.nextBefore });
  assert.equal(
    next.runs.map(({ runId }) => runId),
    ["r0"],
  );
  assert.is(next.nextBefore, null);
  await engine.close();
});

test("what a task of a run by itself has left is a run, too", async () => {
  const engine = await openEngine();
  const { store, history } = engine;
  const at = "2026-01-02T03:04:05.000Z";
  await store.dagRuns.set({
    ...{ dagId: "d", runId: "r", logicalDate: at, dataIntervalStart: at, dataIntervalEnd: at },
    ...{ runAfter: at, startDate: at, endDate: null, clearNumber: 0, runType: "manual" },
    ...{ state: "running", conf: null, triggeringUserName: null, partitionKey: null },
    ...{ partitionDate: null, note: null, teamName: null },
  });
  const ref = { dagId: "d", runId: "r", taskId: "a", mapIndex: -1 };
  const dates = { startDate: at, endDate: at };
  await store.taskInstances.set({ ...ref, ...dates, state: "success", tryNumber: 1 });
  const [run] = (await history.grid({ dagId: "d" })).runs;
  assert.is(run?.cells["a"]?.state, "success");
  assert.equal(await history.attempts(ref), []);
  assert.equal(await history.plannedWaits(ref), []);
  assert.is(await history.serializedDag("d", "r"), undefined);
  await engine.close();
});

test("the waits to come, as they would be if every try failed", async () => {
  const engine = await openEngine();
  const tasks = [{ id: "a", retries: 3, retry_delay: 10, retry_exponential_backoff: 2 }];
  let planned: Promise<readonly { afterTry: number; baseSeconds: number | null }[]> | undefined;
  await runDag(
    engine,
    { tasks },
    { a: (call) => call.tryNumber < 2 && fail(call) },
    {
      onEvent: ({ type }) => {
        const ref = { dagId: "d", runId: "r", taskId: "a", mapIndex: -1 };
        if (type === "attempt-started") planned ??= engine.history.plannedWaits(ref);
      },
    },
  );
  assert.equal(
    (await planned)?.map(({ afterTry, baseSeconds }) => [afterTry, baseSeconds]),
    [
      [1, 10],
      [2, 20],
      [3, 40],
    ],
  );
  await engine.close();
});

test("XComs are exact, and what is secret in them is not shown", async () => {
  const engine = await openEngine();
  await engine.store.variables.set({ key: "api_token", value: "s3cret-word", description: null });
  await runDag(
    engine,
    { tasks: [{ id: "a" }] },
    {
      a: async ({ request, push }) => {
        await push({ big: 2n ** 63n, said: "s3cret-word" });
        const ref = { dagId: "d", runId: "r", taskId: "a", mapIndex: -1, key: "password" };
        await request.store.xcoms.set(ref, "hidden");
      },
    },
  );
  const xcoms = await engine.history.xcoms({ dagId: "d", runId: "r", taskId: "a" });
  assert.equal(Object.fromEntries(xcoms.map(({ key, json }) => [key, json])), {
    return_value: '{"big":{"$":"int","v":"9223372036854775808"},"said":"***"}',
    password: '"***"',
  });
  await engine.close();
});

test("the folder of the attempts is its owner's alone", async () => {
  const engine = await openEngine();
  await runDag(engine, { tasks: [{ id: "a" }] }, { a: ({ log }) => log("x") });
  const attempts = `${engine.file}.attempts`;
  assert.is(statSync(attempts).mode & 0o777, 0o700);
  for (const name of readdirSync(attempts)) {
    assert.is(statSync(join(attempts, name)).mode & 0o777, 0o600, name);
  }
  await engine.close();
});

test("a file takes so much and no more, and is read in pages of whole lines", async () => {
  const path = join(folder, "lines");
  const lines = new BoundedLines(path, { file: 30, line: 10 });
  assert.ok(lines.add("one") && lines.add("zwei €") && lines.add("drei"));
  assert.not(lines.add("this is too much"));
  assert.is(lines.lost, 1);
  await lines.close("end");
  appendFileSync(path, "unfinis");
  const first = await readLines(path, 0, 2);
  assert.equal(first, { lines: ["one", "zwei €"], next: 13, hasMore: true });
  const rest = await readLines(path, first.next, 10);
  assert.equal(rest.lines, ["drei", "end"]);
  assert.is(rest.hasMore, false);
  assert.equal(await readLines(join(folder, "none"), 5, 1), { lines: [], next: 5, hasMore: false });
});

test.run();
