import { buildStartupDetails, MemoryTaskStore } from "@parlance/coordinator";
import {
  decodeResponseFrame,
  encodeRequestFrame,
  Float,
  type ResponseFrame,
  Timestamp,
} from "@parlance/framing";
import { CATALOGUE, REPLIES, type SchemaVersion } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { REQUEST_HANDLERS } from "../../dist/supervise/request-handlers.js";
import { openRequestPeer, type RequestPeer } from "../support/request-peer.js";

const ID = "11111111-1111-4111-8111-111111111111";
const OTHER_ID = "22222222-2222-4222-8222-222222222222";
const taskInstance = { id: ID, dagId: "d", taskId: "t", runId: "r", tryNumber: 1 };
const SERIES = { dag_id: "d", run_id: "r", task_id: "t", key: "k" };

interface Detail {
  readonly status_code: number;
  readonly message: string;
  readonly detail: readonly { readonly path: string; readonly message: string }[];
}

/** What an answer says in its error slot. */
function detailOf({ error }: ResponseFrame): Detail {
  assert.ok(error, "the error slot is empty");
  return error["detail"] as unknown as Detail;
}

async function withPeer(
  schemaVersion: SchemaVersion,
  use: (ask: (body: object | null) => Promise<ResponseFrame>, peer: RequestPeer) => Promise<void>,
): Promise<void> {
  const details = buildStartupDetails({ schemaVersion, taskInstance, startDate: new Date() });
  const peer = await openRequestPeer(details, schemaVersion, new MemoryTaskStore());
  let id = 0;
  const ask = async (body: object | null): Promise<ResponseFrame> => {
    id += 1;
    peer.socket.write(encodeRequestFrame({ id, body }));
    const answer = decodeResponseFrame(await peer.next(), { wrapFloats: true });
    assert.is(answer.id, id);
    return answer;
  };
  try {
    await use(ask, peer);
  } finally {
    await peer.close();
  }
}

/** A body that no schema takes: for what needs nothing, a field of a wrong type. */
const WRONG: { readonly [type: string]: object } = {
  GetVariableKeys: { limit: "many" },
  UpdateHITLDetail: {},
};
const NEEDS_NOTHING = new Set(["ResendLoggingFD"]);

for (const version of ["2026-06-16", "2026-10-30"] as const) {
  test(`${version}: a bad body of every message is answered in the error slot and changes nothing`, () =>
    withPeer(version, async (ask, peer) => {
      const types = CATALOGUE[version]["to-supervisor"].filter((type) => !NEEDS_NOTHING.has(type));
      assert.ok(types.length > 45);
      for (const type of types) {
        const answer = await ask({ type, ...WRONG[type] });
        assert.is(answer.body, null, type);
        const detail = detailOf(answer);
        assert.is(detail.status_code, 422, type);
        assert.match(detail.message, type);
        assert.ok(detail.detail.length > 0);
        for (const { path, message } of detail.detail) {
          assert.ok(path.startsWith("/") && message !== "", `${type} ${path}`);
        }
        assert.equal(validateBody(version, "to-task", answer.error), {
          valid: true,
          type: "ErrorResponse",
        });
      }
      assert.is(peer.attempt.reported, null);
      assert.equal(await peer.store.variables.keys(), []);
      assert.is(peer.attempt.terminal, undefined);
    }));
}

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

test("every message of both versions has a handler or is named as unhandled", () => {
  const unhandled = new Set(
    Object.values(CATALOGUE).flatMap((version) =>
      version["to-supervisor"].filter((type) => !Object.hasOwn(REQUEST_HANDLERS, type)),
    ),
  );
  assert.equal([...unhandled].sort(), [
    "CreateHITLDetailPayload",
    "DagFileParsingResult",
    "GetHITLDetailResponse",
    "ResendLoggingFD",
    "TriggerDagRun",
    "UpdateHITLDetail",
  ]);
});

/** One good body for each handled message, and the state it leaves for the next. */
const GOOD: readonly object[] = [
  { type: "PutVariable", key: "v", value: "x", description: null },
  { type: "GetVariable", key: "v" },
  { type: "GetVariable", key: "nope" },
  { type: "GetVariableKeys", prefix: "v", limit: 1, offset: 0 },
  { type: "DeleteVariable", key: "v" },
  { type: "GetConnection", conn_id: "nope" },
  { type: "SetXCom", ...SERIES, value: [1], map_index: null },
  { type: "GetXCom", ...SERIES },
  { type: "GetXComCount", ...SERIES },
  { type: "GetXComSequenceItem", ...SERIES, offset: 0 },
  { type: "GetXComSequenceItem", ...SERIES, offset: 7 },
  { type: "GetXComSequenceSlice", ...SERIES, start: null, stop: null, step: -1 },
  { type: "DeleteXCom", ...SERIES },
  { type: "SetTaskStateStore", ti_id: ID, key: "s", value: 1, expires_at: null },
  { type: "GetTaskStateStore", ti_id: ID, key: "s" },
  { type: "DeleteTaskStateStore", ti_id: ID, key: "s" },
  { type: "GetTaskStateStore", ti_id: ID, key: "s" },
  { type: "ClearTaskStateStore", ti_id: ID },
  { type: "SetAssetStateStoreByName", name: "a", key: "s", value: 1 },
  { type: "GetAssetStateStoreByName", name: "a", key: "s" },
  { type: "DeleteAssetStateStoreByName", name: "a", key: "s" },
  { type: "ClearAssetStateStoreByName", name: "a" },
  { type: "SetAssetStateStoreByUri", uri: "u", key: "s", value: 1 },
  { type: "GetAssetStateStoreByUri", uri: "u", key: "nope" },
  { type: "DeleteAssetStateStoreByUri", uri: "u", key: "s" },
  { type: "ClearAssetStateStoreByUri", uri: "u" },
  { type: "GetAssetByName", name: "a" },
  { type: "GetAssetByUri", uri: "u" },
  { type: "GetAssetsByAlias", alias_name: "a" },
  { type: "GetAssetEventByAsset", name: "a", uri: null },
  { type: "GetAssetEventByAssetAlias", alias_name: "a" },
  { type: "GetDag", dag_id: "d" },
  { type: "GetDagRun", dag_id: "d", run_id: "r" },
  { type: "GetDagRunState", dag_id: "d", run_id: "r" },
  { type: "GetDRCount", dag_id: "d", states: ["running"] },
  { type: "GetPreviousDagRun", dag_id: "d", logical_date: "2026-01-02T03:05:00Z" },
  { type: "GetPrevSuccessfulDagRun", ti_id: ID },
  { type: "GetPreviousTI", dag_id: "d", task_id: "t" },
  { type: "GetTICount", dag_id: "d" },
  { type: "GetTaskStates", dag_id: "d" },
  { type: "GetTaskBreadcrumbs", dag_id: "d", run_id: "r" },
  { type: "GetTaskRescheduleStartDate", ti_id: ID },
  { type: "SetRenderedFields", rendered_fields: { a: 1 } },
  { type: "SetRenderedMapIndex", rendered_map_index: "x" },
  { type: "SkipDownstreamTasks", tasks: ["a", ["b", 1]] },
  { type: "ValidateInletsAndOutlets", ti_id: ID },
  { type: "MaskSecret", value: "hidden-value" },
  { type: "TaskState", state: "failed", end_date: "2026-01-02T03:05:00Z" },
  { type: "RetryTask", end_date: "2026-01-02T03:05:00Z" },
  { type: "DeferTask", classpath: "x.Y", next_method: "m" },
  {
    type: "RescheduleTask",
    reschedule_date: "2026-01-02T03:05:00Z",
    end_date: "2026-01-02T03:05:00Z",
  },
  { type: "AwaitInputTask", next_method: "m" },
  { type: "SucceedTask", end_date: "2026-01-02T03:05:00Z" },
];
const GOOD_SINCE_3_4: readonly object[] = [
  { type: "SetExecutionTimeout", timeout_seconds: 60 },
  { type: "UpdateDagRunNote", ti_id: ID, note: "hello" },
];

for (const version of ["2026-06-16", "2026-10-30"] as const) {
  test(`${version}: every answer is the message the protocol names, and valid`, () =>
    withPeer(version, async (ask) => {
      const bodies = version === "2026-10-30" ? [...GOOD_SINCE_3_4, ...GOOD] : GOOD;
      const seen = new Set<string>();
      for (const request of bodies) {
        const type = (request as { type: keyof typeof REPLIES }).type;
        seen.add(type);
        const { body, error } = await ask(request);
        assert.is(error, null, `${type}: ${JSON.stringify(error)}`);
        const reply = REPLIES[type];
        if (body === null) {
          assert.is(reply.type, null, type);
          continue;
        }
        assert.equal(validateBody(version, "to-task", body), {
          valid: true,
          type: body["type"] as string,
        });
        if (body["type"] === "ErrorResponse") {
          assert.ok((reply.errors as readonly unknown[]).includes(body["error"]), type);
        } else assert.is(body["type"], reply.type, type);
      }
      const handled = CATALOGUE[version]["to-supervisor"].filter((type) =>
        Object.hasOwn(REQUEST_HANDLERS, type),
      );
      assert.equal([...handled].sort(), [...seen].sort());
    }));
}

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
