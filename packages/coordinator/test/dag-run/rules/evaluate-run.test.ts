import { evaluateRun } from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runnableDag } from "../../support/dag-documents.ts";
import { playRun } from "../../support/play-run.ts";

test("tasks start after those above them, and the last ones decide", () => {
  const dag = runnableDag({
    tasks: [
      { id: "a" },
      { id: "b", after: ["a"] },
      { id: "c", after: ["a"] },
      { id: "d", after: ["b", "c"] },
    ],
  });
  const run = playRun(dag);
  assert.equal(run.started, ["a", "b", "c", "d"]);
  assert.equal(run.end, { state: "success", reason: null });
  const failed = playRun(dag, (id) => (id === "b" ? "failed" : "success"));
  assert.equal(failed.states, { a: "success", b: "failed", c: "success", d: "upstream_failed" });
  assert.is(failed.end?.state, "failed");
});

test("a failure that a later task takes care of does not fail the run", () => {
  const dag = runnableDag({
    tasks: [{ id: "a" }, { id: "mend", after: ["a"], rule: "one_failed" }],
  });
  assert.is(playRun(dag, (id) => (id === "a" ? "failed" : "success")).end?.state, "success");
});

test("a branch skips what it does not follow, also when it is looked at again", () => {
  const dag = runnableDag({
    tasks: [
      { id: "choose", _can_skip_downstream: true },
      { id: "left", after: ["choose"] },
      { id: "right", after: ["choose"] },
      { id: "far", after: ["right"] },
      { id: "join", after: ["left", "right"], rule: "none_failed_min_one_success" },
    ],
  });
  const facts = { skipDecision: () => ({ followed: ["left"] }) };
  const { states } = playRun(dag, undefined, facts);
  assert.equal(states, {
    ...{ choose: "success", left: "success", right: "skipped" },
    ...{ far: "skipped", join: "success" },
  });
});

test("a short circuit names those it skips", () => {
  const dag = runnableDag({
    tasks: [
      { id: "check", _can_skip_downstream: true },
      { id: "next", after: ["check"] },
      { id: "other", after: ["check"] },
    ],
  });
  const { states } = playRun(dag, undefined, { skipDecision: () => ({ skipped: ["next"] }) });
  assert.equal(states, { check: "success", next: "skipped", other: "success" });
});

test("nothing that waits is started, and a wait is no deadlock", () => {
  const dag = runnableDag({ tasks: [{ id: "a" }] });
  const states = [{ taskId: "a", mapIndex: -1, state: "up_for_retry" as const }];
  const waiting = evaluateRun(dag, states, { isWaiting: () => true });
  assert.equal(waiting, { transitions: [], end: undefined });
  const over = evaluateRun(dag, states);
  assert.equal(over.transitions, [{ type: "ready", taskId: "a", mapIndex: -1 }]);
});

test("a run in which nothing can start any more has failed", () => {
  const dag = runnableDag({ tasks: [{ id: "a" }, { id: "b", after: ["a"], rule: "all_skipped" }] });
  // The instance above is missing, as where a task's own dates leave the run out.
  const { transitions, end } = evaluateRun(dag, [{ taskId: "b", mapIndex: -1, state: null }]);
  assert.equal(transitions, []);
  assert.is(end?.state, "failed");
  assert.match(end?.reason ?? "", /deadlock/);
});

test("what waits for another run is no deadlock", () => {
  const dag = runnableDag({ tasks: [{ id: "a", depends_on_past: true }] });
  const states = [{ taskId: "a", mapIndex: -1, state: null }];
  const found = evaluateRun(dag, states, { waitsForPast: () => "the run before failed" });
  assert.equal(found, { transitions: [], end: undefined });
});

test("a deferred task keeps the run open", () => {
  const dag = runnableDag({ tasks: [{ id: "a" }, { id: "b", after: ["a"] }] });
  const { states, end } = playRun(dag, () => "deferred");
  assert.equal(states, { a: "deferred", b: null });
  assert.is(end, undefined);
});

test("an empty task of Python is passed by whoever runs the Dag", () => {
  const dag = runnableDag({
    tasks: [
      { id: "start", _is_empty: true, task_type: "EmptyOperator" },
      { id: "a", after: ["start"] },
    ],
  });
  assert.is(dag.tasks[0]?.isEmpty, true);
});

test.run();
