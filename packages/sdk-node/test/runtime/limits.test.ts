import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Live, type LogRecord, type RunOptions, run } from "../support/fake-supervisor.ts";

const task = (taskId: string, options: Partial<RunOptions> = {}) =>
  run({ fixture: "states.mjs", taskId, ...options });

const variable = { type: "VariableResult", key: "k", value: "v" };

const events = (logs: readonly LogRecord[]) => logs.map(({ event }) => event);

const whenWaiting =
  (act: (live: Live) => void) =>
  (record: LogRecord, live: Live): void => {
    if (record.event === "waiting") act(live);
  };

test("the execution timeout aborts the handler and fails the try", async () => {
  const { terminal, logs, bodies, exitCode } = await task("too-slow", {
    context: { should_retry: true },
  });
  assert.equal([...events(logs)].sort(), ["Task failed", "cancelled", "ended", "limit"]);
  const found = (event: string) => logs.find((record) => record.event === event);
  assert.is(found("limit")?.["ms"], 1000);
  assert.is(found("ended")?.["code"], "execution-timeout");
  assert.is(terminal[0]?.["type"], "RetryTask");
  assert.match(String(terminal[0]?.["retry_reason"]), /longer than its execution timeout of 1 s/);
  assert.is(bodies.length, 1, "a supervisor of 3.3 is not told");
  assert.is(exitCode, 0);
});

test("a handler that is busy in a loop is killed, where the supervisor does not do it", async () => {
  const { terminal, signal, stderr } = await task("busy", { env: { GRACE_MS: "1" } });
  assert.is(terminal.length, 0);
  assert.is(signal, "SIGKILL");
  assert.match(stderr, /did not end at its execution timeout/);
});

test("a newer supervisor is told of the execution timeout, and may refuse it", async () => {
  const error = { type: "ErrorResponse", error: "API_SERVER_ERROR", detail: { status_code: 400 } };
  const { bodies, logs, terminal } = await task("quick", {
    context: { arg_bindings: null },
    answer: (body) => (body["type"] === "SetExecutionTimeout" ? { error } : undefined),
  });
  assert.equal(bodies[0], { type: "SetExecutionTimeout", timeout_seconds: 60 });
  assert.match(String(logs[0]?.event), /does not know of the execution timeout/);
  assert.is(terminal[0]?.["type"], "SucceedTask");
});

test("onKill: every callback is called, last one first, beside what the handler does at its abort", async () => {
  const { logs, terminal, exitCode } = await task("kill", {
    onLog: whenWaiting(({ child }) => child.kill("SIGTERM")),
  });
  assert.equal(events(logs), [
    "waiting",
    "An onKill callback failed",
    "last",
    "first",
    "Task failed",
  ]);
  assert.is(logs[2]?.["reason"], "signal");
  assert.is(terminal[0]?.["state"], "failed");
  assert.is(exitCode, 0);
});

test("onKill: after a fault elsewhere too, but never when the handler is through", async () => {
  const fault = await task("kill-after-fault");
  assert.equal(events(fault.logs), ["cleaned up", "Task failed"]);
  assert.equal(events((await task("through")).logs), []);
});

test("a second signal ends the wait for the handler", async () => {
  const { terminal, exitCode } = await run({
    fixture: "patient-handler.mjs",
    taskId: "ignores-abort",
    onLog: ({ event }, { child }) => {
      if (event === "waiting" || event === "aborted") child.kill("SIGTERM");
    },
  });
  assert.is(terminal[0]?.["state"], "failed");
  assert.is(exitCode, 0);
});

test("a handler that nothing can wake fails the task, and not before its requests are answered", async () => {
  for (const taskId of ["nothing-left", "nothing-left-after-request"]) {
    const { terminal, logs, exitCode } = await task(taskId, {
      context: { should_retry: true },
      answer: ({ type }) => (type === "GetVariable" ? { body: variable } : undefined),
    });
    assert.is(terminal[0]?.["type"], "RetryTask", taskId);
    assert.match(String(logs.at(-1)?.["error"]), /waits for something that can never come/);
    assert.is(exitCode, 0);
  }
  const late = await task("late-answer", {
    answer: (body, { channel }) => {
      if (body["type"] !== "GetVariable") return undefined;
      setTimeout(() => {
        channel.send({ id: 1, body: variable });
      }, 500);
      return "silence";
    },
  });
  assert.is(late.terminal[0]?.["type"], "SucceedTask");
});

test("a request that gets no answer is named", async () => {
  const { logs } = await task("late-answer", {
    env: { REQUEST_TIMEOUT_MS: "400" },
    answer: (body) => (body["type"] === "GetVariable" ? "silence" : undefined),
  });
  assert.match(String(logs.at(-1)?.["error"]), /GetVariable got no answer within 0\.4 s/);
});

test("huge errors with circular causes are reported", async () => {
  const { terminal, logs, lines, exitCode } = await task("huge-cause", {
    context: { should_retry: true },
  });
  assert.is(Array.from(String(terminal[0]?.["retry_reason"])).length, 500);
  assert.is(logs.at(-1)?.event, "Task failed");
  assert.ok(lines.every((line) => line.length <= 1024 * 1024));
  assert.is(exitCode, 0);
});

test("the trace of the task is there for the handler", async () => {
  const trace = {
    traceparent: "00-a6a12e1fc5971c6e6206f164bc25b44d-ff38a8311aedb218-01",
    tracestate: "vendor=1",
  };
  const { bodies } = await task("trace", { taskInstance: { context_carrier: trace } });
  assert.equal(bodies[0]?.["value"], { trace, headers: trace });
  const { bodies: none } = await task("trace");
  assert.equal(none[0]?.["value"], { trace: null, headers: {} });
});

test.run();
