import { MemoryTaskStore } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run } from "../support/run-scenario.js";

const ref = { dagId: "d", runId: "r", taskId: "t", mapIndex: -1 };

test("a deferred try is resumed once, with its id, start date and XComs", async () => {
  const store = new MemoryTaskStore();
  await run("defer", { store });
  const before = await store.taskInstances.get(ref);
  assert.is(before?.state, "deferred");
  assert.is(typeof before?.nextMethod, "string");
  await store.xcoms.set({ ...ref, key: "kept" }, 1);

  const resume = { event: { ok: true } };
  const { result } = await run("succeed", { store, resume });
  assert.is(result.finalState, "success");
  const after = await store.taskInstances.get(ref);
  assert.equal([after?.id, after?.startDate], [before?.id, before?.startDate]);
  assert.equal([after?.nextMethod, after?.nextKwargs, after?.deferral], [null, null, null]);
  assert.equal(await store.taskInstances.history(ref), []);
  assert.is((await store.xcoms.get({ ...ref, key: "kept" }))?.value, 1);

  const again = await run("succeed", { store, resume });
  assert.equal([again.result.error?.code, again.result.exitCode], ["nothing-to-resume", null]);
  assert.is(again.result.finalState, "failed");
  assert.equal(await store.taskInstances.get(ref), after, "the row is as it was");
});

test("without being resumed, a deferred try begins anew: another id, and the other in the history", async () => {
  const store = new MemoryTaskStore();
  await run("defer", { store });
  const before = await store.taskInstances.get(ref);
  await store.xcoms.set({ ...ref, key: "old" }, 1);
  await run("succeed", { store });
  const after = await store.taskInstances.get(ref);
  assert.is.not(after?.id, before?.id);
  assert.is((await store.taskInstances.history(ref))[0]?.id, before?.id);
  assert.is(await store.xcoms.get({ ...ref, key: "old" }), undefined);
});

test("a start that fails leaves the try failed, with the id it was given", async () => {
  const store = new MemoryTaskStore();
  const id = "019a0000-0000-7000-8000-000000000001";
  const taskInstance = { ...ref, tryNumber: 1, id };
  const { result } = await run("succeed", { store, taskInstance }, { argv: ["/no/such/program"] });
  assert.is(result.error?.code, "spawn-failed");
  const row = await store.taskInstances.get(ref);
  assert.equal([row?.state, row?.id], ["failed", id]);
});

test.run();
