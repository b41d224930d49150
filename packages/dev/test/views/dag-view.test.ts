import { SecretMasker } from "@parlance/coordinator";
import { dagOfTasks, readSerializedDag } from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { cutValue } from "../../dist/views/cut-value.js";
import { dagDetail } from "../../dist/views/dag-view.js";
import { describeDag } from "../../dist/views/describe-dag.js";

const operator = (task_id: string, downstream_task_ids: string[]) => ({
  __type: "operator",
  __var: { task_id, downstream_task_ids, _parlance: { kind: "task", inputs: {} } },
});
const timetable = { __type: "airflow.timetables.simple.NullTimetable", __var: {} };
const param = (value: unknown) => ({
  __class: "airflow.sdk.definitions.param.Param",
  default: value,
  description: null,
  schema: { __type: "dict", __var: { type: "string", default: value } },
});

function dagWith(tasks: readonly unknown[], params: Readonly<Record<string, unknown>> = {}) {
  const listed = Object.entries(params).map(([name, value]) => [name, param(value)]);
  const dag = { dag_id: "d", fileloc: "", timetable, tasks, params: listed };
  return readSerializedDag({ __version: 3, dag });
}

const detail = (dag: ReturnType<typeof dagWith>, masker = new SecretMasker()) =>
  dagDetail({ dag, kind: "native" }, null, masker);

test("tasks stand after what they depend on, ties as they were defined", () => {
  const dag = dagWith([
    operator("last", []),
    operator("b", ["last"]),
    operator("first", ["b", "a"]),
    operator("a", ["last"]),
    operator("alone", []),
  ]);
  assert.equal(
    detail(dag).tasks.map(({ taskId }) => taskId),
    ["first", "alone", "b", "a", "last"],
  );
});

test("the default of a param that is secret by its name or its text is shown to nobody", () => {
  const masker = new SecretMasker();
  masker.add("hunter2-hunter2");
  const dag = dagWith([operator("a", [])], {
    api_key: "sesame-1",
    region: "eu",
    url: "http://u:hunter2-hunter2@h",
  });
  const text = JSON.stringify([detail(dag, masker), describeDag(dag, masker)]);
  assert.not.match(text, /sesame|hunter2/);
  assert.equal(
    detail(dag, masker).params.map(({ name, value, isSecret }) => [name, value, isSecret]),
    [
      ["api_key", "***", true],
      ["region", "eu", false],
      ["url", "***", true],
    ],
  );
});

test("tasks that no Dag orders are described like any others", () => {
  const { tasks } = describeDag(
    dagOfTasks({ dagId: "p", taskIds: ["a", "b"] }),
    new SecretMasker(),
  );
  assert.equal(
    tasks.map(({ taskId, retries }) => `${taskId} ${retries}`),
    ["a 0", "b 0"],
  );
});

test("a value that is too large for a page ends in a note, and is still JSON", () => {
  assert.equal(cutValue({ a: [1, "x", null] }), { a: [1, "x", null] });
  const long = cutValue({ text: "é".repeat(100_000) }).text;
  assert.match(long, /… \(34464 more characters\)$/);
  const many = cutValue(Array.from({ length: 6_000 }, () => 1)) as unknown[];
  assert.is(many.length, 5_001);
  assert.is(many.at(-1), "… (1000 more)");
  const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}`, at]));
  assert.is(Object.keys(cutValue(wide)).length, 5_001);
  let deep: unknown = 1;
  for (let count = 0; count < 100_000; count++) deep = [deep];
  assert.match(JSON.stringify(cutValue(deep)), /too deep/);
  assert.is(cutValue(`${"x".repeat(65_535)}😀`).codePointAt(65_535), "…".codePointAt(0));
});

test.run();
