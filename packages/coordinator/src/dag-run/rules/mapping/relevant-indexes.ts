import type { TriggerRule } from "../../dag/runnable-dag.ts";
import type { CompiledTask } from "../compiled-dag.ts";
import type { RunView } from "../run-view.ts";
import { groupCount, mapCount } from "./map-count.ts";

/** Map indexes from `from` on, before `to`. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** A part of what is above can satisfy these: a placeholder must not be decided by it. */
const FAST_RULES: ReadonlySet<TriggerRule> = new Set<TriggerRule>([
  "one_success",
  "one_failed",
  "one_done",
  "none_failed_min_one_success",
]);

/**
 * Which instances of a task above belong to an instance of a task in a mapped group: those of the
 * same round through the group that both are in. Undefined for all of them.
 */
export function relevantIndexes(
  own: CompiledTask,
  mapIndex: number,
  above: CompiledTask,
  view: RunView,
): IndexRange | undefined {
  if (own.mappedGroups.length === 0) return undefined;
  if (mapIndex < 0 && FAST_RULES.has(own.task.triggerRule) && !isMappedOver(own, above)) {
    return undefined;
  }
  const count = mapCount(own, view);
  if (count === null || count === undefined || count === 0) return undefined;
  const shared = above.mappedGroups.find(({ groupId }) =>
    own.mappedGroups.some((group) => group.groupId === groupId),
  );
  if (shared === undefined) return undefined;
  const rounds = groupCount(own.mappedGroups, shared.groupId, view);
  if (rounds === null || rounds === undefined || rounds === 0) return undefined;
  const round = Math.floor((mapIndex * rounds) / count);
  const isMappedFurther = above.task.mapping !== null || above.mappedGroups[0] !== shared;
  if (!isMappedFurther) return { from: round, to: round + 1 };
  const each = Math.floor(count / rounds);
  return { from: round * each, to: (round + 1) * each };
}

function isMappedOver({ mappedOver }: CompiledTask, { task }: CompiledTask): boolean {
  return mappedOver.includes(task.taskId);
}
