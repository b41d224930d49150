import type { TaskState } from "../../history/history-types.ts";
import type { CompiledTask } from "../compiled-dag.ts";
import { isFinished, type RunView } from "../run-view.ts";
import { blocked, forced, READY, type Verdict } from "../verdict.ts";

/** What one look has made of placeholders, by task; undefined for one that has got its instances. */
export type DecidedPlaceholders = ReadonlyMap<string, TaskState | undefined>;

/**
 * Airflow's dependency on the tasks whose values are mapped over: they have to succeed, whatever the
 * trigger rule says. Of a mapped one only its placeholder counts: one that has instances has not
 * failed as a whole. It alone sees what the same look has decided before.
 */
export function checkMappedOver(
  { mappedOver }: CompiledTask,
  view: RunView,
  decided: DecidedPlaceholders = new Map(),
): Verdict {
  let failed: string | undefined;
  let skipped: string | undefined;
  let other: string | undefined;
  for (const id of mappedOver) {
    const state = decided.has(id) ? decided.get(id) : view.instancesOf(id).get(-1);
    if (state === undefined || !isFinished(state) || state === "success") continue;
    if (state === "failed" || state === "upstream_failed") failed ??= id;
    else if (state === "skipped") skipped ??= id;
    else other ??= id;
  }
  if (failed !== undefined)
    return forced("upstream_failed", `it is mapped over ${failed}, which failed`);
  if (skipped !== undefined)
    return forced("skipped", `it is mapped over ${skipped}, which was skipped`);
  return other === undefined ? READY : blocked(`it is mapped over ${other}, which was removed`);
}
