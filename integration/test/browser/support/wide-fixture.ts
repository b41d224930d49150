import type { TaskState } from "@parlance/dev";
import { FixtureBackend, keyOf } from "./fixture-backend.ts";
import { attempt, dag, line, run, task } from "./fixture-parts.ts";

const STATES: readonly TaskState[] = [
  "success",
  "success",
  "success",
  "failed",
  "skipped",
  "up_for_retry",
];

/** Many runs of a Dag of many tasks in five groups; the first task of the newest run has a long log. */
export function wideFixture(runs: number, tasks: number, lines: number): FixtureBackend {
  const backend = new FixtureBackend();
  const ids = Array.from({ length: tasks }, (_, index) => `group_${index % 5}.task_${index}`);
  const made = dag(
    "wide",
    ids.map((id, index) =>
      task(id, index < 5 ? [] : [ids[index - 5] ?? ""], { retries: index % 4 }),
    ),
    {
      groups: [0, 1, 2, 3, 4].map((index) => ({
        groupId: `group_${index}`,
        displayName: `group_${index}`,
        parentId: null,
      })),
    },
  );
  backend.dags.set(made.dagId, made);
  for (let index = 0; index < runs; index++) {
    const name = `run-${String(runs - index).padStart(4, "0")}`;
    const state = (_: string, at: number) => STATES[(at * 7 + index * 3) % STATES.length] ?? null;
    backend.allRuns.push(run(made, name, -index * 600, state));
  }
  const runId = backend.allRuns[0]?.runId ?? "";
  backend.rest.set(keyOf({ runId, taskId: ids[0] ?? "", mapIndex: -1 }), {
    attempts: [attempt("long", 1)],
    waits: [],
    plannedWaits: [],
  });
  backend.logs.set(
    "long",
    Array.from({ length: lines }, (_, index) => line(index / 1_000, `line ${index} of a long log`)),
  );
  backend.finished.add("long");
  return backend;
}
