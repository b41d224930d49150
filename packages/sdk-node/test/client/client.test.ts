import type { WireMap } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { body, failure, type OpenClient, openClient, type Reply } from "../support/open-client.ts";

/** In a task that is not mapped, when no index is given. */
const open = (reply: (body: WireMap) => Reply, mapIndex = -1): OpenClient =>
  openClient(reply, { mapIndex });

test("variables: text, null or an error that names the key", async () => {
  const found = open(body({ type: "VariableResult", key: "k", value: "v", more: 1 }));
  assert.is(await found.client.getVariable("k"), "v");
  assert.equal(found.sent, [{ type: "GetVariable", key: "k" }]);

  const missing = open(body(failure("VARIABLE_NOT_FOUND", { key: "k" })));
  assert.is(await missing.client.getVariable("k"), null);
  const error = await rejects(missing.client.getVariableOrThrow("k"), "variable-not-found");
  assert.is((error as Error & { key: string }).key, "k");
});

test("errors in both places, each with its code", async () => {
  const inBody = open(body(failure("PERMISSION_DENIED", { key: "k", status_code: 403 })));
  const denied = await rejects(inBody.client.getVariable("k"), "permission-denied");
  assert.is((denied as Error & { statusCode: number }).statusCode, 403);
  const detail = { status_code: 422, message: "bad", detail: [{ n: 2n ** 60n }] };
  const inSlot = open(() => ({ error: failure("API_SERVER_ERROR", detail) }));
  const api = await rejects(inSlot.client.setVariable("k", "v"), "api-error");
  assert.match(api.message, /^PutVariable was answered with API_SERVER_ERROR 422: bad$/);
  const offline = { status_code: null, message: "no route", exception_type: "ConnectError" };
  const network = open(() => ({ error: failure("API_SERVER_ERROR", offline) }));
  const error = await rejects(network.client.getVariable("k"), "api-error");
  assert.match(error.message, /API_SERVER_ERROR: no route; ConnectError/);
  assert.is((error as Error & { statusCode: null }).statusCode, null);
  await rejects(open(() => ({ error: {} })).client.getVariable("k"), "refused");
  await rejects(open(body({ type: "OKResponse", ok: true })).client.getVariable("k"), "bad-answer");
  await rejects(open(body(null)).client.getVariable("k"), "bad-answer");
});

test("what cannot be sent is refused before, with its place", async () => {
  const { client, sent } = open(() => ({ body: null }));
  const error = await rejects(client.getVariable(7 as never), "invalid-request");
  assert.is((error as Error & { path: string }).path, "/key");
  await rejects(client.setVariable("k", undefined as never), "invalid-request");
  await rejects(client.getConnection(null as never), "invalid-request");
  await rejects(client.getXCom({ taskId: "u", mapIndex: 1.5 }), "invalid-request");
  await rejects(client.getXCom(undefined as never), "invalid-request");
  await rejects(client.setXCom(new Map() as never, { key: "k" }), "invalid-value");
  const turned = await rejects(client.setXCom("k", 1 as never), "invalid-request");
  assert.match(turned.message, 'options are a number, expected an object such as { key: "rows" }');
  await rejects(client.setXCom("k", undefined as never), "invalid-request");
  assert.is(sent.length, 0);
});

test("writing and deleting variables", async () => {
  const { client, sent } = open(() => ({ body: null }));
  await client.setVariable("k", "v");
  await client.setVariable("k", "v", { description: "d" });
  assert.equal(sent, [
    { type: "PutVariable", key: "k", value: "v", description: null },
    { type: "PutVariable", key: "k", value: "v", description: "d" },
  ]);
  assert.is(await open(body({ type: "OKResponse", ok: true })).client.deleteVariable("k"), true);
  const gone = () => ({ error: failure("API_SERVER_ERROR", { status_code: 404 }) });
  assert.is(await open(gone).client.deleteVariable("k"), false);
  const keys = open(body({ type: "VariableKeysResult", keys: ["a"], total_entries: 5 }));
  assert.equal(await keys.client.listVariableKeys({ prefix: "a" }), { keys: ["a"], total: 5 });
});

test("connections: absent keys are null, extra is read on demand", async () => {
  const answer = {
    type: "ConnectionResult",
    conn_id: "c",
    conn_type: "http",
    port: 80,
    extra: '{"a":1}',
  };
  const connection = await open(body(answer)).client.getConnectionOrThrow("c");
  const { extraJson, toUri, ...fields } = connection;
  assert.equal(fields, {
    id: "c",
    type: "http",
    host: null,
    schema: null,
    login: null,
    password: null,
    port: 80,
    extra: '{"a":1}',
  });
  assert.equal(extraJson(), { a: 1 });
  assert.is(toUri(), "http://@:80/?__extra__=%7B%22a%22%3A1%7D");
  const missing = open(body(failure("CONNECTION_NOT_FOUND", { conn_id: "c" })));
  assert.is(await missing.client.getConnection("c"), null);
  await rejects(missing.client.getConnectionOrThrow("c"), "connection-not-found");
});

test("an XCom of another task is read without our own map index", async () => {
  const { client, sent } = open(body({ type: "XComResult", key: "k", value: [2n ** 60n] }), 3);
  assert.equal(await client.getXCom({ taskId: "up" }), [2n ** 60n]);
  await client.getXCom({
    taskId: "up",
    key: "k",
    runId: "r2",
    dagId: "d2",
    mapIndex: 1,
    includePriorDates: true,
  });
  assert.equal(sent, [
    {
      type: "GetXCom",
      key: "return_value",
      dag_id: "d",
      run_id: "manual__1",
      task_id: "up",
      map_index: null,
      include_prior_dates: false,
    },
    {
      type: "GetXCom",
      key: "k",
      dag_id: "d2",
      run_id: "r2",
      task_id: "up",
      map_index: 1,
      include_prior_dates: true,
    },
  ]);
  assert.is(
    await open(body({ type: "XComResult", key: "k", value: null })).client.getXCom({ taskId: "u" }),
    null,
  );
});

test("our own XComs are written and deleted under our map index, others under none", async () => {
  const { client, sent } = open(() => ({ body: null }), 3);
  await client.setXCom([1], { key: "k", mappedLength: 1 });
  await client.setXCom(1, { key: "k", taskId: "other" });
  await client.deleteXCom({ key: "k", mapIndex: 4 });
  assert.equal(
    sent.map(({ type, task_id, map_index, mapped_length }) => [
      type,
      task_id,
      map_index,
      mapped_length,
    ]),
    [
      ["SetXCom", "t", 3, 1],
      ["SetXCom", "other", null, undefined],
      ["DeleteXCom", "t", 4, undefined],
    ],
  );
});

test("series of XComs", async () => {
  const series = { taskId: "up", key: "k" };
  assert.is(await open(body({ type: "XComCountResponse", len: 2 })).client.countXComs(series), 2);
  const item = open(body({ type: "XComSequenceIndexResult", root: "x" }));
  assert.is(await item.client.getXComItem({ ...series, index: -1 }), "x");
  assert.is(item.sent[0]?.["offset"], -1);
  const missing = open(body(failure("XCOM_NOT_FOUND", { key: "k", offset: 9 })));
  await rejects(missing.client.getXComItem({ ...series, index: 9 }), "xcom-not-found");
  const slice = open(body({ type: "XComSequenceSliceResult", root: [1, 2] }));
  assert.equal(await slice.client.getXComSlice({ ...series, start: 1 }), [1, 2]);
  const { start, stop, step } = slice.sent[0] ?? {};
  assert.equal([start, stop, step], [1, null, null]);
});

test("a hundred calls at once get each its own answer", async () => {
  const { client } = open(({ key }) => ({
    body: { type: "VariableResult", key, value: `v${key}` },
  }));
  const keys = Array.from({ length: 100 }, (_, index) => String(index));
  const values = await Promise.all(keys.map((key) => client.getVariable(key)));
  assert.equal(
    values,
    keys.map((key) => `v${key}`),
  );
});

test("a secret is masked once the answer is there", async () => {
  const { client, sent } = open(() => ({ body: null }));
  await client.maskSecret("hunter22", { name: "token" });
  assert.equal(sent, [{ type: "MaskSecret", value: "hunter22", name: "token" }]);
});

test.run();
