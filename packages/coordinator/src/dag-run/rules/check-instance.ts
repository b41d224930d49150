import { checkSkips } from "./check-skips.ts";
import type { CompiledTask } from "./compiled-dag.ts";
import { checkMappedOver, type DecidedPlaceholders } from "./mapping/check-mapped-over.ts";
import type { RunView } from "./run-view.ts";
import { checkTriggerRule } from "./trigger/check-trigger-rule.ts";
import { blocked, type Verdict } from "./verdict.ts";

/**
 * All dependencies of an instance together. Airflow lets them all have their say, in any order; where
 * two of them would give it a state, here a skip that a branch has decided wins, then a failure.
 *
 * @param options.ignoreWaits - as if every wait were over: to tell a run that waits from one that is stuck
 * @param options.decided - what this look has made of placeholders so far; undefined for one that has got its
 *   instances
 */
export function checkInstance(
  own: CompiledTask,
  mapIndex: number,
  view: RunView,
  options: { readonly ignoreWaits?: boolean; readonly decided?: DecidedPlaceholders } = {},
): Verdict {
  const { ignoreWaits = false, decided: soFar } = options;
  const skips = checkSkips(own, mapIndex, view);
  if (skips.kind === "forced") return skips;
  const trigger = checkTriggerRule(own, mapIndex, view);
  const mappedOver = checkMappedOver(own, view, soFar);
  const verdicts = [trigger, mappedOver];
  const isFailure = (one: Verdict): boolean =>
    one.kind === "forced" && one.state === "upstream_failed";
  const decided = verdicts.find(isFailure) ?? verdicts.find(({ kind }) => kind === "forced");
  if (decided !== undefined) return decided;
  const waiting = verdicts.find(({ kind }) => kind === "blocked");
  if (waiting !== undefined) return waiting;
  const past = own.task.dependsOnPast ? view.facts.waitsForPast?.(own.task.taskId) : undefined;
  if (past !== undefined) return blocked(past);
  if (!ignoreWaits && view.facts.isWaiting?.(own.task.taskId, mapIndex) === true) {
    return blocked("it waits for its next attempt");
  }
  return trigger;
}
