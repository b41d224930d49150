import { decodeResponseFrame, encodeRequestFrame, Float, Timestamp } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { detailOf, ID, OTHER_ID, SERIES, withPeer } from "../support/with-peer.js";

test("null, a body without a type and an unknown type are answered too, and the link goes on", () =>
  withPeer("2026-06-16", async (ask) => {
    for (const body of [null, {}, { type: 5 }, { type: "Nonsense" }, { type: "constructor" }]) {
      assert.is(detailOf(await ask(body)).status_code, 422);
    }
    // A message of the other version is none of this one.
    const newer = await ask({ type: "SetExecutionTimeout", timeout_seconds: 5 });
    assert.match(detailOf(newer).message, "2026-10-30");
    assert.is((await ask({ type: "GetVariableKeys" })).body?.["type"], "VariableKeysResult");
  }));

test("an XCom keeps the type of every number between two tasks", () =>
  withPeer("2026-06-16", async (ask) => {
    const value = { whole: new Float(90), part: 0.5, big: 2n ** 63n, int: 90, nan: Number.NaN };
    await ask({ type: "SetXCom", ...SERIES, value });
    const { body } = await ask({ type: "GetXCom", ...SERIES });
    const read = body?.["value"] as unknown as typeof value;
    assert.instance(read.whole, Float);
    assert.is(read.big, 2n ** 63n);
    assert.is(read.int, 90);
    assert.ok(Number.isNaN(read.nan));
    const bytes = await ask({ type: "SetXCom", ...SERIES, value: new Uint8Array([1]) });
    assert.is(detailOf(bytes).status_code, 422);
  }));

test("map indexes: null, absent and -1 are the unmapped instance; prior dates fall back to the last run", () =>
  withPeer("2026-06-16", async (ask) => {
    await ask({ type: "SetXCom", ...SERIES, value: "plain", map_index: -1 });
    await ask({ type: "SetXCom", ...SERIES, value: "mapped", map_index: 4 });
    const value = async (more: object): Promise<unknown> =>
      (await ask({ type: "GetXCom", ...SERIES, ...more })).body?.["value"];
    assert.is(await value({}), "plain");
    assert.is(await value({ map_index: null }), "plain");
    assert.is(await value({ map_index: 4 }), "mapped");
    assert.is(await value({ map_index: 5 }), null);
    assert.is(await value({ run_id: "r2" }), null);
    assert.is(await value({ run_id: "r2", include_prior_dates: true }), "plain");
    assert.is((await ask({ type: "GetXComCount", ...SERIES })).body?.["len"], 2);
  }));

test("a task's own states only, and they expire", () =>
  withPeer("2026-06-16", async (ask) => {
    const foreign = await ask({ type: "ClearTaskStateStore", ti_id: OTHER_ID });
    assert.is(detailOf(foreign).status_code, 403);
    const past = Timestamp.fromDate(new Date(Date.now() - 1000));
    await ask({ type: "SetTaskStateStore", ti_id: ID, key: "s", value: 1, expires_at: past });
    const gone = await ask({ type: "GetTaskStateStore", ti_id: ID, key: "s" });
    assert.is(gone.body?.["error"], "TASK_STORE_NOT_FOUND");
  }));

test("a note of the run is read back, the last terminal message counts", () =>
  withPeer("2026-10-30", async (ask, peer) => {
    await ask({ type: "UpdateDagRunNote", ti_id: ID, note: "hello" });
    assert.is((await ask({ type: "GetDagRun", dag_id: "d", run_id: "r" })).body?.["note"], "hello");
    await ask({ type: "TaskState", state: "failed", end_date: "2026-01-02T03:05:00Z" });
    assert.is(peer.attempt.reported, "failed");
    await ask({ type: "SucceedTask", end_date: "2026-01-02T03:05:00Z" });
    assert.is(peer.attempt.reported, "success");
    assert.is((await ask({ type: "GetVariable", key: "x" })).body?.["error"], "VARIABLE_NOT_FOUND");
  }));

test("what is read of secrets is masked before its answer is out", () =>
  withPeer("2026-06-16", async (ask, { store, masker }) => {
    const fields = { connType: "http", host: null, schema: null, login: "user-name", port: null };
    const extra = '{"token": "in-the-extra", "region": "eu-central"}';
    await store.connections.set({ ...fields, connId: "c", password: "pass-word", extra });
    await store.variables.set({ key: "my_secret", value: "variable-value", description: null });
    await store.variables.set({ key: "plain", value: "plain-value", description: null });
    await ask({ type: "GetConnection", conn_id: "c" });
    await ask({ type: "GetVariable", key: "my_secret" });
    await ask({ type: "GetVariable", key: "plain" });
    await ask({ type: "MaskSecret", value: ["told-one", { password: "told-two" }], name: null });
    const text = `pass-word ${extra} variable-value plain-value told-one told-two user-name in-the-extra`;
    assert.is(masker.maskText(text), "*** *** *** plain-value *** *** user-name ***");
  }));

test("answers come in the order of the requests, whatever each takes", () =>
  withPeer("2026-06-16", async (_ask, peer) => {
    const get = peer.store.variables.get.bind(peer.store.variables);
    peer.store.variables.get = async (key) => {
      await new Promise((resolve) => setTimeout(resolve, key === "slow" ? 30 : 0));
      return get(key);
    };
    for (const [id, key] of ["slow", "quick", "quick"].entries()) {
      peer.socket.write(encodeRequestFrame({ id: 10 + id, body: { type: "GetVariable", key } }));
    }
    const ids: unknown[] = [];
    while (ids.length < 3) ids.push(decodeResponseFrame(await peer.next()).id);
    assert.equal(ids, [10, 11, 12]);
  }));

test("a store that fails is an error of that one request", () =>
  withPeer("2026-06-16", async (ask, { store }) => {
    store.variables.get = async () => {
      throw new Error("disk full");
    };
    const detail = detailOf(await ask({ type: "GetVariable", key: "k" }));
    assert.equal([detail.status_code, detail.message], [500, "GetVariable: disk full"]);
    assert.is((await ask({ type: "GetVariableKeys" })).error, null);
  }));

test.run();
