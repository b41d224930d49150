import { checkEncoded } from "./check-encoded.ts";
import { params } from "./check-params.ts";
import { checkTask } from "./check-task.ts";
import { checkTimetable } from "./check-timetable.ts";
import {
  anything,
  below,
  type Check,
  type Fields,
  fields,
  flag,
  isRecord,
  kindOf,
  listOf,
  moment,
  number,
  orNull,
  record,
  scalar,
  seconds,
  text,
  zone,
} from "./problems.ts";

// The JSON Schema that Airflow 3.4.0b2 holds a serialised Dag to (serialization/schema.json there), as
// far as its validator looks: it never looks into a task beyond the id.

const encodedRecord: Check = (value, path, tell) => {
  record(value, path, tell);
  checkEncoded(value, path, tell);
};

const mapOf =
  (check: Check): Check =>
  (value, path, tell) => {
    record(value, path, tell);
    for (const [key, entry] of Object.entries(isRecord(value) ? value : {})) {
      check(entry, below(path, key), tell);
    }
  };

const GROUP_REQUIRED = [
  "_group_id",
  "group_display_name",
  "prefix_group_id",
  "children",
  "tooltip",
  "ui_color",
  "ui_fgcolor",
  "upstream_group_ids",
  "downstream_group_ids",
  "upstream_task_ids",
  "downstream_task_ids",
];
const ids = listOf(text);
const groupFields: Fields = {
  _group_id: orNull(text),
  group_display_name: text,
  is_mapped: flag,
  loop: record,
  prefix_group_id: flag,
  children: (value, path, tell) => children(value, path, tell),
  tooltip: text,
  doc_md: orNull(text),
  ui_color: text,
  ui_fgcolor: text,
  upstream_group_ids: ids,
  downstream_group_ids: ids,
  upstream_task_ids: ids,
  downstream_task_ids: ids,
};
/** Airflow's schema ends at the outermost group. */
const rootGroup = fields(groupFields, { required: GROUP_REQUIRED, isClosed: true });
const innerGroup = fields(groupFields, { required: GROUP_REQUIRED });

/** `{label: ["operator", task id] | ["taskgroup", group]}`. */
const children: Check = (value, path, tell) => {
  record(value, path, tell);
  for (const [label, child] of Object.entries(isRecord(value) ? value : {})) {
    const [kind, content, ...more] = Array.isArray(child) ? (child as readonly unknown[]) : [];
    const isTask = kind === "operator" && typeof content === "string";
    if (kind === undefined || content === undefined || more.length > 0) {
      tell(
        below(path, label),
        `is ${kindOf(child)}, expected ["operator", id] or ["taskgroup", {…}]`,
      );
    } else if (!isTask) {
      innerGroup(content, below(path, label), tell);
    }
  }
};

const DAG_FIELDS: Fields = {
  params,
  dag_id: text,
  tasks: listOf(checkTask),
  timezone: zone,
  owner_links: record,
  timetable: checkTimetable,
  catchup: flag,
  allowed_run_types: orNull(ids),
  fail_fast: flag,
  fileloc: text,
  relative_fileloc: text,
  bundle_name: orNull(text),
  _processor_dags_folder: orNull(text),
  dag_display_name: text,
  description: text,
  deadline: orNull(anything),
  _concurrency: number,
  max_active_tasks: number,
  max_active_runs: number,
  max_consecutive_failed_dag_runs: number,
  default_args: encodedRecord,
  start_date: moment,
  end_date: moment,
  dagrun_timeout: seconds,
  doc_md: text,
  access_control: encodedRecord,
  is_paused_upon_creation: flag,
  has_on_success_callback: flag,
  has_on_failure_callback: flag,
  render_template_as_native_obj: flag,
  tags: listOf(scalar),
  task_group: rootGroup,
  edge_info: mapOf(mapOf(fields({ label: text }, { required: ["label"], isClosed: true }))),
  dag_dependencies: listOf(record),
  disable_bundle_versioning: flag,
  rerun_with_latest_version: orNull(flag),
};

/** What Airflow's schema says of the whole document. */
export const checkFields: Check = fields(
  {
    __version: (value, path, tell) => {
      if (value === 1 || value === 2 || value === 3) return;
      tell(path, `is ${kindOf(value)}, expected 3`);
    },
    dag: fields(DAG_FIELDS, {
      required: ["dag_id", "fileloc", "tasks", "timetable"],
      isClosed: true,
    }),
    client_defaults: fields({ tasks: record }, { isClosed: true }),
  },
  { required: ["__version", "dag"], isClosed: true },
);
