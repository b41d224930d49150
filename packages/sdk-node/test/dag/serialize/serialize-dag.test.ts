import { asset, dag, param } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { serializeChecked } from "../../../dist/dag/serialize/serialize-checked.js";

// The form itself is held to the real Airflow by integration/test/dags/native-serialised.test.ts.

const FILE = { fileloc: "/dags/a.min.mjs", relativeFileloc: "a.min.mjs" };

interface Task {
  readonly __var: { readonly task_id: string; readonly [field: string]: unknown };
}

const serialized = async (program: {
  serialize(file: typeof FILE): Promise<{ readonly dag: { readonly [field: string]: unknown } }>;
}) => {
  const { dag: fields } = await program.serialize(FILE);
  const tasks = (fields["tasks"] as readonly Task[]).map(({ __var: task }) => task);
  return { fields, task: (id: string) => tasks.find(({ task_id: each }) => each === id) ?? {} };
};

const map = (fields: object) => ({ __var: fields, __type: "dict" });

test("a Dag says no more than it was told, and where it is", async () => {
  const { fields } = await serialized(dag("small").task("only", () => 1));
  assert.equal(fields, {
    dag_id: "small",
    fileloc: "/dags/a.min.mjs",
    relative_fileloc: "a.min.mjs",
    timezone: "UTC",
    timetable: { __type: "airflow.timetables.simple.NullTimetable", __var: {} },
    params: [],
    tasks: [
      {
        __type: "operator",
        __var: {
          task_id: "only",
          task_type: "TypeScriptTask",
          _task_module: "@parlance/sdk-node",
          _parlance: map({ kind: "task", inputs: map({}) }),
          _needs_expansion: false,
        },
      },
    ],
    task_group: {
      ...{ _group_id: null, group_display_name: "", prefix_group_id: true, tooltip: "" },
      ...{ ui_color: "CornflowerBlue", ui_fgcolor: "#000" },
      children: { only: ["operator", "only"] },
      ...{ upstream_group_ids: [], downstream_group_ids: [] },
      ...{ upstream_task_ids: [], downstream_task_ids: [] },
    },
    dag_dependencies: [],
    edge_info: {},
  });
});

test("durations are seconds: plain in a task, with their type among the arguments of a mapped one", async () => {
  const settings = { retryDelayMs: 1500, retryExponentialBackoff: 2, waitForDownstream: true };
  const { task } = await serialized(
    dag("d")
      .task("rows", settings, () => [1])
      .task("each", { ...settings, forEach: { row: "rows", size: [1, 2] } }, () => 1),
  );
  const common = { retry_exponential_backoff: 2, wait_for_downstream: true, depends_on_past: true };
  const rows = task("rows") as { readonly [field: string]: unknown };
  assert.equal({ ...rows, ...common, retry_delay: 1.5 }, rows);
  const each = task("each") as { readonly [field: string]: unknown };
  const retry_delay = { __var: 1.5, __type: "timedelta" };
  assert.equal(each["partial_kwargs"], { ...common, retry_delay });
  const row = { __var: { task_id: "rows", key: "return_value" }, __type: "xcomref" };
  assert.equal(each["expand_input"], {
    type: "dict-of-lists",
    value: map({ row, size: [1, 2] }),
  });
  const inputs = (each["_parlance"] as { __var: { inputs: unknown; expand: unknown } }).__var;
  assert.equal(inputs.expand, ["row", "size"]);
});

test("params, assets and groups", async () => {
  const out = asset("s3://out/key");
  const { fields, task } = await serialized(
    dag("d", { schedule: out.and(asset("b")), params: { deep: param({ a: [{ b: 1 }] }) } }).group(
      "g",
      (group) => group.task("t", { outlets: [out] }, () => 1),
    ),
  );
  const [[name, deep]] = fields["params"] as [[string, { default: unknown }]];
  assert.equal([name, deep.default], ["deep", map({ a: [map({ b: 1 })] })]);
  const timetable = fields["timetable"] as { __var: { batch_asset_events: boolean } };
  assert.is(timetable.__var.batch_asset_events, true);
  const facts = { name: "s3://out/key", uri: "s3://out/key", group: "asset", extra: {} };
  assert.equal((task("g.t") as { outlets?: unknown }).outlets, [{ __var: facts, __type: "asset" }]);
  const root = fields["task_group"] as { children: { g: [string, { _group_id: string }] } };
  assert.equal([root.children.g[0], root.children.g[1]._group_id], ["taskgroup", "g"]);
  assert.is((fields["dag_dependencies"] as unknown[]).length, 3);
});

test("what Airflow would refuse is told before it is asked", () => {
  const program = dag("d", { schedule: "@continuous", maxActiveRuns: 1 }).task("t", () => 1);
  const model = { ...program.model, maxActiveRuns: 2 };
  assert.throws(() => serializeChecked(model, FILE), /\/dag\/max_active_runs is 2/);
});

test.run();
