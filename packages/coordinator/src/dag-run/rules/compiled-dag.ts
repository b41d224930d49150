import { referencesOf } from "../dag/read-mapping.ts";
import { type Edges, reachable } from "../dag/relatives.ts";
import type { RunnableDag, RunnableGroup, RunnableTask } from "../dag/runnable-dag.ts";

/** A task with what the rules ask about it. */
export interface CompiledTask {
  readonly task: RunnableTask;
  /** Its place in the document. */
  readonly place: number;
  /** The mapped groups around it, the closest first. */
  readonly mappedGroups: readonly RunnableGroup[];
  /** Setups above it that are not directly above, and have to succeed before it runs. */
  readonly indirectSetups: readonly string[];
  /** Of a teardown: tasks between its setups and itself that are not directly above it. */
  readonly teardownScope: readonly string[];
  /** Tasks whose values decide how many instances it has. */
  readonly mappedOver: readonly string[];
  /** Tasks directly above that may leave word what to skip. */
  readonly skippingParents: readonly string[];
  /** Tasks of its closest mapped group that may. */
  readonly skippingPeers: readonly string[];
}

/** A Dag with its relations worked out. */
export interface CompiledDag {
  readonly dag: RunnableDag;
  /** By id, in the order of the document. */
  readonly tasks: ReadonlyMap<string, CompiledTask>;
  /** Tasks that have to be looked at again when an instance of a task changes, by its id. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  readonly down: Edges;
}

const compiled = new WeakMap<RunnableDag, CompiledDag>();

/** Works out the relations of a Dag, once for each. */
export function compileDag(dag: RunnableDag): CompiledDag {
  const known = compiled.get(dag);
  if (known !== undefined) return known;
  const made = compile(dag);
  compiled.set(dag, made);
  return made;
}

function compile(dag: RunnableDag): CompiledDag {
  const byId = new Map(dag.tasks.map((task) => [task.taskId, task]));
  const down: Edges = new Map(dag.tasks.map(({ taskId, downstream }) => [taskId, downstream]));
  const up: Edges = new Map(dag.tasks.map(({ taskId, upstream }) => [taskId, upstream]));
  const groups = new Map(dag.groups.map((group) => [group.groupId, group]));
  const hasSetups = dag.tasks.some(({ isSetup }) => isSetup);
  const groupsOf = new Map(dag.tasks.map((task) => [task.taskId, mappedGroupsOf(task, groups)]));
  const tasks = new Map<string, CompiledTask>();
  for (const [place, task] of dag.tasks.entries()) {
    const { taskId } = task;
    const mappedGroups = groupsOf.get(taskId) ?? [];
    const [closest] = mappedGroups;
    const isPeer = (id: string): boolean =>
      closest !== undefined && groupsOf.get(id)?.[0]?.groupId === closest.groupId;
    const canSkip = (id: string): boolean => byId.get(id)?.canSkipDownstream === true;
    tasks.set(taskId, {
      task,
      place,
      mappedGroups,
      indirectSetups: hasSetups && !task.isTeardown ? indirectSetups(task, byId, up, down) : [],
      teardownScope: task.isTeardown ? teardownScope(task, byId, up, down) : [],
      mappedOver: mappedOver(task, closest),
      skippingParents: task.upstream.filter((id) => canSkip(id) && !isPeer(id)),
      skippingPeers:
        closest === undefined
          ? []
          : dag.tasks.map((peer) => peer.taskId).filter((id) => canSkip(id) && isPeer(id)),
    });
  }
  return { dag, tasks, dependents: dependentsOf(tasks), down };
}

function mappedGroupsOf(
  { groupId }: RunnableTask,
  groups: ReadonlyMap<string, RunnableGroup>,
): RunnableGroup[] {
  const found: RunnableGroup[] = [];
  for (let id = groupId; id !== null; id = groups.get(id)?.parentId ?? null) {
    const group = groups.get(id);
    if (group !== undefined && group.mapping !== null) found.push(group);
  }
  return found;
}

/**
 * A setup counts for a task when it has no teardown, or one below the task: what it has set up is
 * then still there.
 */
function indirectSetups(
  task: RunnableTask,
  byId: ReadonlyMap<string, RunnableTask>,
  up: Edges,
  down: Edges,
): string[] {
  const isTeardown = (id: string): boolean => byId.get(id)?.isTeardown === true;
  const below = new Set([...reachable(task.taskId, down)].filter(isTeardown));
  const direct = new Set(task.upstream);
  return [...reachable(task.taskId, up)].filter((id) => {
    if (direct.has(id) || byId.get(id)?.isSetup !== true) return false;
    const after = down.get(id) ?? [];
    return !after.some(isTeardown) || after.some((next) => below.has(next));
  });
}

function teardownScope(
  task: RunnableTask,
  byId: ReadonlyMap<string, RunnableTask>,
  up: Edges,
  down: Edges,
): string[] {
  const direct = new Set(task.upstream);
  const above = [...reachable(task.taskId, up)].filter((id) => !direct.has(id));
  if (above.length === 0) return [];
  const scope = new Set<string>();
  for (const setup of task.upstream.filter((id) => byId.get(id)?.isSetup === true)) {
    const behind = reachable(setup, down);
    for (const id of above) if (behind.has(id)) scope.add(id);
  }
  return [...scope];
}

function mappedOver(task: RunnableTask, closest: RunnableGroup | undefined): string[] {
  const mapping = task.mapping ?? closest?.mapping ?? null;
  return mapping === null ? [] : referencesOf(mapping);
}

function dependentsOf(tasks: ReadonlyMap<string, CompiledTask>): Map<string, readonly string[]> {
  const dependents = new Map([...tasks.keys()].map((id): [string, Set<string>] => [id, new Set()]));
  for (const [id, one] of tasks) {
    const lookedAt = [
      ...one.task.upstream,
      ...one.indirectSetups,
      ...one.teardownScope,
      ...one.mappedOver,
      ...one.skippingPeers,
      // How many instances there are decides which of them belong together.
      ...one.mappedGroups.flatMap(({ mapping }) => (mapping === null ? [] : referencesOf(mapping))),
    ];
    for (const other of lookedAt) if (other !== id) dependents.get(other)?.add(id);
  }
  return new Map([...dependents].map(([id, found]) => [id, [...found]]));
}
