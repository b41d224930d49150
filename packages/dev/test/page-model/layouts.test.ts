import type { GridRun, Task, TaskGroup } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { layOutGraph } from "../../dist/page-model/graph-layout.js";
import { gridRows, rowState } from "../../dist/page-model/grid-rows.js";
import { nextOrder, sortTasks } from "../../dist/page-model/sort-tasks.js";

const task = (taskId: string, rest: Partial<Task> = {}): Task =>
  ({
    taskId,
    displayName: taskId,
    groupId: null,
    upstream: [],
    maxRetryDelaySeconds: null,
    retryExponentialBackoff: 0,
    ...rest,
  }) as Task;

test("a task stands right of all that it comes after", () => {
  const layout = layOutGraph([
    { taskId: "a", upstream: [] },
    { taskId: "b", upstream: ["a"] },
    { taskId: "c", upstream: ["a", "b"] },
    { taskId: "d", upstream: ["nowhere"] },
  ]);
  assert.equal(
    layout.places.map(({ taskId, layer }) => `${taskId}${layer}`),
    ["a0", "b1", "c2", "d0"],
  );
  assert.is(layout.edges.length, 3);
  assert.equal(layOutGraph([]), { places: [], edges: [], layers: 0, height: 0 });
});

test("lines cross as little as the order of a layer can help", () => {
  const { places } = layOutGraph([
    { taskId: "a", upstream: [] },
    { taskId: "b", upstream: [] },
    { taskId: "of-b", upstream: ["b"] },
    { taskId: "of-a", upstream: ["a"] },
  ]);
  const place = (id: string) => places.find(({ taskId }) => taskId === id)?.place ?? -1;
  assert.is(place("a") < place("b"), place("of-a") < place("of-b"));
});

test("groups stand where their first task does, and folded ones hide what is in them", () => {
  const tasks = [
    task("a"),
    task("g.b", { groupId: "g" }),
    task("g.h.c", { groupId: "g.h" }),
    task("d"),
    task("g.e", { groupId: "g" }),
  ];
  const groups: TaskGroup[] = [
    { groupId: "g", displayName: "g", parentId: null },
    { groupId: "g.h", displayName: "h", parentId: "g" },
  ];
  const shown = (folded: readonly string[]) =>
    gridRows(tasks, groups, new Set(folded)).map(
      ({ label, depth, kind }) => `${depth}${kind === "group" ? "+" : " "}${label}`,
    );
  assert.equal(shown([]), ["0 a", "0+g", "1 b", "1+h", "2 c", "1 e", "0 d"]);
  assert.equal(shown(["g"]), ["0 a", "0+g", "0 d"]);
  assert.equal(shown(["g.h"]), ["0 a", "0+g", "1 b", "1+h", "1 e", "0 d"]);
  const [, group] = gridRows(tasks, groups, new Set());
  const cell = (state: string) => ({ state, tryNumber: 1, instances: null });
  const run = {
    cells: { "g.b": cell("success"), "g.h.c": cell("running"), a: cell("failed") },
  } as unknown as GridRun;
  if (group === undefined) throw new Error("a group");
  assert.is(rowState(group, run)?.state, "running", "of a group, what matters most");
});

test("tasks are sorted both ways, and what has no value comes last both ways", () => {
  const tasks = [
    task("a", { maxRetryDelaySeconds: 5, retryExponentialBackoff: 2 }),
    task("b", { retryExponentialBackoff: 2 }),
    task("c", { maxRetryDelaySeconds: 90, retryExponentialBackoff: 3 }),
  ];
  const ids = (
    by: "order" | "taskId" | "maxRetryDelaySeconds" | "retryExponentialBackoff",
    descending: boolean,
  ) =>
    sortTasks(tasks, { by, descending })
      .map(({ taskId }: Task) => taskId)
      .join("");
  assert.is(ids("maxRetryDelaySeconds", false), "acb");
  assert.is(ids("maxRetryDelaySeconds", true), "cab");
  assert.is(ids("retryExponentialBackoff", true), "cab", "equal ones stay");
  assert.is(ids("retryExponentialBackoff", false), "abc");
  assert.is(ids("taskId", true), "cba");
  assert.is(ids("order", true), "cba");
  const first = nextOrder({ by: "order", descending: false }, "retries");
  assert.equal(first, { by: "retries", descending: true });
  assert.equal(nextOrder(first, "retries"), { by: "retries", descending: false });
});

test.run();
