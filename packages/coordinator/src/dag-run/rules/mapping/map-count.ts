import type { MappingLength, TaskMapping } from "../../dag/runnable-dag.ts";
import type { CompiledTask } from "../compiled-dag.ts";
import { isFinished, type RunView } from "../run-view.ts";

/**
 * How many instances a mapped task is to have: the product over itself and the mapped groups around
 * it. Null while that is not known; undefined for a task that is not mapped at all.
 */
export function mapCount(
  { task, mappedGroups }: CompiledTask,
  view: RunView,
): number | null | undefined {
  const mappings = [task.mapping, ...mappedGroups.map(({ mapping }) => mapping)];
  return product(
    mappings.filter((mapping) => mapping !== null),
    view,
  );
}

/** How many instances a task has by the groups from this one on outwards. */
export function groupCount(
  groups: CompiledTask["mappedGroups"],
  fromGroupId: string,
  view: RunView,
): number | null | undefined {
  const at = groups.findIndex(({ groupId }) => groupId === fromGroupId);
  const mappings = groups.slice(at).map(({ mapping }) => mapping);
  return product(
    mappings.filter((mapping) => mapping !== null),
    view,
  );
}

/** As {@link mapCount}, where all lists are written in the Dag; else undefined. */
export function literalCount({ task, mappedGroups }: CompiledTask): number | undefined {
  if (!task.isMapped) return undefined;
  let count = 1;
  for (const mapping of [task.mapping, ...mappedGroups.map((group) => group.mapping)]) {
    if (mapping === null) continue;
    if (mapping.parts.length === 0) return 0;
    for (const { length } of mapping.parts) {
      if (length.kind !== "literal") return undefined;
      count *= length.length;
    }
  }
  return count;
}

/** Names of the tasks whose values are missing, for a message. */
export function missingLengths({ task, mappedGroups }: CompiledTask, view: RunView): string[] {
  const missing = new Set<string>();
  const visit = (length: MappingLength): void => {
    if (length.kind === "xcom" && lengthOf(length, view) === null) missing.add(length.taskId);
    else if ("of" in length) length.of.forEach(visit);
    else if (length.kind === "unknown") missing.add(length.what);
  };
  for (const mapping of [task.mapping, ...mappedGroups.map((group) => group.mapping)]) {
    for (const { length } of mapping?.parts ?? []) visit(length);
  }
  return [...missing];
}

function product(mappings: readonly TaskMapping[], view: RunView): number | null | undefined {
  if (mappings.length === 0) return undefined;
  let count = 1;
  for (const { parts } of mappings) {
    if (parts.length === 0) return 0;
    for (const { length } of parts) {
      const one = lengthOf(length, view);
      if (one === null) return null;
      count *= one;
    }
  }
  return count;
}

function lengthOf(length: MappingLength, view: RunView): number | null {
  switch (length.kind) {
    case "literal":
      return length.length;
    case "xcom":
      return pushedLength(length.taskId, view);
    case "zip":
    case "concat": {
      const all = length.of.map((one) => lengthOf(one, view));
      const known = all.filter((one) => one !== null);
      if (known.length < all.length) return null;
      if (length.kind === "concat") return known.reduce((sum, one) => sum + one, 0);
      if (known.length === 0) return 0;
      return length.longest ? Math.max(...known) : Math.min(...known);
    }
    default:
      return null;
  }
}

/** Airflow takes the length that the task itself has told, or counts what its instances have left. */
function pushedLength(taskId: string, view: RunView): number | null {
  const { tasks } = view.compiled;
  const producer = tasks.get(taskId)?.task;
  if (producer === undefined) return null;
  if (producer.mapping !== null) {
    for (const state of view.instancesOf(taskId).values()) if (!isFinished(state)) return null;
    return view.facts.pushedInstances?.(taskId) ?? 0;
  }
  if (producer.isMapped) return null; // one value an instance of its group: there is no one length
  return view.facts.mappedLength?.(taskId) ?? null;
}
