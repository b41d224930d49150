import { readGroups } from "./read-groups.ts";
import { referencesOf } from "./read-mapping.ts";
import { readParams } from "./read-params.ts";
import { readTask, type TaskPart } from "./read-task.ts";
import { FieldReader, isMap, kindOf } from "./reader.ts";
import { type Edges, reachable, topological } from "./relatives.ts";
import type { RunnableDag, RunnableGroup, RunnableTask, SerializedDag } from "./runnable-dag.ts";
import { scheduleText } from "./schedule-text.ts";

/** Versions of the document that Airflow 3.4 reads. */
const VERSIONS: ReadonlySet<unknown> = new Set([1, 2, 3]);

/** `[core] max_active_tasks_per_dag`. */
const DEFAULT_MAX_ACTIVE_TASKS = 16;

/**
 * Reads Airflow's serialised form of a Dag into what can be run here. Tasks of any language are taken,
 * but for those that only Python's own runner can run. What is unknown (a timetable, say) and does
 * not matter for a run is passed over.
 *
 * @throws DagReadError
 */
export function readSerializedDag(data: unknown): RunnableDag {
  const document = new FieldReader(isMap(data) ? data : {}, { dagId: null, path: "" });
  const fields = document.raw("dag");
  if (!isMap(fields)) {
    return document.fail(
      "bad-dag",
      "",
      `${kindOf(data)} is no serialised Dag: expected {"__version": 3, "dag": {…}}`,
    );
  }
  const dagId = fields["dag_id"];
  if (typeof dagId !== "string" || dagId === "") {
    return document.fail(
      "bad-dag",
      "dag/dag_id",
      `${kindOf(dagId)} stands where the Dag's id is expected`,
    );
  }
  const dag = new FieldReader(fields, { dagId, path: "/dag" });
  if (!VERSIONS.has(document.raw("__version"))) {
    const version = kindOf(document.raw("__version"));
    return dag.fail(
      "unknown-version",
      "",
      `it is version ${version} of the format; known are 1, 2 and 3`,
    );
  }
  const { groups, tasks } = readTasks(dag, dagId);
  return {
    dagId,
    displayName: dag.text("dag_display_name") ?? dagId,
    description: dag.text("description"),
    docMd: dag.text("doc_md"),
    tags: dag.texts("tags"),
    schedule: scheduleText(dag.raw("timetable")),
    fileloc: dag.text("fileloc") ?? "",
    params: readParams(dag),
    maxActiveTasks: dag.whole("max_active_tasks", 1) ?? DEFAULT_MAX_ACTIVE_TASKS,
    failFast: dag.flag("fail_fast"),
    tasks,
    groups,
    serialized: data as SerializedDag,
  };
}

function readTasks(
  dag: FieldReader,
  dagId: string,
): { readonly groups: readonly RunnableGroup[]; readonly tasks: readonly RunnableTask[] } {
  const list = dag.raw("tasks");
  if (!Array.isArray(list))
    return dag.fail("bad-dag", "tasks", `${kindOf(list)} is no list of tasks`);
  const parts = list.map((entry: unknown, at) => readTask(entry, dagId, `/dag/tasks/${at}`));
  const byId = new Map<string, TaskPart>();
  for (const [at, part] of parts.entries()) {
    if (byId.has(part.taskId)) {
      dag.fail(
        "duplicate-task",
        `tasks/${at}`,
        `there are two tasks ${JSON.stringify(part.taskId)}`,
      );
    }
    byId.set(part.taskId, part);
  }
  const { groups, groupOf, places } = readGroups(dag);
  for (const [taskId, group] of places) {
    if (!byId.has(taskId))
      group.fail("unknown-task", `children/${taskId}`, "there is no such task");
  }
  const upstream = new Map(parts.map(({ taskId }): [string, string[]] => [taskId, []]));
  for (const [at, { taskId, downstream }] of parts.entries()) {
    for (const after of downstream) {
      const known = upstream.get(after);
      if (known !== undefined) known.push(taskId);
      else
        dag.fail(
          "unknown-task",
          `tasks/${at}/__var/downstream_task_ids`,
          `there is no task ${JSON.stringify(after)}`,
        );
    }
  }
  checkReferences(dag, parts, groups, byId);
  const down: Edges = new Map(parts.map(({ taskId, downstream }) => [taskId, downstream]));
  if (topological([...byId.keys()], down) === undefined) {
    const id = parts.find(({ taskId }) => reachable(taskId, down).has(taskId))?.taskId;
    dag.fail("cycle", "tasks", `task ${JSON.stringify(id)} comes after itself: it would never run`);
  }
  const mappedGroups = groupsThatAreMapped(groups);
  const tasks = parts.map((part): RunnableTask => {
    const { weightRule, ...rest } = part;
    const groupId = groupOf.get(part.taskId) ?? null;
    return {
      ...rest,
      groupId,
      upstream: upstream.get(part.taskId) ?? [],
      totalPriorityWeight: totalWeight(part, byId, weightRule === "upstream" ? upstream : down),
      isMapped: part.mapping !== null || (groupId !== null && mappedGroups.has(groupId)),
    };
  });
  return { groups, tasks };
}

/** Ids of the groups that are mapped, or lie in one that is. */
function groupsThatAreMapped(groups: readonly RunnableGroup[]): ReadonlySet<string> {
  const mapped = new Set<string>();
  for (const { groupId, parentId, mapping } of groups) {
    if (mapping !== null || (parentId !== null && mapped.has(parentId))) mapped.add(groupId);
  }
  return mapped;
}

function checkReferences(
  dag: FieldReader,
  parts: readonly TaskPart[],
  groups: readonly RunnableGroup[],
  byId: ReadonlyMap<string, TaskPart>,
): void {
  const mapped = [
    ...parts.map(({ taskId, mapping }) => ({ what: `task ${JSON.stringify(taskId)}`, mapping })),
    ...groups.map(({ groupId, mapping }) => ({
      what: `group ${JSON.stringify(groupId)}`,
      mapping,
    })),
  ];
  for (const { what, mapping } of mapped) {
    const unknown = mapping && referencesOf(mapping).find((taskId) => !byId.has(taskId));
    if (unknown !== null && unknown !== undefined) {
      dag.fail(
        "unknown-task",
        "tasks",
        `${what} is mapped over task ${JSON.stringify(unknown)}, which does not exist`,
      );
    }
  }
}

/** The highest starts first: by default a task counts for all that waits behind it. */
function totalWeight(
  { taskId, priorityWeight, weightRule }: TaskPart,
  byId: ReadonlyMap<string, TaskPart>,
  edges: Edges,
): number {
  if (weightRule !== "downstream" && weightRule !== "upstream") return priorityWeight;
  let total = priorityWeight;
  for (const id of reachable(taskId, edges)) total += byId.get(id)?.priorityWeight ?? 0;
  return total;
}
