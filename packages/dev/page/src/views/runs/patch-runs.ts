import type { DevEvent, GridRun, RunPage } from "../../../../src/api/types.ts";

/**
 * What an event makes of a page of runs. A mapped task's cell sums up instances that the page does not know, so
 * it is fetched again.
 */
export function patchRuns(
  event: DevEvent,
  page: RunPage,
  dagId: string,
): RunPage | "refresh" | undefined {
  if (event.type === "run" && event.run.dagId === dagId) {
    const { run } = event;
    if (!page.runs.some(({ runId }) => runId === run.runId)) return "refresh";
    return withRun(page, run.runId, (before) => ({ ...before, ...run }));
  }
  if (event.type === "instance" && event.instance.dagId === dagId) {
    const { runId, taskId, mapIndex, state, tryNumber } = event.instance;
    if (!page.runs.some((run) => run.runId === runId)) return undefined;
    if (mapIndex >= 0) return "refresh";
    return withRun(page, runId, (run) => {
      const cell = { state, tryNumber, instances: run.cells[taskId]?.instances ?? null };
      return { ...run, cells: { ...run.cells, [taskId]: cell } };
    });
  }
  return undefined;
}

function withRun(page: RunPage, runId: string, change: (run: GridRun) => GridRun): RunPage {
  return { ...page, runs: page.runs.map((run) => (run.runId === runId ? change(run) : run)) };
}
