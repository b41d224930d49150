import type { Py } from "../python/expression.ts";
import { textLiteral } from "../python/text-literal.ts";
import { checkRules } from "./check-rules.ts";
import type { DagFacts, NamedArgument, TaskFacts } from "./dag-facts.ts";
import { attempt, type Field, readFields, warnOfOthers } from "./fields.ts";
import { Findings, Scope } from "./findings.ts";
import { instant } from "./instant.ts";
import { encodedOf, type JsonMap, listOf, mapOf, textsOf } from "./json.ts";
import { params } from "./params.ts";
import { readGroups } from "./read-groups.ts";
import { OWN_ARGUMENTS, readTask, TASK_FIELDS } from "./read-task.ts";
import { countField, flagField, oneOf, textField } from "./read-values.ts";
import { schedule } from "./schedule.ts";
import { UnwritableError } from "./unwritable-error.ts";
import { duration, pythonValue, text } from "./value.ts";

const RUN_TYPES =
  "backfill scheduled manual operator_triggered asset_triggered asset_materialization".split(" ");

/** Arguments of `DAG(…)` behind schedule and dates, in the order in which they are written. */
const FIELDS: readonly Field[] = [
  { key: "catchup", read: flagField },
  { key: "max_active_tasks", read: countField },
  { key: "max_active_runs", read: countField },
  { key: "max_consecutive_failed_dag_runs", read: countField },
  { key: "dagrun_timeout", read: duration },
  { key: "fail_fast", read: flagField, initial: false },
  { key: "is_paused_upon_creation", read: flagField },
  { key: "allowed_run_types", read: runTypes },
  { key: "render_template_as_native_obj", read: flagField, initial: false },
  { key: "rerun_with_latest_version", read: flagField },
  { key: "disable_bundle_versioning", read: flagField },
  { key: "owner_links", read: ownerLinks },
  { key: "tags", read: tags },
  { key: "params", read: (value) => params(value, "dag") },
];

const TEXTS: readonly Field[] = [
  { key: "dag_display_name", read: textField },
  { key: "description", read: textField },
  { key: "doc_md", read: textField },
];

const OTHERS = new Set([
  ...(
    "dag_id fileloc relative_fileloc bundle_name timezone timetable start_date end_date default_args tasks " +
    "task_group dag_dependencies edge_info _processor_dags_folder _concurrency"
  ).split(" "),
  ...[...TEXTS, ...FIELDS].map(({ key }) => key),
]);

const REFUSED: readonly (readonly [key: string, why: string])[] = [
  ["deadline", "has a deadline, whose callback is a function of Python"],
  ["has_on_success_callback", "has a callback, and callbacks are functions of Python"],
  ["has_on_failure_callback", "has a callback, and callbacks are functions of Python"],
];

/** A Dag to be written as Python, and what was found on the way. */
export interface DagReading {
  readonly facts: DagFacts;
  readonly findings: Findings;
}

/**
 * Reads a serialised Dag: `{"__version", "dag"}`. What the Python file can't say is a finding.
 *
 * @param queue - that of tasks that name none
 */
export function readDag(document: unknown, queue: string | undefined): DagReading {
  const findings = new Findings();
  const dag = mapOf(mapOf(document)["dag"]);
  const dagId = String(dag["dag_id"]);
  const scope = new Scope(findings, `Dag ${dagId}`);
  if (!/^[\p{L}\p{N}_.-]{1,250}$/u.test(dagId)) {
    scope.refuse(
      "has an id with more than letters, digits, dashes, dots and underscores, or 250 of them",
    );
  }
  for (const [key, why] of REFUSED) {
    if (dag[key] !== undefined && dag[key] !== null && dag[key] !== false) scope.refuse(why);
  }
  warnOfOthers(dag, OTHERS, scope);
  const defaultArgs = mapOf(encodedOf(dag["default_args"])?.var ?? dag["default_args"]);
  const { root, labels } = readGroups(dag, findings);
  const tasks = new Map<string, TaskFacts>();
  for (const entry of listOf(dag["tasks"])) {
    const own = mapOf(mapOf(entry)["__var"]);
    const taskId = String(own["task_id"]);
    const around = { label: labels.get(taskId) ?? taskId, queue, defaultArgs };
    tasks.set(taskId, readTask(own, around, new Scope(findings, `task ${taskId} of Dag ${dagId}`)));
  }
  checkRules(dagId, dag["fail_fast"] === true, tasks.values(), findings);
  const unplaced = [...tasks.keys()].filter((taskId) => !labels.has(taskId));
  const facts: DagFacts = {
    dagId,
    args: [...head(dag, scope), ...readFields(dag, FIELDS, scope), ...defaults(defaultArgs, scope)],
    tasks,
    root: { ...root, children: [...root.children, ...unplaced] },
    labels: edgeLabels(mapOf(dag["edge_info"]), scope),
  };
  return { facts, findings };
}

/** Names and times: what people look for first. */
function head(dag: JsonMap, scope: Scope): readonly NamedArgument[] {
  const { timezone = "UTC", start_date: start, end_date: end, dag_id: dagId } = dag;
  const texts = readFields(dag, TEXTS, scope).filter(
    ([name]) => name !== "dag_display_name" || dag["dag_display_name"] !== dagId,
  );
  const hasStart = start !== undefined && start !== null;
  if (!hasStart && timezone !== "UTC") {
    scope.warn(
      "has no start_date: Airflow shows its times in its own zone, whatever its timezone says",
    );
  }
  const when = attempt(() => schedule(dag["timetable"], hasStart ? timezone : undefined), scope);
  const date = (value: unknown) => attempt(() => instant(value, timezone), scope);
  return [
    ...texts,
    ["schedule", when ?? "None"],
    ...(hasStart ? [["start_date", date(start) ?? "None"] as const] : []),
    ...(end === undefined || end === null ? [] : [["end_date", date(end) ?? "None"] as const]),
  ];
}

/** The arguments that all tasks have. */
function defaults(defaultArgs: JsonMap, scope: Scope): readonly NamedArgument[] {
  const readers = new Map(TASK_FIELDS.map(({ key, name = key, read }) => [name, read]));
  const entries = Object.entries(defaultArgs).flatMap(([name, value]) => {
    if (OWN_ARGUMENTS.has(name)) return [];
    const read = readers.get(name) ?? pythonValue;
    const py = attempt(() => read(value), scope, ` in default_args.${name}`);
    return py === undefined ? [] : [[textLiteral(name), py] as const];
  });
  return entries.length === 0 ? [] : [["default_args", { dict: entries }]];
}

function edgeLabels(info: JsonMap, scope: Scope): DagFacts["labels"] {
  return Object.entries(info).flatMap(([from, ends]) =>
    Object.entries(mapOf(ends)).flatMap(([to, edge]) => {
      const { label } = mapOf(edge);
      if (typeof label !== "string") return [];
      const py = attempt(() => text(label), scope);
      return py === undefined ? [] : [[from, to, py] as const];
    }),
  );
}

function tags(value: unknown): Py | undefined {
  const all = textsOf(encodedOf(value)?.var ?? value);
  return all.length === 0 ? undefined : { list: [...all].sort().map(text) };
}

function ownerLinks(value: unknown): Py | undefined {
  return Object.keys(mapOf(value)).length === 0 ? undefined : pythonValue(value);
}

function runTypes(value: unknown): Py | undefined {
  const all = textsOf(value);
  if (all.length !== listOf(value).length) throw new UnwritableError("something else than text");
  return all.length === 0 ? undefined : { list: all.map(oneOf(RUN_TYPES)) };
}
