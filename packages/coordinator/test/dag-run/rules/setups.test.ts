import { test } from "uvu";
import * as assert from "uvu/assert";
import { runnableDag } from "../../support/dag-documents.ts";
import { playRun } from "../../support/play-run.ts";

const DAG = runnableDag({
  tasks: [
    { id: "up", is_setup: true },
    { id: "work", after: ["up"] },
    { id: "more", after: ["work"], rule: "all_done" },
    { id: "down", after: ["up", "more"], is_teardown: true, rule: "all_done_setup_success" },
  ],
});

test("a teardown runs though the work failed, and does not decide the run", () => {
  const run = playRun(DAG, (id) => (id === "work" ? "failed" : "success"));
  assert.equal(run.started, ["up", "work", "more", "down"]);
  assert.is(run.end?.state, "success");
  assert.is(playRun(DAG, (id) => (id === "down" ? "failed" : "success")).end?.state, "success");
});

test("a setup that failed keeps all that needs it from running, whatever its rule", () => {
  const run = playRun(DAG, (id) => (id === "up" ? "failed" : "success"));
  assert.equal(run.states, {
    ...{ up: "failed", work: "upstream_failed" },
    ...{ more: "upstream_failed", down: "upstream_failed" },
  });
  assert.is(run.end?.state, "failed");
});

test("a setup that was skipped skips its teardown", () => {
  const run = playRun(DAG, (id) => (id === "up" ? "skipped" : "success"));
  assert.is(run.states["down"], "skipped");
});

test("a teardown waits for all between its setup and itself", () => {
  const dag = runnableDag({
    tasks: [
      { id: "up", is_setup: true },
      { id: "slow", after: ["up"] },
      { id: "quick", after: ["slow"], rule: "always" },
      { id: "down", after: ["up", "quick"], is_teardown: true, rule: "all_done_setup_success" },
    ],
  });
  const run = playRun(dag, (id) => (id === "slow" ? "deferred" : "success"));
  assert.is(run.states["quick"], "success");
  assert.is(run.states["down"], null);
});

test("a teardown that may fail the run does", () => {
  const dag = runnableDag({
    tasks: [
      { id: "a" },
      { id: "down", after: ["a"], is_teardown: true, on_failure_fail_dagrun: true },
    ],
  });
  assert.is(playRun(dag, (id) => (id === "down" ? "failed" : "success")).end?.state, "failed");
});

test.run();
