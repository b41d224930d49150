import type { DagFacts, GroupFacts } from "../read/dag-facts.ts";
import { type Findings, Scope } from "../read/findings.ts";
import { callOrder, type PlacedInput } from "./place-inputs.ts";

/** A task or a group by its full id. */
export interface Node {
  readonly kind: "task" | "group";
  readonly id: string;
}

/** What is written with `>>`. */
export interface Edges {
  /** Between tasks; those that come from arguments and groups are not among them. */
  readonly tasks: readonly (readonly [from: string, to: string])[];
  /** With a group at one end or both; in the order in which they have to run. */
  readonly groups: readonly (readonly [from: Node, to: Node])[];
}

/** The edges of a Dag that the file has to say by themselves. */
export function edgesToWrite(
  dag: DagFacts,
  placed: ReadonlyMap<string, readonly PlacedInput[]>,
  findings: Findings,
): Edges {
  const done = new Set<string>();
  for (const [taskId, inputs] of placed) {
    for (const { input } of inputs) {
      if ("taskId" in input.from) done.add(edgeKey(input.from.taskId, taskId));
    }
  }
  const groups = groupEdges(dag, findings);
  for (const [from, to] of groups) {
    for (const key of edgesBetween(dag, from, to)) done.add(key);
  }
  const order = callOrder(dag.root);
  const tasks = order.flatMap((from) => {
    const downstream = new Set(dag.tasks.get(from)?.downstream);
    return order
      .filter((to) => downstream.has(to) && !done.has(edgeKey(from, to)))
      .map((to) => [from, to] as const);
  });
  return { tasks, groups };
}

function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** What groups were said to come before and behind; what does not agree with the tasks is left out. */
function groupEdges(dag: DagFacts, findings: Findings): Edges["groups"] {
  const scope = new Scope(findings, `Dag ${dag.dagId}`);
  const found: { readonly depth: number; readonly edge: readonly [Node, Node] }[] = [];
  const add = (from: Node, to: Node) => {
    const isAll = edgesBetween(dag, from, to).every((key) => {
      const [one, other] = JSON.parse(key) as [string, string];
      return dag.tasks.get(one)?.downstream.includes(other);
    });
    if (isAll) found.push({ depth: commonDepth(dag.root, from.id, to.id), edge: [from, to] });
    else scope.warn(`${from.id} >> ${to.id} is not what its tasks say: written task by task`);
  };
  for (const group of groupsOf(dag.root)) {
    const own: Node = { kind: "group", id: group.groupId };
    for (const id of group.upstreamGroupIds) add({ kind: "group", id }, own);
    // Airflow notes the last tasks of a group that comes before it, too.
    const said = new Set(group.upstreamGroupIds.flatMap((id) => outermost(dag, id, false)));
    for (const id of group.upstreamTaskIds) if (!said.has(id)) add({ kind: "task", id }, own);
    for (const id of group.downstreamTaskIds) add(own, { kind: "task", id });
  }
  // A group's first and last tasks are known when all is said about what is in it.
  return found.sort((one, other) => other.depth - one.depth).map(({ edge }) => edge);
}

/** The edges that Airflow makes of `from >> to`. */
function edgesBetween(dag: DagFacts, from: Node, to: Node): readonly string[] {
  const ends = (node: Node, isFirst: boolean) =>
    node.kind === "task" ? [node.id] : outermost(dag, node.id, isFirst);
  return ends(from, false).flatMap((one) => ends(to, true).map((other) => edgeKey(one, other)));
}

/** A group's tasks that nothing in it comes before (or behind). */
function outermost(dag: DagFacts, groupId: string, isFirst: boolean): readonly string[] {
  const group = groupsOf(dag.root).find((each) => each.groupId === groupId);
  const members = group === undefined ? [] : callOrder(group);
  const downstreamOf = (id: string) => dag.tasks.get(id)?.downstream ?? [];
  const inner = new Set(members);
  if (!isFirst) return members.filter((id) => !downstreamOf(id).some((each) => inner.has(each)));
  const behind = new Set(members.flatMap(downstreamOf));
  return members.filter((id) => !behind.has(id));
}

/** All groups but the root, outer ones first. */
export function groupsOf(group: GroupFacts): readonly GroupFacts[] {
  return group.children.flatMap((child) =>
    typeof child === "string" ? [] : [child, ...groupsOf(child)],
  );
}

/** How many groups are around both. */
function commonDepth(root: GroupFacts, one: string, other: string): number {
  const holds = (group: GroupFacts, id: string): boolean =>
    group.children.some((child) =>
      typeof child === "string" ? child === id : child.groupId === id || holds(child, id),
    );
  return groupsOf(root).filter((group) => holds(group, one) && holds(group, other)).length;
}
