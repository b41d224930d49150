import { serializeDag } from "../../../../packages/sdk-node/dist/dag/serialize/serialize-dag.js";
import type { Random } from "../../airflow/support/random.ts";
import { randomDag } from "./random-dag.ts";
import type { Json } from "./serialise-files.ts";

// Documents with more than the Node SDK says: texts of every kind, zones, Airflow's other timetables, groups as a
// whole before and behind others, labels on edges.

type Bag = { [key: string]: unknown };

const FILE = { fileloc: "/dags/pipeline.min.mjs", relativeFileloc: "pipeline.min.mjs" };
const ZONES = [
  "UTC",
  "Europe/Vienna",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  7200,
  -12_600,
];
/** In and around the hours that clocks show twice or never, before 1970, with fractions. */
const TIMES = [
  0, -86_400.5, 1_767_222_000, 1_761_438_600, 1_761_442_200, 1_774_746_000, 1_774_749_600.25,
  1_762_063_200, 1_762_066_800.000001, 1_775_311_200, 4_102_444_799,
];
const CHARACTERS = [
  ...[
    "'",
    '"',
    "\\",
    "\n",
    "\r",
    "\t",
    "\0",
    "\x1b",
    "\x85",
    "\u200b",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\u00a0",
  ],
  ...[
    "{{",
    "}}",
    "#",
    "é",
    "e\u0301",
    "日",
    "😀",
    "\u{10ffff}",
    "\u{e000}",
    "a",
    "b ",
    "\\N{DASH}",
    "${",
    '"""',
    "'''",
  ],
];
const INPUT_NAMES = [
  "rows",
  "rowLimit",
  "HTTPHeaders",
  "class",
  "ds",
  "params",
  "été",
  "a-b",
  "self",
  "x1",
];

/** Any text that a Python file can hold. */
export function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(12) }, () => random.pick(CHARACTERS)).join("");
}

/** A serialised Dag, and on the way what its stubs should be called with. */
export function randomDocument(random: Random): { readonly __version: 3; readonly dag: Json } {
  const document = JSON.parse(JSON.stringify(serializeDag(randomDag(random, 10), FILE))) as {
    __version: 3;
    dag: Bag;
  };
  const { dag } = document;
  const tasks = (dag["tasks"] as { __var: Bag }[]).map((entry) => entry.__var);
  decorateDag(dag, random);
  for (const task of tasks) decorateTask(task, random);
  addInputs(tasks, random);
  relateGroups(dag, tasks, random);
  addLabels(dag, tasks, random);
  return document;
}

function maybe(bag: Bag, key: string, random: Random, value: () => unknown): void {
  if (random.chance(0.2)) bag[key] = value();
}

function decorateDag(dag: Bag, random: Random): void {
  for (const key of ["dag_display_name", "description", "doc_md"]) {
    maybe(dag, key, random, () => randomText(random));
  }
  dag["timezone"] = random.pick(ZONES);
  if ("start_date" in dag) dag["start_date"] = random.pick(TIMES);
  if ("end_date" in dag) dag["end_date"] = random.pick(TIMES);
  if (random.chance(0.2)) {
    dag["timetable"] = randomTimetable(random);
    // A param without a value leaves no run to the clock.
    const hasValue = ([, param]: [string, Json]) =>
      (param["default"] as Json | null)?.["__type"] !== "arg_not_set";
    dag["params"] = ((dag["params"] ?? []) as [string, Json][]).filter(hasValue);
  }
  const { __type: type, __var: inner } = dag["timetable"] as { __type: string; __var: Bag };
  if ("timezone" in inner && random.chance(0.7)) inner["timezone"] = dag["timezone"];
  if (type.endsWith("ContinuousTimetable")) dag["max_active_runs"] = 1;
  if (!("start_date" in dag)) delete dag["catchup"];
  maybe(dag, "tags", random, () => [...new Set([randomText(random), randomText(random)])]);
  maybe(dag, "owner_links", random, () => ({ [randomText(random)]: "mailto:a@example.org" }));
  maybe(dag, "render_template_as_native_obj", random, () => true);
  maybe(dag, "rerun_with_latest_version", random, () => random.chance(0.5));
  maybe(dag, "allowed_run_types", random, () => ["manual", "scheduled", "asset_triggered"]);
  const params = (dag["params"] ?? []) as unknown[];
  if (random.chance(0.3)) params.push([randomText(random), randomParam(random)]);
  dag["params"] = params;
}

function randomParam(random: Random): Json {
  const value = random.pick([1, 2.5, "x", [1, "y"], null, true, 2 ** 40, randomText(random)]);
  const schema = random.pick([
    {},
    { title: randomText(random) },
    { "x-unit": "s", class: 1, examples: [1, 2] },
  ]);
  return {
    __class: "airflow.sdk.definitions.param.Param",
    default: value,
    description: random.chance(0.5) ? randomText(random) : null,
    schema: { __type: "dict", __var: schema },
    source: null,
  };
}

function randomTimetable(random: Random): Json {
  const zone = random.pick(ZONES);
  const asset = { __type: "asset", name: "a", uri: "s3://a/b", group: "asset", extra: {} };
  const cron = {
    __type: "airflow.timetables.trigger.CronTriggerTimetable",
    __var: {
      expression: random.pick(["0 0 * * *", "7 */2 * * 1-5"]),
      timezone: zone,
      interval: random.pick([0, 3600, 90.5]),
      run_immediately: random.pick([false, true, 600]),
    },
  };
  const of = (name: string, inner: Json) => ({
    __type: `airflow.timetables.${name}`,
    __var: inner,
  });
  return random.pick([
    cron,
    of("trigger.DeltaTriggerTimetable", { delta: 5400, interval: random.pick([0, 60]) }),
    of("interval.DeltaDataIntervalTimetable", { delta: 86_400 }),
    of("interval.CronDataIntervalTimetable", { expression: "0 0 * * 0", timezone: zone }),
    of("trigger.MultipleCronTriggerTimetable", {
      ...{ expressions: ["0 1 * * *", "0 0 1 1 *"], timezone: zone },
      ...{ interval: 0, run_immediately: false },
    }),
    of("assets.AssetOrTimeSchedule", {
      asset_condition: { __type: "asset_any", objects: [asset, { ...asset, name: "b" }] },
      timetable: cron,
    }),
  ]);
}

function decorateTask(task: Bag, random: Random): void {
  const isMapped = task["_is_mapped"] === true;
  const into = (isMapped ? task["partial_kwargs"] : task) as Bag;
  const duration = (seconds: number) =>
    isMapped ? { __type: "timedelta", __var: seconds } : seconds;
  for (const key of ["doc_md", "owner", "pool", "map_index_template"]) {
    maybe(into, key, random, () => randomText(random));
  }
  maybe(into, isMapped ? "task_display_name" : "_task_display_name", random, () =>
    randomText(random),
  );
  for (const key of ["retry_delay", "max_retry_delay", "execution_timeout"]) {
    maybe(into, key, random, () => duration(random.pick([0.5, 1e-6, 3601, 1e9, 31_536_000.25])));
  }
  maybe(into, "retry_exponential_backoff", random, () => random.pick([2, 1.5, 1e-7, 1e22, -1, 3]));
  maybe(into, "do_xcom_push", random, () => false);
  if (isMapped) return;
  maybe(into, "executor_config", random, () => ({
    __type: "dict",
    __var: { k: { __type: "dict", __var: { v: 1.5 } } },
  }));
  maybe(into, "_logger_name", random, () => "my.logger");
  maybe(into, "wait_for_past_depends_before_skipping", random, () => true);
}

/** Both ways of writing them are read. */
function withoutDicts(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDicts);
  const { __type: type, __var: inner } = value as Json;
  const entries = Object.entries((type === "dict" ? inner : value) as Json);
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutDicts(each)]));
}

/** Results of other tasks, by names of every kind. */
function addInputs(tasks: readonly Bag[], random: Random): void {
  for (const task of tasks) {
    const { inputs } = withoutDicts(task["_parlance"]) as { inputs: Bag };
    task["_parlance"] = { inputs };
    for (const source of tasks) {
      const downstream = (source["downstream_task_ids"] ?? []) as string[];
      if (!downstream.includes(String(task["task_id"])) || random.chance(0.4)) continue;
      const name = random.pick(INPUT_NAMES);
      const key = random.pick(["return_value", "return_value", "other"]);
      inputs[name] ??= { kind: "xcom", task_id: source["task_id"], key };
    }
    if (random.chance(0.2)) inputs["limit"] = { kind: "literal", value: 3 };
    if (random.chance(0.2))
      inputs["elsewhere"] = { kind: "xcom", task_id: "t", key: "return_value", dag_id: "d" };
  }
}

/** `group >> what comes later`, with the edges between tasks that come of it. */
function relateGroups(dag: Bag, tasks: readonly Bag[], random: Random): void {
  const order = tasks.map((task) => String(task["task_id"]));
  const all: Bag[] = [];
  const members = (group: Bag): string[] =>
    Object.entries(group["children"] as Bag).flatMap(([id, child]) => {
      const [kind, what] = child as [string, Bag];
      return kind === "taskgroup" ? members(what) : [id];
    });
  const ids = new Map<Bag, string>();
  const walk = (group: Bag) => {
    for (const key of ["upstream", "downstream"]) {
      group[`${key}_group_ids`] = [];
      group[`${key}_task_ids`] = [];
    }
    if (random.chance(0.2) && group["_group_id"] !== null) group["tooltip"] = randomText(random);
    for (const [id, child] of Object.entries(group["children"] as Bag)) {
      const [kind, what] = child as [string, Bag];
      if (kind !== "taskgroup") continue;
      all.push(what);
      ids.set(what, id);
      walk(what);
    }
  };
  walk(dag["task_group"] as Bag);
  const downstreamOf = (id: string) =>
    (tasks[order.indexOf(id)]?.["downstream_task_ids"] ?? []) as string[];
  const last = (of: string[]) => of.filter((id) => !downstreamOf(id).some((to) => of.includes(to)));
  const first = (of: string[]) =>
    of.filter((id) => !of.some((from) => downstreamOf(from).includes(id)));
  // From the outermost pair on there may be no more: another edge would move a group's first and last tasks.
  const group = all.length === 0 || random.chance(0.4) ? undefined : random.pick(all);
  if (group === undefined) return;
  const own = members(group);
  const latest = Math.max(-1, ...own.map((id) => order.indexOf(id)));
  const candidates = [
    ...order.filter((id) => !own.includes(id)).map((id) => ({ id, group: undefined, tasks: [id] })),
    ...all.map((other) => ({ id: String(ids.get(other)), group: other, tasks: members(other) })),
  ].filter((each) => each.tasks.length > 0 && each.tasks.every((id) => order.indexOf(id) > latest));
  if (own.length === 0 || candidates.length === 0) return;
  const target = random.pick(candidates);
  const lastBefore = last(own);
  for (const from of lastBefore) {
    const task = tasks[order.indexOf(from)] as Bag;
    task["downstream_task_ids"] = [
      ...new Set([...downstreamOf(from), ...first(target.tasks)]),
    ].sort();
  }
  const add = (bag: Bag, key: string, id: string) => (bag[key] as string[]).push(id);
  add(
    group,
    target.group === undefined ? "downstream_task_ids" : "downstream_group_ids",
    target.id,
  );
  if (target.group === undefined) return;
  add(target.group, "upstream_group_ids", String(ids.get(group)));
  // Airflow notes the last tasks as well.
  for (const id of lastBefore) add(target.group, "upstream_task_ids", id);
}

function addLabels(dag: Bag, tasks: readonly Bag[], random: Random): void {
  const info: { [from: string]: { [to: string]: Json } } = {};
  for (const task of tasks) {
    for (const to of (task["downstream_task_ids"] ?? []) as string[]) {
      if (!random.chance(0.1)) continue;
      const from = String(task["task_id"]);
      info[from] = { ...info[from], [to]: { label: randomText(random) } };
    }
  }
  dag["edge_info"] = info;
}
