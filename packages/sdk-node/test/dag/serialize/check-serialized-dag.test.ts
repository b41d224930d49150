import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { serializedDagProblems } from "../../../dist/dag/serialize/check-serialized-dag.js";

interface Case {
  readonly case: string;
  readonly input: unknown;
  readonly accepted: boolean;
  readonly message?: string;
}

const CASES = JSON.parse(
  readFileSync(new URL("../../../test/data/native-dag-cases.json", import.meta.url), "utf8"),
) as Case[];

test("what Airflow 3.4 refuses is told before it is asked, and nothing else", () => {
  assert.is(CASES.length, 73);
  for (const { case: name, input, accepted, message } of CASES) {
    const problems = serializedDagProblems(input);
    assert.is(problems.length === 0, accepted, `${name}: ${problems} / ${message}`);
  }
});

const told = (name: string) => {
  return serializedDagProblems(CASES.find((each) => each.case === name)?.input);
};

test("a problem says where it is, what stands there, and what was expected", () => {
  assert.equal(told("start_date text"), [
    '/dag/start_date is the text "2026-01-01T00:00:00Z", expected the seconds since 1970 as a number',
  ]);
  assert.equal(told("unknown dag key"), ['/dag has the key "zz", which is unknown']);
  assert.equal(told("cycle"), ["/dag has tasks that wait for each other: a → b → a"]);
  assert.equal(told("group child without task"), [
    "/dag/task_group/children/c names a task that the Dag does not have",
  ]);
  assert.equal(told("continuous without max_active_runs"), [
    "/dag/max_active_runs is 16, but its schedule allows 1 at a time",
  ]);
  assert.equal(told("not an object"), [
    'it has no "__version"',
    'it has no "dag"',
    'it has the key "x", which is unknown',
  ]);
});

test("every problem is told at once", () => {
  const tasks = [{ __type: "operator", __var: { task_id: 1, retry_delay: "60" } }, "b"];
  const dag = { dag_id: "d", fileloc: "f", tasks, timetable: {}, tags: "x" };
  assert.is(serializedDagProblems({ __version: 3, dag }).length, 5);
});

test("a chain of tasks of any length is looked through", () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `t${index}`);
  const chain = (last: readonly string[]) => ({
    __version: 3,
    dag: {
      ...{ dag_id: "d", fileloc: "f" },
      timetable: { __type: "airflow.timetables.simple.NullTimetable", __var: {} },
      tasks: ids.map((task_id, index) => {
        const next = ids[index + 1];
        const downstream_task_ids = next === undefined ? last : [next];
        return { __type: "operator", __var: { task_id, downstream_task_ids } };
      }),
    },
  });
  assert.equal(serializedDagProblems(chain([])), []);
  assert.is(serializedDagProblems(chain(["t0"])).length, 1);
});

test.run();
