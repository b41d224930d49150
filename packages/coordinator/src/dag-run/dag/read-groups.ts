import { readMapping } from "./read-mapping.ts";
import { FieldReader, isMap, kindOf } from "./reader.ts";
import type { RunnableGroup } from "./runnable-dag.ts";

/** The tree of groups, flat. */
export interface ReadGroups {
  /** Outer ones before the groups inside them. */
  readonly groups: readonly RunnableGroup[];
  /** The innermost group by task id; those outside of all are missing. */
  readonly groupOf: ReadonlyMap<string, string>;
  /** Ids of tasks that stand in the tree, and where, to be held against the tasks there are. */
  readonly places: ReadonlyMap<string, FieldReader>;
}

/** `task_group` of a serialised Dag. Without one, all tasks are outside of groups. */
export function readGroups(dag: FieldReader): ReadGroups {
  const groups: RunnableGroup[] = [];
  const groupOf = new Map<string, string>();
  const places = new Map<string, FieldReader>();
  const root = dag.raw("task_group");
  if (root === undefined || root === null) return { groups, groupOf, places };
  if (!isMap(root)) return dag.fail("bad-dag", "task_group", `${kindOf(root)} is no group`);

  const visit = (group: FieldReader, groupId: string | null): void => {
    const children = group.raw("children");
    if (!isMap(children)) {
      group.fail("bad-dag", "children", `${kindOf(children)} is no map`);
    }
    for (const [id, child] of Object.entries(children)) {
      const [kind, inner]: unknown[] = Array.isArray(child) ? child : [];
      if (kind === "operator") {
        if (groupId !== null) groupOf.set(id, groupId);
        places.set(id, group);
        continue;
      }
      if (kind !== "taskgroup" || !isMap(inner)) {
        group.fail("bad-dag", `children/${id}`, `${kindOf(child)} is neither a task nor a group`);
      }
      const path = `${group.path}/children/${id}`;
      const below = new FieldReader(inner as { readonly [key: string]: unknown }, {
        dagId: dag.dagId,
        path,
      });
      groups.push(readGroup(below, id, groupId));
      visit(below, id);
    }
  };
  visit(new FieldReader(root, { dagId: dag.dagId, path: "/dag/task_group" }), null);
  return { groups, groupOf, places };
}

function readGroup(group: FieldReader, groupId: string, parentId: string | null): RunnableGroup {
  if (group.has("max_iterations")) {
    group.fail("unsupported", "max_iterations", "loops are not run here; Airflow 3.4 runs them");
  }
  return {
    groupId,
    displayName: group.text("group_display_name") || groupId,
    tooltip: group.text("tooltip") ?? "",
    parentId,
    mapping:
      group.flag("is_mapped") || group.has("expand_input")
        ? readMapping(group, "expand_input")
        : null,
  };
}
