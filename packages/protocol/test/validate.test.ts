import { CATALOGUE, SCHEMA_VERSIONS } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Float, Timestamp } from "./support/wire-values.ts";

const END = "2026-06-16T01:02:03Z";

function sent(body: unknown): { path: string; message: string }[] {
  const result = validateBody("2026-06-16", "to-supervisor", body);
  return result.valid ? [] : [...result.errors];
}

function paths(body: unknown): string[] {
  return sent(body).map(({ path }) => path);
}

test("a body that is no map with a known type is refused", () => {
  const bodies = [null, undefined, 1, "x", [], new Map(), new Timestamp(0n), new Uint8Array(2)];
  for (const body of bodies) assert.equal(paths(body), [""]);
  for (const type of [undefined, null, 7, "", "Nonsense", "constructor", "__proto__", "default"]) {
    assert.equal(paths({ type }), ["/type"]);
  }
});

test("a message of the other direction or version is told apart from nonsense", () => {
  assert.match(sent({ type: "StartupDetails" })[0]?.message ?? "", /which goes to-task/);
  assert.match(sent({ type: "UpdateDagRunNote" })[0]?.message ?? "", /schema 2026-10-30 has/);
  const [fault] = sent({ type: "x".repeat(1000) });
  assert.ok((fault?.message.length ?? 1000) < 200);
});

test("the result names the type, also when the body is bad", () => {
  const good = { type: "GetVariable", key: "k" };
  assert.equal(validateBody("2026-06-16", "to-supervisor", good), {
    valid: true,
    type: "GetVariable",
  });
  const bad = validateBody("2026-06-16", "to-supervisor", { ...good, key: 1 });
  assert.equal(bad, {
    valid: false,
    type: "GetVariable",
    errors: [{ path: "/key", message: "expected text, got a whole number" }],
  });
});

test("bodies that stock Airflow leaves unanswered are refused", () => {
  const ids = { dag_id: "d", run_id: "r", task_id: "t" };
  const bad: [string, Record<string, unknown>][] = [
    ["/description", { type: "PutVariable", key: "k", value: "v" }],
    ["/expires_at", { type: "SetTaskStateStore", ti_id: "0".repeat(32), key: "k", value: 1 }],
    ["/reason", { type: "RetryTask", end_date: END, reason: "no" }],
    ["/end_date", { type: "SucceedTask" }],
    ["/end_date", { type: "SucceedTask", end_date: "2026-06-16T01:02:03" }],
    ["/state", { type: "TaskState", state: "success" }],
    ["/value", { type: "SetXCom", key: "k", ...ids, value: new Uint8Array(1) }],
    ["/conn_id", { type: "GetConnection", conn_id: 1 }],
    ["/step", { type: "GetXComSequenceSlice", key: "k", ...ids, start: null, stop: null }],
    ["/loop_decision", { type: "SucceedTask", end_date: END, loop_decision: null }],
  ];
  for (const [path, body] of bad) assert.equal(paths(body), [path]);
});

test("bodies that stock Airflow takes are taken", () => {
  const ids = { dag_id: "d", run_id: "r", task_id: "t" };
  const good = [
    { type: "TaskState", state: "failed", retry_reason: "dropped on 3.3.2" },
    { type: "SucceedTask", end_date: 1700000000.5 },
    { type: "DeferTask", classpath: "c", next_method: "m", trigger_timeout: "PT30S" },
    { type: "DeferTask", classpath: "c", next_method: "m", trigger_kwargs: "encoded" },
    { type: "SetXCom", key: "k", ...ids, value: null, map_index: -1 },
    { type: "SkipDownstreamTasks", tasks: ["a", ["b", -1], ["c", 2n]] },
    { type: "RetryTask", end_date: new Timestamp(1n), retry_delay_seconds: new Float(7) },
    { type: "GetXComSequenceSlice", key: "k", ...ids, start: null, stop: null, step: null },
  ];
  for (const body of good) assert.equal(sent(body), []);
});

test("whole numbers may be bigints or whole floats, but no fractions, text or booleans", () => {
  const judge = (limit: unknown) => paths({ type: "GetVariableKeys", limit });
  for (const limit of [0, -1, 5n, 2n ** 63n, new Float(3)]) assert.equal(judge(limit), []);
  for (const limit of [1.5, "1", true, Number.NaN, Infinity, 1e300, new Float(1.5), {}, null]) {
    assert.equal(judge(limit), ["/limit"]);
  }
});

test("limits hold for every way to write a number", () => {
  const judge = (timeout_seconds: unknown) =>
    validateBody("2026-10-30", "to-supervisor", { type: "SetExecutionTimeout", timeout_seconds })
      .valid;
  for (const seconds of [0.1, 1, 1n, new Float(5)]) assert.ok(judge(seconds));
  for (const seconds of [0, -1, 0n, new Float(0), Number.NaN, "1"]) assert.not(judge(seconds));
});

test("faults inside lists and parts are named by their pointer", () => {
  assert.equal(paths({ type: "SkipDownstreamTasks", tasks: ["a", ["b"]] }), ["/tasks/1"]);
  assert.equal(paths({ type: "SkipDownstreamTasks", tasks: ["a", ["b", "c"]] }), ["/tasks/1/1"]);
  assert.equal(paths({ type: "SkipDownstreamTasks", tasks: [7] }), ["/tasks/0"]);
  const outlets = [{ type: "Asset" }, { type: "Asset", name: 1, zz: 1 }];
  assert.equal(paths({ type: "SucceedTask", end_date: END, task_outlets: outlets }), [
    "/task_outlets/1/name",
    "/task_outlets/1/zz",
  ]);
});

test("a union of parts is judged by its tag", () => {
  const request = (callback: unknown) =>
    validateBody("2026-10-30", "to-task", {
      type: "DagFileParseRequest",
      file: "f",
      bundle_path: "/b",
      bundle_name: "n",
      callback_requests: [callback],
    });
  for (const callback of [null, {}, { type: "Other" }, 7]) {
    const result = request(callback);
    assert.not(result.valid);
    if (!result.valid) assert.is(result.errors[0]?.path, "/callback_requests/0");
  }
  const result = request({ type: "DagCallbackRequest" });
  assert.not(result.valid);
  if (!result.valid) {
    assert.ok(result.errors.some(({ path }) => path === "/callback_requests/0/dag_id"));
  }
});

test("messages never repeat values, and their number does not grow with the body", () => {
  const secret = "hunter2-hunter2-hunter2";
  for (const body of [
    { type: "GetConnection", conn_id: [secret] },
    { type: "MaskSecret", value: new Set([secret]), name: { secret } },
    { type: "PutVariable", key: 1, value: [secret], description: null },
    { type: "SucceedTask", end_date: secret, rendered_map_index: [secret] },
  ]) {
    assert.not.match(JSON.stringify(sent(body)), secret);
  }
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
  assert.is(sent({ type: "RetryTask", end_date: END, ...many }).length, 8);
  const tasks = Array.from({ length: 10_000 }, () => 1);
  assert.is(sent({ type: "SkipDownstreamTasks", tasks }).length, 1);
  const [fault] = sent({ type: "RetryTask", end_date: END, ["k".repeat(100_000)]: 1 });
  assert.ok((fault?.path.length ?? Infinity) <= 401);
});

test("a forgotten zone is told apart, and maps never speak for themselves", () => {
  const [fault] = sent({ type: "SucceedTask", end_date: "2026-06-16T01:02:03" });
  assert.is(fault?.message, "expected a date-time with a zone, got one without a zone");
  const [named] = sent({ type: "GetDag", dag_id: { constructor: { name: "hunter2" } } });
  assert.is(named?.message, "expected text, got a map");
});

test("a key of __proto__ is a key like any other", () => {
  const body = JSON.parse(`{"type":"RetryTask","end_date":"${END}","__proto__":{"x":1}}`);
  assert.equal(paths(body), ["/__proto__"]);
  const empty = JSON.parse('{"__proto__":{"type":"GetDag","dag_id":"d"}}');
  assert.equal(paths(empty), ["/type"]);
});

test("the catalogue holds the messages of both channels", () => {
  const counts = SCHEMA_VERSIONS.map((version) =>
    Object.values(CATALOGUE[version]).map((names) => names.length),
  );
  // 55 and 57 of the task channel, 30 answers and StartupDetails; one each for Dag parsing.
  assert.equal(counts, [
    [56, 31],
    [58, 31],
  ]);
  const added = CATALOGUE["2026-10-30"]["to-supervisor"].filter(
    (name) => !CATALOGUE["2026-06-16"]["to-supervisor"].includes(name),
  );
  assert.equal(added, ["SetExecutionTimeout", "UpdateDagRunNote"]);
});

test.run();
