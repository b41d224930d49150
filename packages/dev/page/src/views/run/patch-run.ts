import type { DevEvent, RunDetail } from "../../../../src/api/types.ts";

/** What an event makes of a run that is shown. */
export function patchRun(event: DevEvent, shown: RunDetail): RunDetail | "refresh" | undefined {
  if (event.type === "run") {
    const { run } = event;
    if (run.dagId !== shown.dagId || run.runId !== shown.runId) return undefined;
    // Whether it can be canceled is not in the event.
    return run.endDate === shown.endDate ? { ...shown, ...run } : "refresh";
  }
  if (event.type !== "instance") return undefined;
  const { instance } = event;
  if (instance.dagId !== shown.dagId || instance.runId !== shown.runId) return undefined;
  let isKnown = false;
  const instances = shown.instances.map((one) => {
    if (one.taskId !== instance.taskId || one.mapIndex !== instance.mapIndex) return one;
    isKnown = true;
    return instance;
  });
  return isKnown ? { ...shown, instances } : "refresh";
}
