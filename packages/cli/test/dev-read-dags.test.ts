import { dagOfTasks } from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";

type ReadDags = (
  parsed: { readonly dags: readonly unknown[]; readonly importErrors: readonly object[] },
  registered: ReadonlyMap<string, readonly string[]>,
) => {
  readonly dags: readonly { readonly dagId: string }[];
  readonly plainTasks: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
};

// The package has a bin and no exports, so the built file is reached by its place.
const { readDags } = (await import(new URL("../dist/dev/read-dags.js", import.meta.url).href)) as {
  readDags: ReadDags;
};
const document = (dagId: string) => dagOfTasks({ dagId, taskIds: ["a"] }).serialized;
const registered = new Map([
  ["native", ["a"]],
  ["plain", ["b"]],
]);
const importError = (code: string, message: string) => ({ file: "main.ts", code, message });

test("tasks that no Dag orders are those of Dags that the program did not answer with", () => {
  const read = readDags({ dags: [document("native")], importErrors: [] }, registered);
  assert.equal([...read.plainTasks.keys()], ["plain"]);
  assert.equal(
    read.dags.map(({ dagId }) => dagId),
    ["native"],
  );
  assert.equal(read.problems, []);
});

test("tasks of a Dag that can't be run are never taken for tasks without one", () => {
  const reported = importError("reported", 'Dag "native": its tasks wait for each other');
  const told = readDags({ dags: [], importErrors: [reported] }, registered);
  assert.equal([...told.plainTasks.keys()], ["plain"]);
  assert.equal(told.problems, [reported.message]);
  const odd = JSON.parse(
    JSON.stringify(document("native")).replace('"a"', '"a","trigger_rule":"sometimes"'),
  ) as unknown;
  const unread = readDags({ dags: [odd], importErrors: [] }, registered);
  assert.equal([...unread.plainTasks.keys()], ["plain"]);
  assert.match(unread.problems[0] ?? "", /sometimes/);
  const late = importError("time-limit", "no answer within 30 s");
  assert.throws(() => readDags({ dags: [], importErrors: [late] }, registered), /no answer within/);
});

test("a runtime that has no answer is no fault where its bundle tells its tasks", () => {
  const silent = { dags: [], importErrors: [importError("no-result", "it said nothing")] };
  assert.equal([...readDags(silent, registered).plainTasks.keys()], ["native", "plain"]);
  assert.equal(readDags(silent, registered).problems, []);
  assert.equal(readDags(silent, new Map()).problems, ["it said nothing"]);
});

test.run();
