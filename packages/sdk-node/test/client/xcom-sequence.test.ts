import type { WireMap } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { body, failure, openClient, type Reply } from "../support/open-client.ts";

const VALUES = ["a", "b", "c", "d", "e"];

/** A supervisor with the XComs of five mapped instances. */
function serve({ type, start, stop, offset }: WireMap): Reply {
  if (type === "GetXComCount") return { body: { type: "XComCountResponse", len: VALUES.length } };
  if (type === "GetXComSequenceItem") {
    const root = VALUES.at(Number(offset));
    if (root === undefined) return { body: failure("XCOM_NOT_FOUND", { key: "k", offset }) };
    return { body: { type: "XComSequenceIndexResult", root } };
  }
  const root = VALUES.slice(Number(start ?? 0), stop === null ? undefined : Number(stop));
  return { body: { type: "XComSequenceSliceResult", root } };
}

test("a sequence is read page by page, and only as far as it is needed", async () => {
  const { client, sent } = openClient(serve);
  const sequence = client.getXComSequence<string>({ taskId: "up", pageSize: 2 });
  assert.is(sent.length, 0);
  const read: string[] = [];
  for await (const value of sequence) read.push(value);
  assert.equal(read, VALUES);
  assert.equal(
    sent.map(({ start, stop }) => [start, stop]),
    [
      [0, 2],
      [2, 4],
      [4, 6],
    ],
  );
  for await (const value of sequence) {
    if (value === "b") break;
  }
  assert.is(sent.length, 4);
});

test("a sequence is counted and looked into", async () => {
  const { client, sent } = openClient(serve);
  const sequence = client.getXComSequence<string>({ taskId: "up", key: "k" });
  assert.is(await sequence.count(), 5);
  assert.is(await sequence.at(-1), "e");
  assert.is(await sequence.at(9), undefined);
  assert.equal(await sequence.slice(1, 3), ["b", "c"]);
  assert.ok(sent.every(({ key, task_id }) => key === "k" && task_id === "up"));
  assert.throws(() => client.getXComSequence({ taskId: "up", pageSize: 0 }), /pageSize 0/);
});

test("an XCom is there or not, be it null", async () => {
  const { client, sent } = openClient(serve);
  assert.is(await client.hasXCom({ taskId: "up" }), true);
  assert.is(sent[0]?.["type"], "GetXComCount");
  const none = openClient(body({ type: "XComCountResponse", len: 0 }));
  assert.is(await none.client.hasXCom({ taskId: "up" }), false);
});

test("what an iteration before wrote needs the newer schema", async () => {
  const old = openClient(serve).client;
  const options = { taskId: "up", previousIteration: true };
  for (const call of [
    () => old.getXCom(options),
    () => old.hasXCom(options),
    () => old.getXComItem({ ...options, index: 0 }),
    () => old.getXComSlice(options),
  ]) {
    await rejects(call(), "newer-schema-needed");
  }
  const { client, sent } = openClient(serve, { schemaVersion: "2026-10-30" });
  await client.hasXCom(options);
  assert.is(sent[0]?.["previous_iteration"], true);
  await rejects(client.hasXCom({ taskId: "up", previousIteration: 1 as never }), "invalid-request");
});

test("what the task's page shows", async () => {
  const { client, sent } = openClient(body(null));
  await client.setRenderedMapIndex("row 7");
  await client.setRenderedFields({ sql: "select 1", rows: 7 });
  assert.equal(sent, [
    { type: "SetRenderedMapIndex", rendered_map_index: "row 7" },
    { type: "SetRenderedFields", rendered_fields: { sql: "select 1", rows: 7 } },
  ]);
  assert.is(client.renderedMapIndex, "row 7");
  await rejects(client.setRenderedMapIndex(7 as never), "invalid-request");
  assert.is(client.renderedMapIndex, "row 7");
});

test("an XCom may be marked as the run's result", async () => {
  const { client, sent } = openClient(body(null));
  await client.setXCom(1, { key: "k", isDagResult: true });
  assert.is(sent[0]?.["dag_result"], true);
});

test.run();
