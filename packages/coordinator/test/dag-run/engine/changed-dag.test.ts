import { test } from "uvu";
import * as assert from "uvu/assert";
import { openEngine, runDag } from "../../support/engine.ts";
import { fail } from "../../support/fake-coordinator.ts";

test("a task that has left the Dag is removed from a run that is taken up, and runs when it is back", async () => {
  const engine = await openEngine();
  const both = { tasks: [{ id: "a" }, { id: "b", after: ["a"] }] };
  assert.equal((await runDag(engine, both, { b: fail })).states, { a: "success", b: "failed" });
  const without = await runDag(engine, { tasks: [{ id: "a" }] });
  assert.equal([without.calls, without.states], [[], { a: "success" }]);
  const kept = await engine.history.instances("d", "r");
  assert.is(kept.find(({ taskId }) => taskId === "b")?.state, "removed");
  const back = await runDag(engine, both);
  assert.equal([back.calls, back.states["b"], back.outcome.state], [["b#2"], "success", "success"]);
  await engine.close();
});

test.run();
