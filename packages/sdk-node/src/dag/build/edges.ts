import type { ChildModel } from "../dag-model.ts";
import type { DagDraft, TaskDraft } from "./draft.ts";

/** What comes before and after a group as a whole. */
export interface GroupRelatives {
  readonly upstreamGroups: Set<string>;
  readonly downstreamGroups: Set<string>;
  readonly upstreamTasks: Set<string>;
  readonly downstreamTasks: Set<string>;
}

/** Dependencies, by full id. */
export interface Edges {
  readonly upstream: ReadonlyMap<string, ReadonlySet<string>>;
  readonly downstream: ReadonlyMap<string, ReadonlySet<string>>;
  readonly groups: ReadonlyMap<string, GroupRelatives>;
}

type Pair = readonly [first: ChildModel, second: ChildModel];

/**
 * Makes the edges between tasks. What comes after a group comes after its last tasks, what comes
 * before it before its first ones; which ones those are goes by all edges within the group.
 */
export function connect(
  draft: DagDraft,
  choices: ReadonlyMap<string, readonly ChildModel[]>,
): Edges {
  const graph = new Graph(draft);
  const pairs = declaredPairs(draft, choices);
  const isOfGroups = ([first, second]: Pair) => first.kind === "group" || second.kind === "group";
  for (const [first, second] of pairs.filter((pair) => !isOfGroups(pair))) {
    graph.add(first.id, second.id);
  }
  // From the inside out: a group's ends are asked for when all that is within it is connected.
  const inner = pairs.filter(isOfGroups).sort((one, other) => depthOf(other) - depthOf(one));
  for (const pair of inner) graph.connect(pair);
  return graph;
}

/** How deep the group is that both are in; 0 at the top level. */
function depthOf([first, second]: Pair): number {
  const [one, other] = [first.id.split("."), second.id.split(".")];
  const differs = one.findIndex((part, index) => part !== other[index]);
  return differs < 0 ? one.length : differs;
}

/** What was declared to come before what. */
function declaredPairs(
  draft: DagDraft,
  choices: ReadonlyMap<string, readonly ChildModel[]>,
): readonly Pair[] {
  const pairs: Pair[] = [];
  const add = (node: ChildModel, { after, before }: Pick<TaskDraft, "after" | "before">): void => {
    for (const other of after) pairs.push([other, node]);
    for (const other of before) pairs.push([node, other]);
  };
  for (const task of draft.tasks.values()) {
    const node = { kind: "task", id: task.taskId } as const;
    add(node, task);
    for (const input of Object.values(task.inputs)) {
      const isOwn = input.kind === "each" || (input.kind === "xcom" && input.dagId === null);
      if (isOwn) pairs.push([{ kind: "task", id: input.taskId }, node]);
    }
    for (const choice of choices.get(task.taskId) ?? []) pairs.push([node, choice]);
  }
  for (const group of draft.groups.values()) add({ kind: "group", id: group.groupId }, group);
  return pairs;
}

class Graph implements Edges {
  readonly upstream: Map<string, Set<string>> = new Map();
  readonly downstream: Map<string, Set<string>> = new Map();
  readonly groups: Map<string, GroupRelatives> = new Map();
  readonly #draft: DagDraft;
  #members: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(draft: DagDraft) {
    this.#draft = draft;
    for (const id of draft.tasks.keys()) {
      this.upstream.set(id, new Set());
      this.downstream.set(id, new Set());
    }
    for (const id of draft.groups.keys()) {
      this.groups.set(id, {
        upstreamGroups: new Set(),
        downstreamGroups: new Set(),
        upstreamTasks: new Set(),
        downstreamTasks: new Set(),
      });
    }
  }

  add(first: string, second: string): void {
    this.downstream.get(first)?.add(second);
    this.upstream.get(second)?.add(first);
  }

  connect([first, second]: Pair): void {
    const before = this.groups.get(first.id);
    const after = this.groups.get(second.id);
    if (first.kind === "group") {
      before?.[second.kind === "group" ? "downstreamGroups" : "downstreamTasks"].add(second.id);
    }
    if (second.kind === "group") {
      after?.[first.kind === "group" ? "upstreamGroups" : "upstreamTasks"].add(first.id);
    }
    const ends = [this.#ends(first, this.downstream), this.#ends(second, this.upstream)] as const;
    // Airflow names the last tasks of a group as well, where `>>` is between two groups.
    if (first.kind === "group") for (const one of ends[0]) after?.upstreamTasks.add(one);
    for (const one of ends[0]) for (const other of ends[1]) this.add(one, other);
  }

  /** The task, or those of a group that have no relative within it. */
  #ends(
    { kind, id }: ChildModel,
    relatives: ReadonlyMap<string, ReadonlySet<string>>,
  ): readonly string[] {
    if (kind === "task") return [id];
    this.#members ??= membersByGroup(this.#draft);
    const within = [...(this.#members.get(id) ?? [])];
    const isWithin = (task: string) => task.startsWith(`${id}.`);
    return within.filter((task) => ![...(relatives.get(task) ?? [])].some(isWithin));
  }
}

/** The tasks of each group, those in groups within it included. */
function membersByGroup({ tasks, groups }: DagDraft): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>(Array.from(groups.keys(), (id) => [id, []]));
  for (const { taskId, groupId } of tasks.values()) {
    for (let id = groupId; id !== null; id = groups.get(id)?.parentId ?? null) {
      members.get(id)?.push(taskId);
    }
  }
  return members;
}
