import type { StoredDagRun, TaskInstanceRef } from "@parlance/coordinator";
import { Float } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { STORE_KINDS } from "../support/store-kinds.js";

const REF: TaskInstanceRef = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 };
const NOTHING = { state: null, tryNumber: 1, startDate: null, endDate: null };

function run(runId: string, logicalDate: string | null, more: Partial<StoredDagRun> = {}) {
  return {
    dagId: "d",
    runId,
    logicalDate,
    dataIntervalStart: null,
    dataIntervalEnd: null,
    runAfter: logicalDate ?? "2026-06-20T00:00:00Z",
    startDate: "2026-06-16T01:00:00Z",
    endDate: null,
    clearNumber: 0,
    runType: "manual",
    state: "success",
    conf: null,
    triggeringUserName: null,
    partitionKey: null,
    partitionDate: null,
    note: null,
    teamName: null,
    ...more,
  };
}

for (const [kind, open] of STORE_KINDS) {
  test(`${kind}: a task instance keeps every fact, and loses those that a new try has not`, async () => {
    const store = await open();
    const { taskInstances } = store;
    const facts = {
      id: "11111111-1111-4111-8111-111111111111",
      nextMethod: "m",
      nextKwargs: { big: 2n ** 63n, whole: new Float(1) },
      deferral: { classpath: "x.Y" },
      rescheduleDate: "2026-06-16T00:00:00Z",
      rescheduleCount: 2,
      firstStartDate: "2026-06-15T00:00:00Z",
      maxTries: 3,
      note: "a word",
      retryDelaySeconds: 1.5,
      retryReason: "why",
      renderedMapIndex: "label",
      renderedFields: { a: 1 },
    };
    const first = { ...REF, ...NOTHING, state: "deferred", ...facts };
    await taskInstances.set(first);
    assert.equal(await taskInstances.get(REF), first);
    assert.is(await taskInstances.get({ ...REF, mapIndex: 0 }), undefined);
    assert.is(await taskInstances.update(REF, { state: "running", retryReason: null }), true);
    assert.is(await taskInstances.update({ ...REF, taskId: "no" }, { state: "running" }), false);
    const running = { ...first, state: "running", retryReason: null };
    assert.equal(await taskInstances.get(REF), running);

    await taskInstances.set({ ...REF, ...NOTHING, tryNumber: 2, state: "running" });
    const second = await taskInstances.get(REF);
    assert.equal([second?.tryNumber, second?.id, second?.rescheduleCount], [2, null, 0]);
    assert.equal(await taskInstances.history(REF), [running]);
    await store.close();
  });

  test(`${kind}: each try goes into the history once, by its number or its id`, async () => {
    const store = await open();
    const { taskInstances } = store;
    for (const [id, tryNumber] of [
      ["a", 1],
      ["a", 1],
      ["b", 1],
      ["c", 2],
      [null, 2],
    ] as const) {
      await taskInstances.set({ ...REF, ...NOTHING, id, tryNumber });
    }
    const tries = (await taskInstances.history(REF)).map(({ id, tryNumber }) => [id, tryNumber]);
    assert.equal(tries, [
      ["a", 1],
      ["b", 1],
    ]);
    assert.equal(await taskInstances.history({ ...REF, taskId: "u" }), []);
    await store.close();
  });

  test(`${kind}: task instances are listed by run, task and map index`, async () => {
    const store = await open();
    const { taskInstances } = store;
    for (const [runId, taskId, mapIndex] of [
      ["r2", "t", -1],
      ["r", "\u{1f426}", -1],
      ["r", "\uffee", 10],
      ["r", "\uffee", 9],
    ] as const) {
      await taskInstances.set({ ...REF, ...NOTHING, runId, taskId, mapIndex });
    }
    const list = async (filter: object): Promise<string[]> =>
      (await taskInstances.list({ dagId: "d", ...filter })).map(
        ({ runId, taskId, mapIndex }) => `${runId} ${taskId} ${mapIndex}`,
      );
    assert.equal(await list({}), ["r \uffee 9", "r \uffee 10", "r \u{1f426} -1", "r2 t -1"]);
    assert.equal(await list({ runIds: ["r2", "no"] }), ["r2 t -1"]);
    assert.equal(await list({ runIds: [] }), []);
    assert.equal(await list({ taskIds: ["t", "\u{1f426}"] }), ["r \u{1f426} -1", "r2 t -1"]);
    assert.equal(await list({ mapIndex: 10 }), ["r \uffee 10"]);
    await rejects(taskInstances.set({ ...REF, ...NOTHING, taskId: "a\0" }), "bad-key");
    await store.close();
  });

  test(`${kind}: runs are made once, changed, and found by date whatever the zone`, async () => {
    const { dagRuns, close } = await open().then((store) => ({
      dagRuns: store.dagRuns,
      close: () => store.close(),
    }));
    const first = run("r1", "2026-06-16T00:00:00+00:00", { conf: { n: new Float(2) } });
    assert.is(await dagRuns.create(first), true);
    assert.is(await dagRuns.create({ ...first, state: "failed" }), false);
    assert.equal(await dagRuns.get("d", "r1"), first);
    assert.is(await dagRuns.get("d", "no"), undefined);
    await dagRuns.set(run("r0", "2026-06-15T23:30:00.000001Z", { state: "failed" }));
    await dagRuns.set(run("r3", "2026-06-17T00:00:00+09:00"));
    await dagRuns.set(run("asset", null));
    await dagRuns.set({ ...run("r1", "2026-06-16T00:00:00Z"), dagId: "e" });
    const ids = async (filter: object): Promise<string[]> =>
      (await dagRuns.list({ dagId: "d", ...filter })).map(({ runId }) => runId);
    assert.equal(await ids({}), ["asset", "r0", "r1", "r3"]);
    assert.equal(await ids({ states: ["failed"] }), ["r0"]);
    assert.equal(await ids({ runIds: ["r3", "r1"] }), ["r1", "r3"]);
    assert.equal(await ids({ logicalDates: ["2026-06-16T02:00:00+02:00"] }), ["r1"]);
    assert.equal(await ids({ states: [] }), []);

    const previous = async (before: string, state?: string): Promise<string | undefined> =>
      (await dagRuns.previous("d", before, state))?.runId;
    assert.is(await previous("2026-06-16T00:00:00Z"), "r0");
    assert.is(await previous("2026-06-16T00:00:00.000001Z"), "r1");
    assert.is(await previous("2026-07-01T00:00:00Z"), "r3");
    assert.is(await previous("2026-07-01T00:00:00Z", "failed"), "r0");
    assert.is(await previous("2026-06-15T00:00:00Z"), undefined);

    assert.is(await dagRuns.update("d", "r1", { note: "n", state: "running" }), true);
    assert.equal(await dagRuns.get("d", "r1"), { ...first, note: "n", state: "running" });
    assert.equal(await ids({ states: ["running"] }), ["r1"]);
    assert.is(await dagRuns.update("d", "no", { note: "n" }), false);
    await rejects(dagRuns.set(run("bad", "2026-06-16T00:00:00")), "bad-value");
    await rejects(dagRuns.create(run("bad\0", null)), "bad-key");
    await close();
  });

  test(`${kind}: a clear makes a run ready again and keeps its tries`, async () => {
    const store = await open();
    const { dagRuns, taskInstances } = store;
    await dagRuns.set(run("r", null, { endDate: "2026-06-16T02:00:00Z" }));
    const done = { ...REF, ...NOTHING, state: "success", id: "a", renderedMapIndex: "x" };
    await taskInstances.set(done);
    await taskInstances.set({ ...done, runId: "other" });
    assert.is(await dagRuns.clear("d", "r"), true);
    assert.is(await dagRuns.clear("d", "no"), false);
    const cleared = await dagRuns.get("d", "r");
    assert.equal([cleared?.state, cleared?.clearNumber, cleared?.endDate], ["queued", 1, null]);
    const row = await taskInstances.get(REF);
    assert.equal(
      [row?.state, row?.tryNumber, row?.id, row?.renderedMapIndex],
      [null, 1, null, null],
    );
    assert.equal(
      (await taskInstances.history(REF)).map(({ state, id }) => [state, id]),
      [["success", "a"]],
    );
    assert.is((await taskInstances.get({ ...REF, runId: "other" }))?.state, "success");
    await dagRuns.update("d", "r", { state: "running" });
    await dagRuns.clear("d", "r");
    assert.is((await dagRuns.get("d", "r"))?.state, "running", "one that runs goes on");
    assert.is((await taskInstances.history(REF)).length, 1, "there was nothing to archive");
    await store.close();
  });

  test(`${kind}: XComs of earlier runs go by the dates of the runs, not by when they were written`, async () => {
    const store = await open();
    const { dagRuns, xcoms } = store;
    await dagRuns.set(run("monday", "2026-06-15T00:00:00Z"));
    await dagRuns.set(run("tuesday", "2026-06-16T00:00:00Z"));
    await dagRuns.set(run("wednesday", "2026-06-17T00:00:00Z"));
    await dagRuns.set(run("due-monday-noon", null, { runAfter: "2026-06-15T12:00:00Z" }));
    const of = (runId: string, mapIndex = -1) => {
      return { dagId: "d", runId, taskId: "t", key: "k", mapIndex };
    };
    const latest = async (runId: string): Promise<unknown> =>
      (await xcoms.latest(of(runId)))?.value;
    await xcoms.set(of("unknown"), "unknown");
    assert.is(await latest("tuesday"), "unknown");
    await xcoms.set(of("wednesday"), "wednesday");
    assert.is(await latest("tuesday"), "unknown");
    await xcoms.set(of("due-monday-noon"), "noon");
    await xcoms.set(of("monday"), "monday");
    assert.is(await latest("tuesday"), "noon");
    assert.is(await latest("monday"), "monday");
    assert.is(await latest("wednesday"), "wednesday");
    await xcoms.set(of("tuesday", 0), "tuesday 0");
    const all = { start: null, stop: null, step: null };
    const slice = async (runId: string): Promise<unknown[]> =>
      (await xcoms.slice(of(runId), all, { priorRuns: true })).map(({ value }) => value);
    assert.equal(await slice("tuesday"), ["unknown", "monday", "noon", "tuesday 0"]);
    assert.equal(await slice("monday"), ["unknown", "monday"]);
    await store.close();
  });
}

test.run();
