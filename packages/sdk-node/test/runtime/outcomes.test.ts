import { test } from "uvu";
import * as assert from "uvu/assert";
import { type RunOptions, run } from "../support/fake-supervisor.ts";

const task = (taskId: string, options: Partial<RunOptions> = {}) =>
  run({ fixture: "tasks.mjs", taskId, ...options });

test("a result is pushed, then success is reported once, exit 0", async () => {
  const { bodies, exitCode, stderr } = await task("value");
  assert.equal(
    bodies.map((body) => body["type"]),
    ["SetXCom", "SucceedTask"],
  );
  const [push, end] = bodies;
  assert.equal(push, {
    type: "SetXCom",
    key: "return_value",
    dag_id: "d",
    run_id: "manual__1",
    task_id: "value",
    value: { rows: [1, 2n ** 60n, "x"] },
    map_index: -1,
  });
  assert.equal(Object.keys(end ?? {}).sort(), [
    "end_date",
    "outlet_events",
    "state",
    "task_outlets",
    "type",
  ]);
  assert.match(String(end?.["end_date"]), /^2\d{3}-.*Z$/);
  assert.is(exitCode, 0);
  assert.is(stderr, "");
});

test("undefined and null are no result, other falsy values are one", async () => {
  for (const [taskId, types] of [
    ["nothing", ["SucceedTask"]],
    ["null", ["SucceedTask"]],
    ["falsy", ["SetXCom", "SucceedTask"]],
  ] as const) {
    const { bodies, exitCode } = await task(taskId);
    assert.equal(
      bodies.map((body) => body["type"]),
      types,
    );
    assert.is(exitCode, 0);
  }
});

test("a failure without tries left is TaskState failed, logged once with its causes", async () => {
  const { terminal, logs, exitCode } = await task("throws");
  assert.is(terminal.length, 1);
  assert.equal(
    { ...terminal[0], end_date: "" },
    { type: "TaskState", state: "failed", end_date: "" },
  );
  assert.is(exitCode, 0);
  const errors = logs.filter((record) => record.level === "error");
  assert.is(errors.length, 1);
  const chain = errors[0]?.["exception"] as {
    exc_type: string;
    is_cause: boolean;
    frames: object[];
  }[];
  assert.equal(
    chain.map(({ exc_type, is_cause }) => [exc_type, is_cause]),
    [
      ["TypeError", false],
      ["RangeError", true],
    ],
  );
  assert.is(chain[0]?.frames.length, 1, "the runtime's own calls are left out");
  assert.match(JSON.stringify(chain[0]?.frames), /tasks\.mjs/);
});

test("a failure with tries left is RetryTask with a reason of 500 whole characters", async () => {
  const { terminal, exitCode } = await task("throws", { context: { should_retry: true } });
  assert.is(terminal.length, 1);
  const { type, state, retry_reason: reason } = terminal[0] ?? {};
  assert.equal([type, state], ["RetryTask", "up_for_retry"]);
  assert.is(Array.from(String(reason)).length, 500);
  assert.ok(String(reason).startsWith("TypeError: no \u{1f426}"));
  assert.ok(String(reason).endsWith("\u{1f426}"), "no half character at the end");
  assert.is(exitCode, 0);
});

test("anything may be thrown", async () => {
  const text = await task("throws-text", { context: { should_retry: true } });
  assert.is(text.terminal[0]?.["retry_reason"], "just text");
  assert.is(text.logs[0]?.["error"], "thrown string: just text");
  const trap = await task("throws-unreadable", { context: { should_retry: true } });
  assert.is(trap.terminal[0]?.["retry_reason"], "Error: what was thrown cannot be read");
  const nothing = await task("rejects-nothing", { context: { should_retry: true } });
  assert.is(nothing.terminal[0]?.["retry_reason"], "undefined");
  assert.is(nothing.exitCode, 0);
});

test("a result that JSON cannot hold fails the task and names the place", async () => {
  const { bodies, terminal, logs } = await task("bad-value");
  assert.is(bodies.length, 1);
  assert.is(terminal[0]?.["state"], "failed");
  assert.match(String(logs[0]?.["error"]), /\/rows\/0\/n is NaN/);
});

test("a task without a handler is reported as removed", async () => {
  const { terminal, logs, exitCode } = await task("unknown");
  assert.is(terminal[0]?.["type"], "TaskState");
  assert.is(terminal[0]?.["state"], "removed");
  assert.is(logs[0]?.["taskId"], "unknown");
  assert.is(exitCode, 0);
});

test("XComs of an earlier try are deleted before the handler runs", async () => {
  const { bodies } = await task("falsy", {
    context: { xcom_keys_to_clear: ["return_value", "extra"] },
    taskInstance: { map_index: 2 },
  });
  assert.equal(
    bodies.map((body) => [body["type"], body["key"], body["map_index"]]),
    [
      ["DeleteXCom", "return_value", 2],
      ["DeleteXCom", "extra", 2],
      ["SetXCom", "return_value", 2],
      ["SucceedTask", undefined, undefined],
    ],
  );
});

test("the error slot of an answer fails the call, and with it the task", async () => {
  const { terminal, logs, exitCode } = await task("client", {
    answer: (body) =>
      body["type"] === "GetVariable"
        ? {
            error: {
              type: "ErrorResponse",
              error: "API_SERVER_ERROR",
              detail: { status_code: 500, message: "broken", detail: null },
            },
          }
        : undefined,
  });
  assert.is(terminal[0]?.["state"], "failed");
  assert.match(
    String(logs[0]?.["error"]),
    /GetVariable was answered with API_SERVER_ERROR 500: broken/,
  );
  assert.is(exitCode, 0);
});

test("a report that is answered with an error, or not at all, ends non-zero", async () => {
  const refused = await task("nothing", {
    answer: (body) =>
      body["type"] === "SucceedTask"
        ? {
            error: {
              type: "ErrorResponse",
              error: "API_SERVER_ERROR",
              detail: { status_code: 409 },
            },
          }
        : undefined,
  });
  assert.is(refused.exitCode, 1);
  assert.match(refused.stderr, /could not be reported: SupervisorError.* 409/);
  const silent = await task("nothing", {
    answer: () => "silence",
    env: { REQUEST_TIMEOUT_MS: "400" },
  });
  assert.is(silent.exitCode, 1);
  assert.match(silent.stderr, /RequestTimeoutError/);
  assert.is(silent.terminal.length, 1, "the report is not repeated");
});

test("a request that is not answered rejects after its deadline", async () => {
  const { terminal, logs, exitCode } = await task("client", {
    answer: (body) => (body["type"] === "GetVariable" ? "silence" : undefined),
    env: { REQUEST_TIMEOUT_MS: "400" },
  });
  assert.is(terminal[0]?.["state"], "failed");
  assert.match(String(logs[0]?.["error"]), /RequestTimeoutError/);
  assert.is(exitCode, 0);
});

test("a Dag processor gets an empty result", async () => {
  const request = {
    type: "DagFileParseRequest",
    file: "/b/demo",
    bundle_path: "/b",
    bundle_name: "x",
    callback_requests: [],
  };
  const { bodies, exitCode } = await task("", { first: request });
  assert.equal(bodies, [
    {
      type: "DagFileParsingResult",
      fileloc: "/b/demo",
      serialized_dags: [],
      warnings: null,
      import_errors: null,
    },
  ]);
  assert.is(exitCode, 0);
  const broken = await run({ fixture: "throws-at-load.mjs", first: request });
  const { demo = "" } = (broken.bodies[0]?.["import_errors"] ?? {}) as { demo?: string };
  assert.match(demo, /^Error: cannot be loaded\n {4}at .*throws-at-load\.mjs:\d+\)/);
  assert.is(broken.exitCode, 0);
});

test.run();
