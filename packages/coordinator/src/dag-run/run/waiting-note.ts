import type { LiveInstance } from "./live-instance.ts";

/** Why a run stands still though it has not ended: what is missing here, and how to give it. */
export function waitingNote(
  instances: readonly LiveInstance[],
  past: ReadonlyMap<string, string>,
): string {
  const reasons: string[] = [];
  for (const { ref, state, row } of instances) {
    const name = ref.mapIndex < 0 ? ref.taskId : `${ref.taskId}[${ref.mapIndex}]`;
    if (state === "deferred") {
      const trigger = String(row.deferral?.["classpath"] ?? "a trigger");
      reasons.push(`${name} is deferred to ${trigger}, which only Airflow's triggerer runs`);
    } else if (state === "awaiting_input") {
      reasons.push(`${name} awaits the answer of a person`);
    } else if (state === null && past.has(ref.taskId)) {
      reasons.push(`${name}: ${past.get(ref.taskId)}`);
    }
  }
  if (reasons.length === 0) return "what is left can't be started";
  const isResumable = instances.some(
    ({ state }) => state === "deferred" || state === "awaiting_input",
  );
  const how = isResumable
    ? "; resume it with its event (parlance run --task … --event JSON), then take up the run"
    : "";
  return `${reasons.join("; ")}${how}`;
}
