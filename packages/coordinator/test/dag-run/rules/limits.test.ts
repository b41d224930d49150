import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Candidate, chooseStarts, type Limits } from "../../../dist/dag-run/rules/limits.js";
import { runnableDag } from "../../support/dag-documents.ts";

const dag = runnableDag({
  tasks: [
    { id: "light" },
    { id: "heavy", priority_weight: 5 },
    { id: "head" },
    { id: "tail", after: ["head"] },
    { id: "wide", pool: "small", pool_slots: 2 },
    { id: "few", max_active_tis_per_dagrun: 2 },
  ],
});

function candidate(taskId: string, mapIndex = -1, runPlace = 0): Candidate {
  const taskPlace = dag.tasks.findIndex((task) => task.taskId === taskId);
  const task = dag.tasks[taskPlace];
  if (task === undefined) throw new Error(taskId);
  return { dagId: "d", task, mapIndex, runPlace, taskPlace };
}

const ROOM: Limits = {
  free: 10,
  freeInRun: () => 10,
  freeSlots: () => 10,
  active: () => ({ inRun: 0, inDag: 0 }),
};

function names(chosen: readonly Candidate[]): string[] {
  return chosen.map(({ task, mapIndex }) =>
    mapIndex < 0 ? task.taskId : `${task.taskId}${mapIndex}`,
  );
}

test("the heaviest first; a task weighs what waits behind it, too", () => {
  const ready = [candidate("light"), candidate("head"), candidate("heavy")];
  assert.equal(names(chooseStarts(ready, ROOM)), ["heavy", "head", "light"]);
  assert.equal(names(chooseStarts(ready, { ...ROOM, free: 1 })), ["heavy"]);
});

test("a pool without room lets others pass", () => {
  const ready = [candidate("wide"), candidate("wide", 1), candidate("light")];
  const limits = { ...ROOM, freeSlots: (pool: string) => (pool === "small" ? 3 : 10) };
  assert.equal(names(chooseStarts(ready, limits)), ["light", "wide"]);
});

test("a run has its own limit, and a task its own in the run", () => {
  const ready = [0, 1, 2].map((index) => candidate("few", index));
  assert.equal(names(chooseStarts(ready, ROOM)), ["few0", "few1"]);
  const busy = { ...ROOM, active: () => ({ inRun: 1, inDag: 1 }) };
  assert.equal(names(chooseStarts(ready, busy)), ["few0"]);
  const full = { ...ROOM, freeInRun: (place: number) => (place === 0 ? 0 : 1) };
  const other = [candidate("light"), candidate("light", -1, 1)];
  assert.equal(
    chooseStarts(other, full).map(({ runPlace }) => runPlace),
    [1],
  );
});

test.run();
