import { Timestamp, type WireMap } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { expiryDate } from "../../dist/client/requests/expiry-date.js";
import { body, failure, openClient, type Reply } from "../support/open-client.ts";

const ok = body({ type: "OKResponse", ok: true });
const owner = { ti_id: "01a229d4-f37f-7d3f-86ca-4781063d5c26" };

test("the task's state: written for a time or for ever, read, deleted, cleared", async () => {
  const { client, sent } = openClient(ok);
  await client.taskState.set("job", { id: 7n }, { keepForMs: null });
  await client.taskState.delete("job");
  await client.taskState.clear();
  assert.equal(sent, [
    { type: "SetTaskStateStore", ...owner, key: "job", value: { id: 7 }, expires_at: null },
    { type: "DeleteTaskStateStore", ...owner, key: "job" },
    { type: "ClearTaskStateStore", ...owner },
  ]);
  await client.taskState.set("job", 1, { keepForMs: 1000 });
  assert.instance(sent[3]?.["expires_at"], Timestamp);

  const found = openClient(body({ type: "TaskStateStoreResult", value: [1] }));
  assert.equal(await found.client.taskState.get("job"), [1]);
  assert.equal(found.sent, [{ type: "GetTaskStateStore", ...owner, key: "job" }]);
  const missing = openClient(body(failure("TASK_STORE_NOT_FOUND", { key: "job" })));
  assert.is(await missing.client.taskState.get("job"), null);
});

test("an asset's state, by name or by URI", async () => {
  const { client, sent } = openClient(ok);
  const byName = client.assetState({ name: "a", uri: "u" });
  const byUri = client.assetState({ uri: "u" });
  await byName.set("mark", 5);
  await byName.clear();
  await byUri.set("mark", 5);
  await byUri.delete("mark");
  await byUri.clear();
  assert.equal(sent, [
    { type: "SetAssetStateStoreByName", name: "a", key: "mark", value: 5 },
    { type: "ClearAssetStateStoreByName", name: "a" },
    { type: "SetAssetStateStoreByUri", uri: "u", key: "mark", value: 5 },
    { type: "DeleteAssetStateStoreByUri", uri: "u", key: "mark" },
    { type: "ClearAssetStateStoreByUri", uri: "u" },
  ]);
  const found = openClient(body({ type: "AssetStateStoreResult", value: "v" }));
  assert.is(await found.client.assetState({ name: "a" }).get("mark"), "v");
  const missing = openClient(body(failure("ASSET_STORE_NOT_FOUND", { key: "mark" })));
  assert.is(await missing.client.assetState({ uri: "u" }).get("mark"), null);
  assert.throws(() => client.assetState({} as never), /assetState got no asset/);
});

test("null and what is no JSON are refused before they are sent", async () => {
  const { client, sent } = openClient(ok);
  await rejects(client.taskState.set("k", null), "invalid-value");
  await rejects(client.taskState.set("k", undefined as never), "invalid-value");
  await rejects(client.taskState.set("k", new Date() as never), "invalid-value");
  await rejects(client.assetState({ name: "a" }).set("k", Number.NaN), "invalid-value");
  await rejects(client.taskState.set(7 as never, 1), "invalid-request");
  const wrong = { keepForMs: "1 h" as never };
  await rejects(client.taskState.set("k", 1, wrong), "invalid-request");
  assert.is(sent.length, 0);
  const denied = openClient(() => ({ error: failure("API_SERVER_ERROR", { status_code: 403 }) }));
  await rejects(denied.client.taskState.get("k"), "api-error");
});

test("a value is kept for 30 days, or what the worker's variable says", () => {
  const variable = "AIRFLOW__STATE_STORE__DEFAULT_RETENTION_DAYS";
  const days = (text: string | undefined): number | null => {
    if (text === undefined) delete process.env[variable];
    else process.env[variable] = text;
    const date = expiryDate({}, 0);
    return date === null ? null : Number(date.seconds) / 86_400;
  };
  assert.equal(
    [days("7"), days("0"), days("-1"), days("x"), days(undefined)],
    [7, null, 30, 30, 30],
  );
});

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
