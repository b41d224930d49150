import { ArgvCoordinator, MemoryTaskStore } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { connectingBash } from "../support/launching.js";

// Whatever an embedder's own parts never answer: an abort ends the waiting for it.

const never = (): Promise<never> => new Promise(() => {});
const taskInstance = { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 };

for (const name of ["signal", "killSignal"] as const) {
  test(`${name}: an environment hook that never settles`, async () => {
    const stop = new AbortController();
    const coordinator = new ArgvCoordinator({
      argv: ["never-started"],
      environment: () => {
        setImmediate(() => stop.abort());
        return never();
      },
    });
    const store = new MemoryTaskStore();
    const { error, finalState, exitCode } = await coordinator.executeTask({
      taskInstance,
      store,
      [name]: stop.signal,
    });
    assert.equal([error?.code, finalState, exitCode], ["aborted", "failed", null]);
    assert.is((await store.taskInstances.get({ ...taskInstance, mapIndex: -1 }))?.state, "failed");
  });

  test(`${name}: a store that never answers, while the process waits for its first message`, async () => {
    const stop = new AbortController();
    const store = new MemoryTaskStore();
    store.xcoms.list = () => {
      setTimeout(() => stop.abort(), 50);
      return never();
    };
    const result = await new ArgvCoordinator({ argv: connectingBash() }).executeTask({
      taskInstance,
      store,
      [name]: stop.signal,
    });
    assert.equal(result.finalState, "failed");
    assert.ok(["store-failed", "aborted"].includes(String(result.error?.code)));
  });
}

test("a store that never takes the end: the verdict stands", async () => {
  const stop = new AbortController();
  const store = new MemoryTaskStore();
  store.taskInstances.update = () => {
    stop.abort();
    return never();
  };
  const { finalState } = await new ArgvCoordinator({ argv: ["/no/such/program"] }).executeTask({
    taskInstance,
    store,
    signal: stop.signal,
  });
  assert.is(finalState, "failed");
});

test.run();
