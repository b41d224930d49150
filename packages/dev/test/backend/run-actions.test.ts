import {
  type ActiveRun,
  DagRunError,
  dagOfTasks,
  type InstanceSummary,
  type RunnableDag,
  type StartRunRequest,
} from "@parlance/coordinator/dag-run";
import { ApiError } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { RunActions } from "../../dist/backend/run-actions.js";

const dag = dagOfTasks({ dagId: "plain", taskIds: ["a", "b"] });
const native: RunnableDag = { ...dag, dagId: "native" };

/** A runner that only notes what it is told, over a history with these states. */
function setUp(states: { run?: string; instance?: string | null } = {}) {
  const started: Omit<StartRunRequest, "coordinator">[] = [];
  const cleared: unknown[] = [];
  const active: Partial<ActiveRun>[] = [];
  const faults: unknown[] = [];
  let refusal: Error | undefined;
  const history = {
    run: async () => (states.run === undefined ? undefined : { state: states.run }),
    instance: async () =>
      states.instance === undefined
        ? undefined
        : ({ state: states.instance } as unknown as InstanceSummary),
    serializedDag: async () => undefined,
  };
  const runner = {
    start: async (request: StartRunRequest) => {
      if (refusal !== undefined) throw refusal;
      started.push(request);
      return { ended: Promise.resolve() };
    },
    active: () => active,
  };
  const actions = new RunActions({
    history: history as never,
    runner: runner as never,
    coordinator: {} as never,
    timeScale: 0.5,
    findDag: (dagId) =>
      dagId === "plain"
        ? { dag, kind: "plain" }
        : dagId === "native"
          ? { dag: native, kind: "native" }
          : undefined,
    onFault: (error) => faults.push(error),
  });
  const refuse = (error: Error) => {
    refusal = error;
  };
  return { actions, started, cleared, active, faults, refuse };
}

async function refused(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return "done";
}

const ref = { dagId: "plain", runId: "r", taskId: "a", mapIndex: -1 };

test("a run starts with what was asked for, and no two have one id", async () => {
  const { actions, started } = setUp();
  const asked = { conf: { a: 1 }, logicalDate: null };
  const ids = await Promise.all([
    actions.start("plain", asked),
    actions.start("plain", { taskIds: ["b", "b"], timeScale: 0 }),
    actions.start("native", { logicalDate: "2026-01-02T03:04:05+01:00" }),
  ]);
  assert.is(new Set(ids.map(({ runId }) => runId)).size, 3);
  assert.match(ids[0]?.runId ?? "", /^manual__\d{4}-\d\d-\d\dT.*\+00:00$/);
  assert.is(started[0]?.timeScale, 0.5);
  assert.is(started[0]?.ifExists, "refuse");
  assert.equal(started[0]?.conf, { a: 1 });
  assert.is(started[0]?.logicalDate, null);
  assert.is(started[1]?.timeScale, 0);
  assert.equal(
    started[1]?.dag.tasks.map(({ taskId }) => taskId),
    ["b"],
  );
  assert.is(started[2]?.logicalDate?.toISOString(), "2026-01-02T02:04:05.000Z");
});

test("what can't be started is refused, and says so", async () => {
  const { actions, active, refuse } = setUp();
  assert.is(await refused(actions.start("none", {})), "not-found");
  assert.is(await refused(actions.start("native", { taskIds: ["a"] })), "bad-request");
  assert.is(await refused(actions.start("plain", { taskIds: ["c"] })), "bad-request");
  assert.is(await refused(actions.start("plain", { taskIds: [] })), "bad-request");
  refuse(new DagRunError("bad-request", "a param is missing"));
  assert.is(await refused(actions.start("plain", {})), "bad-request");
  refuse(new DagRunError("run-exists", "it is there"));
  assert.is(await refused(actions.start("plain", {})), "conflict");
  refuse(new TypeError("a fault of ours"));
  const fault = await actions.start("plain", {}).catch((error: unknown) => error);
  assert.instance(fault, TypeError);
  active.push(...Array.from({ length: 20 }, () => ({ dagId: "x", runId: "y" })));
  assert.is(await refused(actions.start("plain", {})), "too-many");
});

test("a task of a run that goes on is cleared in it; of one that is over, the run goes on", async () => {
  const { actions, active, started } = setUp({ run: "failed", instance: "failed" });
  await actions.retry({ ...ref, mapIndex: 2 });
  assert.equal(started[0]?.clear, [{ taskId: "a", mapIndex: 2 }]);
  assert.is(started[0]?.runId, "r");
  const cleared: unknown[] = [];
  active.push({
    dagId: "plain",
    runId: "r",
    clear: async (selection) => void cleared.push(...selection),
  });
  await actions.retry(ref);
  assert.equal(cleared, [{ taskId: "a" }]);
  assert.is(started.length, 1);
});

test("what runs is not retried, what is over is not resumed or canceled", async () => {
  for (const instance of ["running", "queued", "restarting"]) {
    assert.is(await refused(setUp({ instance }).actions.retry(ref)), "conflict", instance);
  }
  assert.is(await refused(setUp().actions.retry(ref)), "not-found");
  for (const run of ["success", "failed"]) {
    assert.is(await refused(setUp({ run }).actions.resume("plain", "r")), "conflict", run);
  }
  for (const run of ["running", "canceled", "waiting", "queued"]) {
    assert.is(await refused(setUp({ run }).actions.resume("plain", "r")), "done", run);
  }
  assert.is(await refused(setUp().actions.resume("plain", "r")), "not-found");
  assert.is(await refused(setUp({ run: "running" }).actions.cancel("plain", "r")), "conflict");
  assert.is(await refused(setUp().actions.cancel("plain", "r")), "not-found");
});

test("a cancel is answered at once, and what goes wrong with it is told", async () => {
  const { actions, active, faults } = setUp();
  const fault = new Error("the store is gone");
  active.push({ dagId: "plain", runId: "r", cancel: () => Promise.reject(fault) });
  await actions.cancel("plain", "r");
  await Promise.resolve();
  assert.equal(faults, [fault]);
});

test.run();
