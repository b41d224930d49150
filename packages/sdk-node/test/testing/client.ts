import { NotFoundError } from "@parlance/sdk-node";
import { TestAirflow } from "@parlance/sdk-node/testing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const DAY = 86_400_000;
const FIRST = new Date("2026-01-01T00:00:00Z");

function seeded() {
  const before = new Date(FIRST.getTime() - DAY);
  return new TestAirflow({
    variables: { a1: "x", a2: "y", b: "z" },
    assets: [{ name: "a", uri: "s3://a", aliases: ["al"], extra: { k: 1 } }],
    runs: [
      {
        dagId: "dag",
        runId: "before",
        logicalDate: before,
        startDate: before,
        endDate: FIRST,
        tasks: { task: "success", other: "failed" },
      },
      { dagId: "else", runId: "r", state: "running" },
    ],
  });
}

test("Variables and Connections", async () => {
  const { client } = await seeded().arguments();
  assert.equal(await client.listVariableKeys({ prefix: "a" }), { keys: ["a1", "a2"], total: 2 });
  assert.is(await client.deleteVariable("b"), true);
  assert.is(await client.deleteVariable("b"), false);
  await rejects(client.getVariableOrThrow("b"), "variable-not-found");
  await rejects(client.getConnectionOrThrow("c"), "connection-not-found");
  await client.maskSecret("hunter22");
});

test("XComs of mapped tasks, in parts", async () => {
  const { client } = await seeded().arguments();
  for (const mapIndex of [0, 1, 2]) {
    await client.setXCom(mapIndex * 10, { taskId: "m", key: "return_value", mapIndex });
  }
  assert.is(await client.countXComs({ taskId: "m" }), 3);
  assert.is(await client.hasXCom({ taskId: "m" }), true);
  assert.is(await client.hasXCom({ taskId: "no" }), false);
  assert.is(await client.getXComItem({ taskId: "m", index: -1 }), 20);
  assert.ok(
    (await rejects(client.getXComItem({ taskId: "m", index: 3 }))) instanceof NotFoundError,
  );
  assert.equal(await client.getXComSlice({ taskId: "m", start: 2, stop: 0, step: -1 }), [20, 10]);
  const values: unknown[] = [];
  for await (const value of client.getXComSequence({ taskId: "m", pageSize: 2 }))
    values.push(value);
  assert.equal(values, [0, 10, 20]);
  await client.deleteXCom({ taskId: "m", key: "return_value", mapIndex: 1 });
  assert.is(await client.countXComs({ taskId: "m" }), 2);
});

test("values that Python wraps come back as what they were", async () => {
  const { client } = await seeded().arguments();
  const at = new Date("2026-06-16T01:02:03.004Z");
  await client.setXCom([at, new Set([1])] as never, { key: "k" });
  const [date, set] = (await client.getXCom({ taskId: "task", key: "k" })) as unknown as [
    Date,
    Set<number>,
  ];
  assert.is(Number(date), Number(at));
  assert.equal([...set], [1]);
});

test("runs and task instances", async () => {
  const airflow = seeded();
  const { client } = await airflow.arguments({ logicalDate: FIRST });
  const { dagRuns, taskInstances } = client;
  assert.is(await dagRuns.getState(), "running");
  assert.is(await dagRuns.getState({ dagId: "else", runId: "r" }), "running");
  assert.is(await dagRuns.get({ dagId: "no", runId: "r" }), null);
  assert.is((await dagRuns.getPrevious())?.runId, "before");
  assert.is(Number((await dagRuns.getPreviousSuccess()).endDate), Number(FIRST));
  assert.is(await dagRuns.count({ states: ["success"] }), 1);
  assert.equal(await dagRuns.trigger({ dagId: "else", runId: "new", conf: { n: 1 } }), {
    dagId: "else",
    runId: "new",
    started: true,
  });
  await rejects(dagRuns.trigger({ dagId: "else", runId: "new" }), "already-exists");
  assert.is(
    (await dagRuns.trigger({ dagId: "else", runId: "new", ifExists: "keep" })).started,
    false,
  );
  assert.equal((await dagRuns.get({ dagId: "else", runId: "new" }))?.conf, { n: 1 });
  assert.is((await dagRuns.getDag())?.dagId, "dag");
  await dagRuns.setNote("hello");
  assert.is(await taskInstances.count({ runIds: ["before"] }), 2);
  const previous = await taskInstances.getPrevious();
  assert.equal([previous?.runId, previous?.state], ["before", "success"]);
});

test("assets, by name, URI and alias", async () => {
  const { client } = await seeded().arguments();
  assert.is((await client.assets.get({ uri: "s3://a" }))?.name, "a");
  assert.is(await client.assets.get({ name: "no" }), null);
  assert.equal(
    (await client.assets.listByAlias("al")).map(({ name }) => name),
    ["a"],
  );
  assert.equal(await client.assets.listInactive(), []);
  await rejects(client.assets.emit({ name: "no" }), "asset-not-found");
  const state = client.assetState({ name: "a" });
  await state.set("at", 1);
  assert.is(await state.get("at"), 1);
  await state.clear();
  assert.is(await state.get("at"), null);
});

test("a program packed for the older schema lacks what it lacks in earnest", async () => {
  const { client } = await seeded().arguments({ schemaVersion: "2026-06-16" });
  await rejects(client.dagRuns.setNote("n"), "newer-schema-needed");
});
