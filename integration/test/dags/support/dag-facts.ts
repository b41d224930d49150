import type { Json } from "./serialise-files.ts";

// What a serialised Dag says, whoever wrote it: with defaults in place, durations as seconds, and without what
// only names classes of one language.

/** Of a task: each with what Airflow takes it for where nothing is said. */
const TASK_DEFAULTS = {
  owner: "airflow",
  task_display_name: null,
  doc_md: null,
  retries: 0,
  retry_delay: 300,
  retry_exponential_backoff: 0,
  max_retry_delay: null,
  pool: "default_pool",
  pool_slots: 1,
  queue: "default",
  trigger_rule: "all_success",
  priority_weight: 1,
  weight_rule: "downstream",
  execution_timeout: null,
  depends_on_past: false,
  ignore_first_depends_on_past: false,
  wait_for_past_depends_before_skipping: false,
  wait_for_downstream: false,
  max_active_tis_per_dag: null,
  max_active_tis_per_dagrun: null,
  do_xcom_push: true,
  map_index_template: null,
  executor: null,
  executor_config: {},
  logger_name: null,
  email_on_failure: true,
  email_on_retry: true,
  start_date: null,
  end_date: null,
} as const;

const DAG_DEFAULTS = {
  description: null,
  doc_md: null,
  start_date: null,
  end_date: null,
  catchup: false,
  max_active_tasks: 16,
  max_active_runs: 16,
  max_consecutive_failed_dag_runs: 0,
  dagrun_timeout: null,
  fail_fast: false,
  is_paused_upon_creation: null,
  render_template_as_native_obj: false,
  disable_bundle_versioning: false,
  rerun_with_latest_version: null,
  owner_links: {},
  edge_info: {},
} as const;

/** @param queue - of tasks that name none */
export function factsOf(dag: Json, queue: string): Json {
  const hasStart = dag["start_date"] !== undefined;
  return {
    dagId: dag["dag_id"],
    displayName: dag["dag_display_name"] ?? dag["dag_id"],
    ...pick(dag, DAG_DEFAULTS),
    allowedRunTypes: [...((dag["allowed_run_types"] ?? []) as string[])].sort(),
    timezone: hasStart ? dag["timezone"] : "of the configuration",
    tags: [...((dag["tags"] ?? []) as string[])].sort(),
    timetable: timetable(dag["timetable"]),
    params: params(dag["params"], "dag"),
    defaultArgs: defaultArgs(plain(dag["default_args"] ?? {}) as Json),
    tasks: Object.fromEntries(
      (dag["tasks"] as { __var: Json }[]).map(({ __var: task }) => {
        return [task["task_id"], taskFacts(task, queue)];
      }),
    ),
    groups: dag["task_group"] === undefined ? null : groupFacts(dag["task_group"] as Json),
  };
}

function pick(of: Json, defaults: Json): Json {
  return Object.fromEntries(
    Object.entries(defaults).map(([key, initial]) => [key, plain(of[key] ?? initial)]),
  );
}

/** Without the marks of dicts, sets and durations. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { __type: type, __var: inner, ...rest } = value as Json;
  if (type === "dict" || type === "timedelta" || type === "set") return plain(inner);
  if (type !== undefined && inner !== undefined) return { type, value: plain(inner) };
  const entries = Object.entries({ ...(type === undefined ? {} : { type }), ...rest });
  return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}

function timetable(value: unknown): unknown {
  const { __type: type, __var: inner } = value as { __type: string; __var: Json };
  const { batch_asset_events: _, ...said } = inner;
  return { type, ...(plain(said) as Json) };
}

function params(value: unknown, source: "dag" | "task"): unknown {
  return ((value ?? []) as [string, Json][])
    .filter(([, param]) => source === "dag" || param["source"] === "task")
    .map(([name, { default: initial, description, schema }]) => {
      return [name, plain(initial), description ?? null, plain(schema)];
    });
}

/** The decorator of a stub says these itself. */
function defaultArgs({ queue: _, executor: __, multiple_outputs: ___, ...rest }: Json): Json {
  return rest;
}

function taskFacts(task: Json, queue: string): Json {
  const partial = (task["partial_kwargs"] ?? {}) as Json;
  const said: Json = {
    ...task,
    ...partial,
    task_display_name: partial["task_display_name"] ?? task["_task_display_name"],
    logger_name: partial["logger_name"] ?? task["_logger_name"],
    queue: partial["queue"] ?? task["queue"] ?? queue,
  };
  const expand = task[String(task["_expand_input_attr"])] as Json | undefined;
  return {
    ...pick(said, TASK_DEFAULTS),
    // Airflow 3.3 does not keep it of a mapped task in Python.
    multiple_outputs: task["_is_mapped"] !== true && said["multiple_outputs"] === true,
    inlets: plain(task["inlets"] ?? partial["inlets"] ?? []),
    outlets: plain(task["outlets"] ?? partial["outlets"] ?? []),
    params: params(task["params"], "task"),
    downstream: [...((task["downstream_task_ids"] ?? []) as string[])].sort(),
    expand: expand === undefined ? null : plain(expand["value"]),
  };
}

function groupFacts(group: Json): Json {
  const { children, ...rest } = group;
  const sorted = (key: string) => [...(rest[key] as string[])].sort();
  return {
    ...rest,
    upstream_group_ids: sorted("upstream_group_ids"),
    downstream_group_ids: sorted("downstream_group_ids"),
    upstream_task_ids: sorted("upstream_task_ids"),
    downstream_task_ids: sorted("downstream_task_ids"),
    children: Object.entries(children as Json).map(([id, child]) => {
      const [kind, what] = child as [string, Json];
      return [id, kind === "taskgroup" ? groupFacts(what) : kind];
    }),
  };
}

/** Where two values are not the same: `/place: one / other`. */
export function differencesOf(one: unknown, other: unknown, at = ""): readonly string[] {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return Object.is(one, other)
      ? []
      : [`${at}: ${JSON.stringify(one)} / ${JSON.stringify(other)}`];
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => {
    return differencesOf((one as Json)[key], (other as Json)[key], `${at}/${key}`);
  });
}
