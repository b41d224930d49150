import { evaluateRun, initialInstances } from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runnableDag } from "../../support/dag-documents.ts";
import { playRun } from "../../support/play-run.ts";

const OVER_LIST = {
  tasks: [
    { id: "list" },
    { id: "each", over: { row: "list" }, after: ["list"] },
    { id: "sum", after: ["each"] },
  ],
};

test("a mapped task has an instance for each element, and the next waits for all", () => {
  const run = playRun(runnableDag(OVER_LIST), undefined, { mappedLength: () => 3 });
  assert.equal(run.started, ["list", "each[0]", "each[1]", "each[2]", "sum"]);
  assert.is(run.end?.state, "success");
});

test("one instance that fails fails what comes after all of them", () => {
  const run = playRun(
    runnableDag(OVER_LIST),
    (id, index) => (id === "each" && index === 1 ? "failed" : "success"),
    { mappedLength: () => 3 },
  );
  assert.is(run.states["sum"], "upstream_failed");
  assert.is(run.states["each[2]"], "success");
});

test("an empty list skips the mapped task, and what follows by its rule", () => {
  const run = playRun(runnableDag(OVER_LIST), undefined, { mappedLength: () => 0 });
  assert.equal(run.states, { list: "success", each: "skipped", sum: "skipped" });
  assert.is(run.end?.state, "success");
});

test("a task that has told no length can't be mapped over", () => {
  const run = playRun(runnableDag(OVER_LIST));
  assert.is(run.states["each"], "upstream_failed");
  assert.is(run.end?.state, "failed");
});

test("several lists are multiplied; literal ones are there from the beginning", () => {
  const dag = runnableDag({
    tasks: [
      { id: "list" },
      { id: "literal", over: { a: [1, 2], b: [1, 2, 3] } },
      { id: "mixed", over: { a: "list", b: ["x", "y"] }, after: ["list"] },
      { id: "none", over: { a: [] } },
    ],
  });
  const initial = initialInstances(dag, null);
  const count = (id: string): number => initial.filter(({ taskId }) => taskId === id).length;
  assert.is(count("literal"), 6);
  assert.is(count("mixed"), 1);
  assert.equal(initial.at(-1), { taskId: "none", mapIndex: -1, state: "skipped" });
  const { states } = playRun(dag, undefined, { mappedLength: () => 2 });
  assert.is(Object.keys(states).filter((name) => name.startsWith("mixed[")).length, 4);
});

test("what is mapped over a mapped task counts what its instances have left", () => {
  const dag = runnableDag({
    tasks: [
      { id: "a", over: { x: [1, 2, 3] } },
      { id: "b", over: { y: "a" }, after: ["a"] },
    ],
  });
  const { states } = playRun(dag, undefined, { pushedInstances: () => 2 });
  assert.equal(
    Object.keys(states).filter((name) => name.startsWith("b")),
    ["b[0]", "b[1]"],
  );
});

test("what is mapped over a task that is skipped in the same look is skipped, not without a length", () => {
  const dag = runnableDag({
    tasks: [
      { id: "list" },
      { id: "rows", over: { row: "list" }, after: ["list"] },
      { id: "each", over: { row: "rows" }, after: ["list", "rows"], rule: "one_success" },
    ],
  });
  const { states, end } = playRun(dag, undefined, { mappedLength: () => 0 });
  assert.equal(states, { list: "success", rows: "skipped", each: "skipped" });
  assert.is(end?.state, "success");
});

test("of two lists, one skipped and one that just fails, the failure counts", () => {
  const dag = runnableDag({
    tasks: [
      { id: "bad" },
      { id: "gone" },
      { id: "late", after: ["bad"] },
      { id: "each", over: { a: "gone", b: "late" }, after: ["gone", "late"], rule: "none_failed" },
    ],
  });
  const { states } = playRun(dag, (id) => (id === "bad" ? "failed" : "skipped"));
  assert.is(states["late"], "upstream_failed");
  assert.is(states["each"], "upstream_failed");
});

test("what is mapped over a task that failed, or was skipped, shares its fate whatever its rule", () => {
  const dag = runnableDag({
    tasks: [
      { id: "list" },
      { id: "each", over: { row: "list" }, after: ["list"], rule: "all_done" },
    ],
  });
  const after = (state: "failed" | "skipped") => playRun(dag, () => state).states["each"];
  assert.is(after("failed"), "upstream_failed");
  assert.is(after("skipped"), "skipped");
});

test("in a mapped group each round goes its own way", () => {
  const dag = runnableDag({
    tasks: [
      { id: "list" },
      { id: "g.a", group: "g", after: ["list"] },
      { id: "g.b", group: "g", after: ["g.a"] },
      { id: "end", after: ["g.b"], rule: "all_done" },
    ],
    mappedGroups: { g: { x: "list" } },
  });
  const run = playRun(dag, (id, index) => (id === "g.a" && index === 0 ? "failed" : "success"), {
    mappedLength: () => 2,
  });
  assert.equal(run.states, {
    ...{ list: "success", "g.a[0]": "failed", "g.a[1]": "success" },
    ...{ "g.b[0]": "upstream_failed", "g.b[1]": "success", end: "success" },
  });
});

test("a list that got shorter, or longer, when its task ran again", () => {
  const dag = runnableDag(OVER_LIST);
  const states = [
    { taskId: "list", mapIndex: -1, state: "success" as const },
    ...[0, 1, 2].map((mapIndex) => ({ taskId: "each", mapIndex, state: null })),
    { taskId: "sum", mapIndex: -1, state: null },
  ];
  const shorter = evaluateRun(dag, states, { mappedLength: () => 2 }).transitions;
  assert.is(shorter.filter((one) => one.type === "state" && one.state === "removed").length, 1);
  assert.is(shorter.filter((one) => one.type === "ready").length, 2);
  const longer = evaluateRun(dag, states, { mappedLength: () => 4 }).transitions;
  const [expand] = longer.filter((one) => one.type === "expand");
  assert.equal(expand?.type === "expand" && expand.mapIndexes, [3]);
});

test.run();
