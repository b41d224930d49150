/** A task of a serialised Dag, as the tests say it. */
export interface TaskOptions {
  readonly downstream?: readonly string[];
  readonly inputs?: { readonly [name: string]: object };
  readonly kind?: string;
  /** Its fields as Airflow has them. */
  readonly fields?: { readonly [key: string]: unknown };
}

/** An entry of `tasks` in a serialised Dag. */
export function task(taskId: string, options: TaskOptions = {}): object {
  const { downstream = [], inputs = {}, kind = "task", fields = {} } = options;
  const own = {
    task_id: taskId,
    task_type: "TypeScriptTask",
    downstream_task_ids: downstream,
    _parlance: { kind, inputs },
    ...fields,
  };
  return { __type: "operator", __var: own };
}

/** The parts of a serialised Dag that tests choose. */
export interface DagOptions {
  readonly tasks?: readonly object[];
  /** The one group: what begins with its name is in it. */
  readonly group?: string;
  readonly dag?: { readonly [key: string]: unknown };
}

/** A serialised Dag `sales`. */
export function dagDocument({ tasks = [], group, dag = {} }: DagOptions): object {
  const ids = tasks.map((entry) => (entry as { __var: { task_id: string } }).__var.task_id);
  const isInside = (id: string) => group !== undefined && id.startsWith(`${group}.`);
  const operators = (of: readonly string[]) => of.map((id) => [id, ["operator", id]] as const);
  const inner = groupOf(group ?? "", operators(ids.filter(isInside)));
  const children: (readonly [string, unknown])[] = [];
  for (const id of ids) {
    if (!isInside(id)) children.push([id, ["operator", id]]);
    else if (!children.some(([name]) => name === group))
      children.push([String(group), ["taskgroup", inner]]);
  }
  return {
    __version: 3,
    dag: {
      dag_id: "sales",
      fileloc: "/x",
      timezone: "UTC",
      timetable: { __type: "airflow.timetables.simple.NullTimetable", __var: {} },
      dagrun_timeout: 3600,
      tasks,
      task_group: groupOf(null, children),
      ...dag,
    },
  };
}

function groupOf(id: string | null, children: readonly (readonly [string, unknown])[]): object {
  return {
    ...{ _group_id: id, group_display_name: "", prefix_group_id: true, tooltip: "" },
    ...{ ui_color: "CornflowerBlue", ui_fgcolor: "#000", children: Object.fromEntries(children) },
    ...{ upstream_group_ids: [], downstream_group_ids: [] },
    ...{ upstream_task_ids: [], downstream_task_ids: [] },
  };
}
