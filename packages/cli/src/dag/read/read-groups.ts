import type { GroupFacts } from "./dag-facts.ts";
import { type Field, readFields, warnOfOthers } from "./fields.ts";
import { type Findings, Scope } from "./findings.ts";
import { type JsonMap, listOf, mapOf, textsOf } from "./json.ts";
import { textField } from "./read-values.ts";

const FIELDS: readonly Field[] = [
  { key: "group_display_name", read: textField, initial: "" },
  { key: "tooltip", read: textField, initial: "" },
  { key: "doc_md", read: textField },
  { key: "ui_color", read: textField, initial: "CornflowerBlue" },
  { key: "ui_fgcolor", read: textField, initial: "#000" },
];

const OTHERS = new Set([
  "_group_id",
  "prefix_group_id",
  "children",
  "upstream_group_ids",
  "downstream_group_ids",
  "upstream_task_ids",
  "downstream_task_ids",
  ...FIELDS.map(({ key }) => key),
]);

/** The groups of a Dag. */
export interface GroupReading {
  readonly root: GroupFacts;
  /** What each task is called within its group. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Reads the tree of groups; a Dag without one has all its tasks in the root. */
export function readGroups(dag: JsonMap, findings: Findings): GroupReading {
  const labels = new Map<string, string>();
  const isTask = new Set(
    listOf(dag["tasks"]).map((entry) => mapOf(mapOf(entry)["__var"])["task_id"]),
  );

  const read = (group: JsonMap, groupId: string, prefix: string): GroupFacts => {
    const scope = new Scope(findings, `group ${groupId} of Dag ${String(dag["dag_id"])}`);
    if (groupId !== "") {
      if (group["is_mapped"] === true || group["expand_input"] !== undefined) {
        scope.refuse("is mapped: its stubs could not be told which of the instances they are in");
      }
      if (group["loop"] !== undefined) scope.refuse("is a loop, which Airflow 3.3 does not know");
      warnOfOthers(group, OTHERS, scope);
    }
    const label = groupId.startsWith(prefix) ? groupId.slice(prefix.length) : groupId;
    if (groupId !== "" && !/^[\p{L}\p{N}_-]{1,200}$/u.test(label)) {
      scope.refuse("has an id with more than letters, digits, dashes and underscores");
    }
    const hasPrefix = groupId !== "" && group["prefix_group_id"] !== false;
    const inner = hasPrefix ? `${groupId}.` : "";
    const children = Object.entries(mapOf(group["children"])).flatMap(
      ([id, child]): (string | GroupFacts)[] => {
        const [kind, what] = listOf(child);
        if (kind === "taskgroup") return [read(mapOf(what), id, inner)];
        if (!isTask.has(id)) return [];
        labels.set(id, id.startsWith(inner) ? id.slice(inner.length) : id);
        return [id];
      },
    );
    return {
      groupId,
      label,
      args: [
        ...(groupId === "" || hasPrefix ? [] : [["prefix_group_id", "False"] as const]),
        ...(groupId === "" ? [] : readFields(group, FIELDS, scope)),
      ],
      children,
      upstreamGroupIds: textsOf(group["upstream_group_ids"]),
      upstreamTaskIds: textsOf(group["upstream_task_ids"]),
      downstreamTaskIds: textsOf(group["downstream_task_ids"]),
    };
  };

  return { root: read(mapOf(dag["task_group"]), "", ""), labels };
}
