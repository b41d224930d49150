import type { ChildModel, DagModel, GroupModel } from "../dag-model.ts";
import type { Encoded } from "./encode.ts";

/** The root of a Dag's groups, with all that is in it. */
export function encodeGroups(dag: DagModel): Encoded {
  const byId = new Map(dag.groups.map((group) => [group.groupId, group]));
  const encode = (group: GroupModel | null): Encoded => ({
    _group_id: group?.label ?? null,
    group_display_name: group?.displayName ?? "",
    prefix_group_id: true,
    tooltip: group?.tooltip ?? "",
    ui_color: "CornflowerBlue",
    ui_fgcolor: "#000",
    children: Object.fromEntries(
      (group ?? dag).children.map((child) => [child.id, encodeChild(child)]),
    ),
    upstream_group_ids: sorted(group?.upstreamGroupIds),
    downstream_group_ids: sorted(group?.downstreamGroupIds),
    upstream_task_ids: sorted(group?.upstreamTaskIds),
    downstream_task_ids: sorted(group?.downstreamTaskIds),
  });
  const encodeChild = ({ kind, id }: ChildModel): Encoded =>
    kind === "task" ? ["operator", id] : ["taskgroup", encode(byId.get(id) ?? null)];
  return encode(null);
}

function sorted(ids: readonly string[] = []): readonly string[] {
  return [...ids].sort();
}
