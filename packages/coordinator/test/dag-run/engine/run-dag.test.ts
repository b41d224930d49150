import { DagRunError } from "@parlance/coordinator/dag-run";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runnableDag } from "../../support/dag-documents.ts";
import { openEngine, runDag, statesOf } from "../../support/engine.ts";
import { FakeCoordinator, fail } from "../../support/fake-coordinator.ts";

test("a Dag with a retry, mapping and a failure that is mended", async () => {
  const engine = await openEngine();
  const run = await runDag(
    engine,
    {
      tasks: [
        { id: "list", retries: 2, retry_delay: 30 },
        { id: "each", after: ["list"], over: { row: "list" } },
        { id: "bad", after: ["each"] },
        { id: "mend", after: ["bad"], rule: "one_failed" },
      ],
    },
    {
      list: (call) => (call.tryNumber < 3 ? fail(call) : call.push([1, 2], 2)),
      bad: fail,
    },
  );
  assert.equal(run.calls, [
    "list#1",
    "list#2",
    "list#3",
    "each[0]#1",
    "each[1]#1",
    "bad#1",
    "mend#1",
  ]);
  assert.equal(run.states, {
    ...{ list: "success", "each[0]": "success", "each[1]": "success" },
    ...{ bad: "failed", mend: "success" },
  });
  assert.is(run.outcome.state, "success");
  const { history } = engine;
  const list = { dagId: "d", runId: "r", taskId: "list", mapIndex: -1 };
  const waits = await history.waits(list);
  assert.equal(
    waits.map(({ afterTry, mode, delaySeconds, scaledSeconds, reason }) => [
      afterTry,
      mode,
      delaySeconds,
      scaledSeconds,
      reason,
    ]),
    [
      [1, "fixed", 30, 0, "it failed"],
      [2, "fixed", 30, 0, "it failed"],
    ],
  );
  assert.ok(waits.every(({ startedAt, dueAt }) => startedAt !== null && dueAt !== null));
  const attempts = await history.attempts(list);
  assert.equal(
    attempts.map(({ state, tryNumber }) => [state, tryNumber]),
    [
      ["up_for_retry", 1],
      ["up_for_retry", 2],
      ["success", 3],
    ],
  );
  const [grid] = (await history.grid({ dagId: "d" })).runs;
  assert.equal(grid?.cells["each"], { state: "success", tryNumber: 1, instances: 2 });
  assert.is((await history.run("d", "r"))?.state, "success");
  await engine.close();
});

test("everything told is in the store by then", async () => {
  const engine = await openEngine();
  const { history } = engine;
  const checks: Promise<void>[] = [];
  await runDag(
    engine,
    { tasks: [{ id: "a" }, { id: "b", after: ["a"] }] },
    {},
    {
      onEvent: (event) => {
        if (event.type !== "instance") return;
        const { instance } = event;
        checks.push(
          history.instance(instance).then((row) => {
            // It may have gone on by the time it is read.
            const order = [null, "scheduled", "queued", "running", "success"];
            assert.ok(order.indexOf(row?.state ?? null) >= order.indexOf(instance.state));
          }),
        );
      },
    },
  );
  await Promise.all(checks);
  await engine.close();
});

test("limits hold: of the runner, the Dag, a pool, a task", async () => {
  const engine = await openEngine(undefined, { parallel: 3, pools: { narrow: 1 } });
  const wide = Array.from({ length: 6 }, (_, at) => ({ id: `t${at}` }));
  assert.ok((await runDag(engine, { tasks: wide }, {}, { runId: "1" })).mostRunning <= 3);
  const two = await runDag(engine, { tasks: wide, max_active_tasks: 2 }, {}, { runId: "2" });
  assert.ok(two.mostRunning <= 2);
  const pooled = wide.map((task) => ({ ...task, pool: "narrow" }));
  assert.is((await runDag(engine, { tasks: pooled }, {}, { runId: "3" })).mostRunning, 1);
  const mapped = [{ id: "m", over: { x: [1, 2, 3] }, max_active_tis_per_dagrun: 1 }];
  assert.is((await runDag(engine, { tasks: mapped }, {}, { runId: "4" })).mostRunning, 1);
  const tooWide = [{ id: "t", pool: "narrow", pool_slots: 2 }];
  await rejects(runDag(engine, { tasks: tooWide }, {}, { runId: "5" }), "pool-too-small");
  await engine.close();
});

test("a try that reschedules itself goes on as the same try", async () => {
  const engine = await openEngine();
  let pokes = 0;
  const run = await runDag(
    engine,
    { tasks: [{ id: "poke" }] },
    {
      poke: async ({ request }) => {
        pokes += 1;
        if (pokes === 3) return undefined;
        const rescheduleDate = new Date(Date.now() + 60_000).toISOString();
        const ref = { dagId: "d", runId: "r", taskId: "poke", mapIndex: -1 };
        await request.store.taskInstances.update(ref, { rescheduleDate, rescheduleCount: pokes });
        return { finalState: "up_for_reschedule" };
      },
    },
  );
  assert.equal(run.calls, ["poke#1", "poke#1", "poke#1"]);
  assert.is(run.outcome.state, "success");
  const ref = { dagId: "d", runId: "r", taskId: "poke", mapIndex: -1 };
  const waits = await engine.history.waits(ref);
  assert.equal(
    waits.map(({ kind }) => kind),
    ["reschedule", "reschedule"],
  );
  assert.ok((waits[0]?.delaySeconds ?? 0) > 50);
  assert.is((await engine.store.taskInstances.get(ref))?.rescheduleCount, 2);
  await engine.close();
});

test("a deferred task ends the run for now, and says what is missing", async () => {
  const engine = await openEngine();
  const tasks = [{ id: "a" }, { id: "b", after: ["a"] }];
  const run = await runDag(engine, { tasks }, { a: () => ({ finalState: "deferred" }) });
  assert.is(run.outcome.state, "waiting");
  assert.match(run.outcome.note ?? "", /a is deferred to .*triggerer/);
  assert.is((await engine.history.run("d", "r"))?.state, "waiting");
  // Somebody gives it its event: parlance run --task a --event …
  const ref = { dagId: "d", runId: "r", taskId: "a", mapIndex: -1 };
  await engine.store.taskInstances.update(ref, { state: "success" });
  const again = await runDag(engine, { tasks });
  assert.equal(again.calls, ["b#1"]);
  assert.is(again.outcome.state, "success");
  await engine.close();
});

test("what a branch skips by its word is not started, whenever it says so", async () => {
  const engine = await openEngine();
  const run = await runDag(
    engine,
    {
      tasks: [
        { id: "branch", _can_skip_downstream: true },
        { id: "left", after: ["branch"] },
        { id: "right", after: ["branch"] },
      ],
    },
    {
      branch: async ({ request }) => {
        const { store } = request;
        const at = new Date().toISOString();
        const skipped = { state: "skipped", startDate: at, endDate: at };
        await store.taskInstances.update(
          { dagId: "d", runId: "r", taskId: "right", mapIndex: -1 },
          skipped,
        );
      },
    },
  );
  assert.equal(run.states, { branch: "success", left: "success", right: "skipped" });
  const right = run.outcome.instances.find(({ taskId }) => taskId === "right");
  assert.is(right?.note, "branch skips it");
  await engine.close();
});

test("fail_fast skips what has not begun, ends what runs, and leaves teardowns alone", async () => {
  const engine = await openEngine();
  let started = (): void => {};
  const slowRuns = new Promise<void>((resolve) => {
    started = resolve;
  });
  const run = await runDag(
    engine,
    {
      fail_fast: true,
      tasks: [
        { id: "bad" },
        { id: "slow" },
        { id: "late", after: ["slow"] },
        { id: "down", after: ["late"], is_teardown: true, rule: "all_done" },
      ],
    },
    {
      bad: async (call) => {
        await slowRuns;
        return fail(call);
      },
      slow: async ({ stopped }) => {
        started();
        await stopped;
        return { finalState: "failed" };
      },
    },
  );
  assert.equal(run.states, { bad: "failed", slow: "failed", late: "skipped", down: "success" });
  assert.is(run.outcome.state, "failed");
  await engine.close();
});

test("a cleared task runs again with what comes after it, its tries counting on", async () => {
  const engine = await openEngine();
  const tasks = [{ id: "a" }, { id: "b", after: ["a"], retries: 1 }, { id: "c", after: ["b"] }];
  const first = await runDag(engine, { tasks }, { b: fail });
  assert.is(first.outcome.state, "failed");
  const again = await runDag(engine, { tasks }, {}, { clear: [{ taskId: "b" }] });
  assert.equal(again.calls, ["b#3", "c#1"]);
  assert.is(again.outcome.state, "success");
  assert.is((await engine.history.run("d", "r"))?.clearNumber, 1);
  await rejects(runDag(engine, { tasks }, {}, { clear: [{ taskId: "x" }] }), "bad-request");
  await engine.close();
});

test("a wait that somebody ends is over at once", async () => {
  const engine = await openEngine();
  const coordinator = new FakeCoordinator({
    a: (call) => (call.tryNumber === 1 ? fail(call) : undefined),
  });
  const dag = runnableDag({ tasks: [{ id: "a", retries: 1, retry_delay: 86_400 }] });
  let waits = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    waits = resolve;
  });
  const run = await engine.runner.start({
    ...{ dag, coordinator, runId: "r" },
    onEvent: (event) =>
      event.type === "instance" && event.instance.state === "up_for_retry" && waits(),
  });
  await waiting;
  const planned = await engine.history.instance({
    dagId: "d",
    runId: "r",
    taskId: "a",
    mapIndex: -1,
  });
  assert.ok(Date.parse(planned?.dueAt ?? "") > Date.now() + 80_000_000);
  await run.clear([{ taskId: "a" }]);
  assert.equal(statesOf(await run.ended), { a: "success" });
  assert.equal(coordinator.calls, ["a#1", "a#2"]);
  await engine.close();
});

test("a run that is told to stop can be taken up, and its tasks lose no try", async () => {
  const engine = await openEngine();
  const tasks = [{ id: "a" }, { id: "b", after: ["a"] }, { id: "c", after: ["b"] }];
  let starts = (): void => {};
  const bStarts = new Promise<void>((resolve) => {
    starts = resolve;
  });
  const dag = runnableDag({ tasks });
  const coordinator = new FakeCoordinator({
    b: async ({ stopped }) => {
      starts();
      await stopped;
      return { finalState: "failed" };
    },
  });
  const run = await engine.runner.start({ dag, coordinator, runId: "r" });
  await bStarts;
  const outcome = await run.cancel();
  assert.is(outcome.state, "canceled");
  assert.equal(statesOf(outcome), { a: "success", b: null, c: null });
  const again = await runDag(engine, { tasks });
  assert.equal(again.calls, ["b#2", "c#1"]);
  assert.is(again.outcome.state, "success");
  await engine.close();
});

test("one run is run once at a time", async () => {
  const engine = await openEngine();
  const other = await openEngine(engine.file);
  const dag = runnableDag({ tasks: [{ id: "a" }] });
  let end = (): void => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const request = { dag, coordinator: new FakeCoordinator({ a: () => held }), runId: "r" };
  const run = await engine.runner.start(request);
  const error = await rejects(other.runner.start(request), "run-locked");
  assert.instance(error, DagRunError);
  assert.is((await other.history.run("d", "r"))?.isActive, true);
  end();
  await run.ended;
  assert.is((await other.history.run("d", "r"))?.isActive, false);
  await rejects(other.runner.start({ ...request, ifExists: "refuse" }), "run-exists");
  await other.close();
  await engine.close();
});

test("a param without a default has to be given", async () => {
  const engine = await openEngine();
  const params = [["need", { default: { __type: "arg_not_set", __var: null } }]];
  await rejects(runDag(engine, { tasks: [{ id: "a" }], params }), "bad-request");
  const run = await runDag(engine, { tasks: [{ id: "a" }], params }, {}, { conf: { need: 1 } });
  assert.is(run.outcome.state, "success");
  await engine.close();
});

test("a task that depends on the past waits for the run before to be a success", async () => {
  const engine = await openEngine();
  const tasks = [{ id: "a", depends_on_past: true }];
  const at = (day: number) => ({ runId: `r${day}`, logicalDate: new Date(Date.UTC(2026, 0, day)) });
  assert.is((await runDag(engine, { tasks }, { a: fail }, at(1))).outcome.state, "failed");
  const second = await runDag(engine, { tasks }, {}, at(2));
  assert.is(second.outcome.state, "waiting");
  assert.match(second.outcome.note ?? "", /depends_on_past: a was no success in run r1/);
  await runDag(engine, { tasks }, {}, { ...at(1), clear: [{ taskId: "a" }] });
  assert.is((await runDag(engine, { tasks }, {}, at(2))).outcome.state, "success");
  await engine.close();
});

test("a log is kept for each attempt, in a private folder", async () => {
  const engine = await openEngine();
  await runDag(engine, { tasks: [{ id: "a" }] }, { a: ({ log }) => log("hello") });
  const [attempt] = await engine.history.attempts({ dagId: "d", runId: "r" });
  const page = await engine.history.log(attempt?.attemptId ?? 0);
  assert.equal(
    page?.entries.map(({ event }) => event),
    ["hello"],
  );
  assert.is(page?.isFinished, true);
  assert.is(await engine.history.log(99), undefined);
  await engine.close();
});

test.run();
