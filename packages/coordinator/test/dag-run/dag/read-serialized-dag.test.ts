import { DagReadError, dagOfTasks, readSerializedDag } from "@parlance/coordinator/dag-run";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { dagDocument, runnableDag } from "../../support/dag-documents.ts";

test("defaults are Airflow's", () => {
  const dag = runnableDag({ tasks: [{ id: "a" }] });
  const { taskId, triggerRule, retries, retryDelaySeconds, pool, poolSlots, queue } =
    dag.tasks[0] ?? {};
  assert.equal(
    { taskId, triggerRule, retries, retryDelaySeconds, pool, poolSlots, queue },
    {
      ...{ taskId: "a", triggerRule: "all_success", retries: 0, retryDelaySeconds: 300 },
      ...{ pool: "default_pool", poolSlots: 1, queue: "default" },
    },
  );
  assert.is(dag.maxActiveTasks, 16);
  assert.is(dag.schedule, null);
});

test("a mapped task has its settings where Airflow keeps them", () => {
  const dag = runnableDag({
    tasks: [
      { id: "list" },
      {
        ...{ id: "each", after: ["list"], over: { row: "list", k: [1, 2] }, retries: 2 },
        retry_delay: { __type: "timedelta", __var: 10 },
        retry_exponential_backoff: true,
        max_retry_delay: { __type: "timedelta", __var: 60 },
      },
    ],
  });
  const each = dag.tasks[1];
  assert.is(each?.isMapped, true);
  assert.is(each?.retries, 2);
  assert.is(each?.retryDelaySeconds, 10);
  assert.is(each?.retryExponentialBackoff, 2);
  assert.is(each?.maxRetryDelaySeconds, 60);
  assert.equal(each?.mapping, {
    kind: "product",
    parts: [
      { name: "row", length: { kind: "xcom", taskId: "list", key: "return_value" } },
      { name: "k", length: { kind: "literal", length: 2 } },
    ],
  });
});

test("what a handler's result means, and its inputs, wrapped as Airflow stores them", () => {
  const dict = (value: object) => ({ __type: "dict", __var: value });
  const inputs = dict({ rows: dict({ kind: "xcom", task_id: "a", key: "return_value" }) });
  const dag = runnableDag({
    tasks: [{ id: "a" }, { id: "b", after: ["a"], _parlance: dict({ kind: "branch", inputs }) }],
  });
  assert.is(dag.tasks[1]?.kind, "branch");
  assert.is(dag.tasks[1]?.canSkipDownstream, true);
  assert.equal(dag.tasks[1]?.inputs, {
    rows: { kind: "xcom", taskId: "a", key: "return_value" },
  });
});

test("params, with and without a default", () => {
  const param = (value: unknown) => ({
    default: value,
    schema: { __type: "dict", __var: { type: "string" } },
  });
  const dag = runnableDag({
    tasks: [{ id: "a" }],
    params: [
      ["region", param("eu")],
      ["need", param({ __type: "arg_not_set", __var: null })],
    ],
  });
  assert.equal(
    dag.params.map(({ name, hasDefault, default: value }) => [name, hasDefault, value]),
    [
      ["region", true, "eu"],
      ["need", false, null],
    ],
  );
  assert.equal(dag.params[0]?.schema, { type: "string" });
});

test("a task weighs what comes after it; the rule can be another", () => {
  const dag = runnableDag({
    tasks: [
      { id: "a", priority_weight: 2 },
      { id: "b", after: ["a"], priority_weight: 3 },
      { id: "c", after: ["b"], weight_rule: "upstream" },
      { id: "d", after: ["c"], weight_rule: "absolute", priority_weight: 7 },
    ],
  });
  assert.equal(
    dag.tasks.map(({ totalPriorityWeight }) => totalPriorityWeight),
    [13, 11, 6, 7],
  );
});

const FAULTS: readonly [what: string, code: string, document: unknown, says: RegExp][] = [
  ["no Dag", "bad-dag", { x: 1 }, /no serialised Dag/],
  [
    "a newer format",
    "unknown-version",
    { ...dagDocument({ tasks: [] }), __version: 4 },
    /version 4/,
  ],
  [
    "a task twice",
    "duplicate-task",
    dagDocument({ tasks: [{ id: "a" }, { id: "a" }] }),
    /two tasks "a"/,
  ],
  [
    "a circle",
    "cycle",
    dagDocument({
      tasks: [
        { id: "a", after: ["b"] },
        { id: "b", after: ["a"] },
      ],
    }),
    /after itself/,
  ],
  [
    "a rule that nobody knows",
    "unsupported",
    dagDocument({ tasks: [{ id: "a", rule: "some" }] }),
    /"some" is not known/,
  ],
  ["an operator of Python", "python-task", pythonTask(), /BashOperator of Python/],
  ["a task behind that is missing", "unknown-task", missingTask(), /no task "b"/],
];

for (const [what, code, document, says] of FAULTS) {
  test(`${what} is refused, and says where`, () => {
    const error = throws(() => readSerializedDag(document), code);
    assert.instance(error, DagReadError);
    assert.match(error.message, says);
  });
}

function pythonTask(): unknown {
  const fields = {
    task_id: "a",
    task_type: "BashOperator",
    _task_module: "airflow.x",
    template_fields: ["x"],
  };
  return {
    __version: 3,
    dag: { dag_id: "d", fileloc: "", tasks: [{ __type: "operator", __var: fields }] },
  };
}

function missingTask(): unknown {
  const fields = { task_id: "a", downstream_task_ids: ["b"] };
  return {
    __version: 3,
    dag: { dag_id: "d", fileloc: "", tasks: [{ __type: "operator", __var: fields }] },
  };
}

test("stubs, tasks of other languages and empty ones are no tasks of Python's", () => {
  const stub = { is_stub: true, _task_module: "airflow.providers.x", template_fields: ["op_args"] };
  const go = { language: "go", task_type: "GoTask", _task_module: "main" };
  const document = {
    dag_id: "d",
    fileloc: "",
    tasks: [stub, go, { _is_empty: true }].map((fields, at) => ({
      __type: "operator",
      __var: { ...fields, task_id: `t${at}` },
    })),
  };
  const { tasks } = readSerializedDag({ __version: 3, dag: document });
  assert.equal(
    tasks.map(({ isEmpty }) => isEmpty),
    [false, false, true],
  );
});

test("tasks without a Dag around them start in their order", () => {
  const dag = dagOfTasks({ dagId: "d", taskIds: ["x", "y"], retries: 1 });
  assert.equal(
    dag.tasks.map(({ taskId, upstream, retries }) => [taskId, upstream.length, retries]),
    [
      ["x", 0, 1],
      ["y", 0, 1],
    ],
  );
  assert.ok((dag.tasks[0]?.totalPriorityWeight ?? 0) > (dag.tasks[1]?.totalPriorityWeight ?? 0));
});

test.run();
