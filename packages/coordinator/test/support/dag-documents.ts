import {
  type RunnableDag,
  readSerializedDag,
  type SerializedDag,
} from "@parlance/coordinator/dag-run";

/** A task of a document, in short. Other fields go into it as they are. */
export interface ShortTask {
  readonly id: string;
  /** Ids directly before it. */
  readonly after?: readonly string[];
  readonly rule?: string;
  /** Its group; the group's id is no part of its own. */
  readonly group?: string;
  /** Mapped over the values of these tasks, or over literal lists. */
  readonly over?: { readonly [name: string]: string | readonly unknown[] };
  readonly [field: string]: unknown;
}

/** What a Dag has beside its tasks. */
export interface ShortDag {
  readonly dagId?: string;
  readonly tasks: readonly ShortTask[];
  /** Groups that are mapped, by id; others are made as they are named. */
  readonly mappedGroups?: {
    readonly [id: string]: { readonly [name: string]: string | readonly unknown[] };
  };
  readonly [field: string]: unknown;
}

/** A serialised Dag as Airflow 3.4 has it. */
export function dagDocument(short: ShortDag): SerializedDag {
  const { dagId = "d", tasks, mappedGroups = {}, ...rest } = short;
  const downstream = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
  for (const { id, after = [] } of tasks)
    for (const before of after) downstream.get(before)?.push(id);
  const groups = [...new Set(tasks.flatMap(({ group }) => (group === undefined ? [] : [group])))];
  const inGroup = (group: string | undefined): [string, unknown][] =>
    tasks.filter((task) => task.group === group).map(({ id }) => [id, ["operator", id]]);
  return {
    __version: 3,
    dag: {
      ...{ dag_id: dagId, fileloc: "/dags/x.mjs", relative_fileloc: "x.mjs" },
      timetable: { __type: "airflow.timetables.simple.NullTimetable", __var: {} },
      ...rest,
      tasks: tasks.map((task) => ({
        __type: "operator",
        __var: taskFields(task, downstream.get(task.id) ?? []),
      })),
      task_group: group(null, [
        ...inGroup(undefined),
        ...groups.map((id): [string, unknown] => {
          const over = mappedGroups[id];
          const mapped = over && { is_mapped: true, expand_input: expandInput(over) };
          return [id, ["taskgroup", { ...group(id, inGroup(id)), ...mapped }]];
        }),
      ]),
    },
  };
}

/** The same, read. */
export function runnableDag(short: ShortDag): RunnableDag {
  return readSerializedDag(dagDocument(short));
}

function taskFields(task: ShortTask, downstream: readonly string[]): object {
  const { id, after: _after, rule, group: _group, over, ...rest } = task;
  const plain = { ...(rule !== undefined && { trigger_rule: rule }), ...rest };
  const head = {
    task_id: id,
    downstream_task_ids: downstream,
    _parlance: { __type: "dict", __var: { kind: "task" } },
  };
  if (over === undefined) return { ...head, ...plain };
  const mapped = { _is_mapped: true, _expand_input_attr: "expand_input", partial_kwargs: plain };
  return { ...head, ...mapped, expand_input: expandInput(over) };
}

function expandInput(over: NonNullable<ShortTask["over"]>): object {
  const lists = Object.entries(over).map(([name, source]) => [
    name,
    typeof source === "string"
      ? { __type: "xcomref", __var: { task_id: source, key: "return_value" } }
      : source,
  ]);
  return { type: "dict-of-lists", value: { __type: "dict", __var: Object.fromEntries(lists) } };
}

function group(id: string | null, children: readonly [string, unknown][]): object {
  return {
    ...{ _group_id: id, group_display_name: "", prefix_group_id: true, tooltip: "" },
    ...{ ui_color: "CornflowerBlue", ui_fgcolor: "#000", children: Object.fromEntries(children) },
    ...{ upstream_group_ids: [], downstream_group_ids: [] },
    ...{ upstream_task_ids: [], downstream_task_ids: [] },
  };
}
