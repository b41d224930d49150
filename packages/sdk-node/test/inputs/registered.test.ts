import { Bundle, DateTime, eachOf, FrozenSet, fromTask, literal, Tuple } from "@parlance/sdk-node";
import { runTask } from "@parlance/sdk-node/testing";
import { test } from "uvu";
import * as assert from "uvu/assert";

const bundle = new Bundle();
const inputs = { rows: fromTask<number[]>("extract"), limit: literal(2) };
bundle.task("d", "total", { inputs }, ({ inputs: { rows, limit } }) =>
  rows.slice(0, limit).reduce((sum, row) => sum + row, 0),
);
bundle.task(
  "d",
  "each",
  { inputs: { row: eachOf<number>("extract") } },
  ({ inputs: { row } }) => row,
);
bundle.task("d", "outputs", { multipleOutputs: true }, () => ({ a: 1, b: new Set([2]) }));
bundle.task("d", "no_map", { multipleOutputs: true }, () => new DateTime(0));
bundle.task("d", "set", { mapsDownstream: true }, () => new Set([1]));
bundle.task("d", "values", async ({ client }) => {
  const at = DateTime.fromISO("2026-01-02T03:04:05.678901+01:00");
  await client.setXCom(Tuple.of(at, new FrozenSet(["a"])), { key: "k" });
  return client.getXCom({ key: "k", taskId: "values" });
});
const xcoms = { extract: [1, 2, 3] };
const run = (taskId: string, options: Parameters<typeof runTask>[1] = {}) =>
  runTask(bundle, { dagId: "d", taskId, xcoms, ...options });

test("inputs are pulled, and an argument of the call wins", async () => {
  assert.is((await run("total")).returnValue, 3);
  assert.is((await run("total", { callArguments: { limit: 3 } })).returnValue, 6);
  assert.is((await run("each", { mapIndex: 1 })).returnValue, 2);
  const missing = await run("total", { xcoms: {} });
  assert.is(missing.state, "failed");
  assert.match(missing.error?.message ?? "", /task "extract" stored nothing/);
});

test("outputs are stored one by one too", async () => {
  const { xcoms: stored } = await run("outputs");
  assert.equal(stored, { a: 1, b: new Set([2]), return_value: { a: 1, b: new Set([2]) } });
  assert.match((await run("no_map")).error?.message ?? "", /multipleOutputs/);
  assert.match((await run("set")).error?.message ?? "", /mapsDownstream/);
});

test("what a task wrote it reads as it was", async () => {
  const { returnValue } = await run("values");
  assert.instance(returnValue, Tuple);
  const [at, set] = returnValue as [DateTime, FrozenSet];
  assert.is(at.toExactISOString(), "2026-01-02T03:04:05.678901+01:00");
  assert.equal(set, new FrozenSet(["a"]));
});

test.run();
