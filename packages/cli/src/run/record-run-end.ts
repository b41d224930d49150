import type { FinalState, TaskStore } from "@parlance/coordinator";
import { endedWell } from "./ended-well.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * Lets the store know how a run ended whose tasks have all run: tasks of later runs ask for it. One
 * of which a task waits, for a trigger, say, goes on running.
 */
export async function recordRunEnd(
  store: TaskStore,
  { dagId, runId }: Pick<RunOptions, "dagId" | "runId">,
  entries: readonly { readonly finalState: FinalState }[],
): Promise<void> {
  const states = entries.map(({ finalState }) => finalState);
  const failed = states.includes("failed");
  if (!failed && !states.every(endedWell)) return;
  const end = { state: failed ? "failed" : "success", endDate: new Date().toISOString() };
  try {
    await store.dagRuns.update(dagId, runId, end);
  } catch {
    // The tasks have run all the same, and what is printed says how.
  }
}
