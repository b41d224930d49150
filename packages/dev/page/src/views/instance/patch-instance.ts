import type { DevEvent, InstanceRef, TaskInstanceDetail } from "../../../../src/api/types.ts";

/** What an event makes of an instance that is shown: its attempts and waits are not in it. */
export function patchInstance(event: DevEvent, shown: TaskInstanceDetail): "refresh" | undefined {
  if (event.type === "project") return "refresh";
  if (event.type === "instance") return isSame(event.instance, shown) ? "refresh" : undefined;
  // The first lines or frames of an attempt that is not in the list yet.
  if (event.type !== "log" && event.type !== "frames") return undefined;
  const known = shown.attempts.find(({ attemptId }) => attemptId === event.attemptId);
  const hasIt = event.type === "log" ? known?.hasLog : known?.hasFrames;
  return isSame(event, shown) && hasIt !== true ? "refresh" : undefined;
}

function isSame(a: InstanceRef, b: InstanceRef): boolean {
  return (
    a.dagId === b.dagId && a.runId === b.runId && a.taskId === b.taskId && a.mapIndex === b.mapIndex
  );
}
