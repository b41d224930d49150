import { RegistrationError } from "../../errors.ts";
import type { DagAsset } from "../assets/asset.ts";
import type { AssetModel, ChildModel, DagModel, GroupModel, TaskModel } from "../dag-model.ts";
import { resolveChoices } from "./choices.ts";
import { findCycle } from "./cycle.ts";
import type { DagDraft, GroupDraft, TaskDraft } from "./draft.ts";
import { connect, type Edges } from "./edges.ts";

/**
 * Makes the whole of what was declared, and seals it.
 *
 * @throws RegistrationError `unknown-task`, `dependency-cycle` or `bad-option`
 */
export function buildModel(draft: DagDraft): DagModel {
  const where = `dag(${JSON.stringify(draft.facts.dagId)})`;
  if (draft.tasks.size === 0) {
    const message = `${where} has no tasks, expected at least one: .task("id", handler)`;
    throw new RegistrationError("bad-option", message);
  }
  const choices = resolveChoices(draft);
  const edges = connect(draft, choices);
  const cycle = findCycle(edges.upstream);
  if (cycle !== undefined) {
    const way = cycle.map((id) => JSON.stringify(id)).join(" → ");
    const message = `${where}: tasks come behind themselves: ${way}; take out one of these dependencies`;
    throw new RegistrationError("dependency-cycle", message);
  }
  const mappedOver = new Set(
    [...draft.tasks.values()].flatMap(({ inputs }) =>
      Object.values(inputs).flatMap((input) => (input.kind === "each" ? [input.taskId] : [])),
    ),
  );
  const tasks = Array.from(draft.tasks.values(), (task) => ({
    ...modelOf(task, edges),
    choices: choices.get(task.taskId)?.map(({ id }) => id) ?? null,
    isMappedOver: mappedOver.has(task.taskId),
  }));
  const children = childrenByParent(draft);
  draft.sealedBy = "it was served, tested or looked at as a whole";
  return Object.freeze({
    ...draft.facts,
    tasks,
    groups: Array.from(draft.groups.values(), (group) => groupOf(group, edges, children)),
    children: children.get("") ?? [],
  });
}

function modelOf(task: TaskDraft, edges: Edges): Omit<TaskModel, "choices" | "isMappedOver"> {
  const { taskId } = task;
  return {
    taskId,
    label: task.label,
    groupId: task.groupId,
    kind: task.kind,
    upstream: sorted(edges.upstream.get(taskId)),
    downstream: sorted(edges.downstream.get(taskId)),
    inputs: task.inputs,
    expand: task.expand,
    settings: task.settings,
    inlets: task.inlets.map(plain),
    outlets: task.outlets.map(plain),
    ignoreDownstreamTriggerRules: task.ignoreDownstreamTriggerRules,
  };
}

function groupOf(
  { groupId, label, parentId, displayName, tooltip }: GroupDraft,
  { groups }: Edges,
  children: ReadonlyMap<string, readonly ChildModel[]>,
): GroupModel {
  const relatives = groups.get(groupId);
  if (relatives === undefined) throw new Error(`no group ${groupId}`);
  return {
    ...{ groupId, label, parentId, displayName, tooltip },
    children: children.get(groupId) ?? [],
    upstreamGroupIds: sorted(relatives.upstreamGroups),
    downstreamGroupIds: sorted(relatives.downstreamGroups),
    upstreamTaskIds: sorted(relatives.upstreamTasks),
    downstreamTaskIds: sorted(relatives.downstreamTasks),
  };
}

/**
 * What stands in each group, and at the top level (""). Tasks and groups are kept apart, so a group
 * stands where its first task does.
 */
function childrenByParent(draft: DagDraft): ReadonlyMap<string, readonly ChildModel[]> {
  const children = new Map<string, ChildModel[]>([["", []]]);
  const placed = new Set<string>();
  const place = (parentId: string | null, child: ChildModel): void => {
    if (placed.has(child.id)) return;
    placed.add(child.id);
    if (parentId !== null) {
      place(draft.groups.get(parentId)?.parentId ?? null, { kind: "group", id: parentId });
    }
    const list = children.get(parentId ?? "");
    if (list === undefined) children.set(parentId ?? "", [child]);
    else list.push(child);
  };
  for (const { taskId, groupId } of draft.tasks.values()) {
    place(groupId, { kind: "task", id: taskId });
  }
  return children;
}

function plain({ condition }: DagAsset): AssetModel {
  if (condition.kind !== "asset") throw new Error("an asset is one");
  return condition.asset;
}

function sorted(ids: ReadonlySet<string> | undefined): readonly string[] {
  return [...(ids ?? [])].sort();
}
