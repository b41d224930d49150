import { fileURLToPath } from "node:url";
import {
  ArgvCoordinator,
  type ArgvCoordinatorOptions,
  type ExecuteTaskRequest,
  type LogRecord,
  MemoryTaskStore,
  seedStore,
  type TaskResult,
} from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";

const CHILD = fileURLToPath(new URL("../../test/fixtures/child.mjs", import.meta.url));

interface Ran {
  readonly result: TaskResult;
  readonly logs: LogRecord[];
  readonly store: MemoryTaskStore;
  /** The child's own records. */
  readonly events: unknown[];
}

async function run(
  scenario: string,
  request: Partial<ExecuteTaskRequest> & { taskId?: string; shouldRetry?: boolean } = {},
  options: Partial<ArgvCoordinatorOptions> = {},
): Promise<Ran> {
  const store = (request.store as MemoryTaskStore | undefined) ?? new MemoryTaskStore();
  const logs: LogRecord[] = [];
  const coordinator = new ArgvCoordinator({
    argv: [process.execPath, CHILD, scenario],
    killGraceMs: 300,
    socketCleanupTimeoutMs: 5_000,
    ...options,
  });
  const { taskId = "t", shouldRetry = false, ...rest } = request;
  const result = await coordinator.executeTask({
    taskInstance: { dagId: "d", taskId, runId: "r", tryNumber: 1, shouldRetry },
    logSink: {
      write(record) {
        logs.push(record);
      },
    },
    ...rest,
    store,
  });
  const events = logs.filter(({ logger }) => logger === "task").map(({ event }) => event);
  return { result, logs, store, events };
}

const supervisorEvents = (logs: readonly LogRecord[]): string =>
  logs
    .filter(({ logger }) => logger === "parlance.supervisor")
    .map(({ level, event }) => `${level}: ${String(event)}`)
    .join("\n");

/** scenario, should_retry, final state, exit code */
const ENDS: readonly [string, boolean, string, number][] = [
  ["succeed", false, "success", 0],
  ["fail", true, "failed", 0],
  ["skip", false, "skipped", 0],
  ["retry", false, "up_for_retry", 0],
  ["defer", false, "deferred", 0],
  ["silent", false, "success", 0],
  ["closeEarly", false, "success", 0],
  ["exit7", false, "failed", 7],
  ["exit7", true, "up_for_retry", 7],
  ["kill", false, "failed", -9],
  ["failThenSucceed", false, "success", 0],
  ["succeedThenExit1", true, "up_for_retry", 1],
];

test("every way to end has the final state of the tables", async () => {
  const ran = await Promise.all(
    ENDS.map(([scenario, shouldRetry]) => run(scenario, { shouldRetry })),
  );
  for (const [at, { result, store }] of ran.entries()) {
    const [scenario, , finalState, exitCode] = ENDS[at] as (typeof ENDS)[number];
    assert.equal([result.finalState, result.exitCode], [finalState, exitCode], scenario);
    const [instance] = await store.taskInstances.list({ dagId: "d" });
    assert.is(instance?.state, finalState, scenario);
  }
});

test("a retry's delay and reason are in the result", async () => {
  const { result } = await run("retry");
  assert.equal(result.retry, { delaySeconds: 1.5, reason: "flaky" });
  assert.is(result.terminal?.["type"], "RetryTask");
});

test("20 tasks at once keep their XComs, logs and output apart", async () => {
  const store = new MemoryTaskStore();
  const names = Array.from({ length: 20 }, (_, at) => `task-${at}`);
  const ran = await Promise.all(names.map((taskId) => run("echo", { store, taskId })));
  for (const [at, { result, logs }] of ran.entries()) {
    const name = names[at] as string;
    assert.is(result.finalState, "success", supervisorEvents(logs));
    const said = logs.filter(({ logger }) => logger === "task").map(({ event }) => event);
    assert.equal(said, [...Array.from({ length: 20 }, (_, k) => `${name}-${k}`), "bye"]);
    const printed = logs.filter(({ logger }) => logger !== "task");
    assert.equal(printed.map(({ logger, level, event }) => [logger, level, event]).sort(), [
      ["task.stderr", "error", `err ${name}`],
      ["task.stdout", "info", `out ${name}`],
    ]);
    assert.is((await store.xcoms.list({ dagId: "d", runId: "r", taskId: name })).length, 20);
  }
});

test("an earlier try's XComs are gone when the next one starts", async () => {
  const store = new MemoryTaskStore();
  const left = { dagId: "d", runId: "r", taskId: "t", key: "old", mapIndex: -1 };
  await store.xcoms.set(left, 1);
  await store.xcoms.set({ ...left, taskId: "other" }, 2);
  await run("succeed", { store });
  assert.is(await store.xcoms.get(left), undefined);
  assert.is((await store.xcoms.get({ ...left, taskId: "other" }))?.value, 2);
});

test("bytes that are no frame end the task, with one record and the code", async () => {
  const { result, logs } = await run("garbage", { shouldRetry: true });
  assert.equal([result.finalState, result.error?.code], ["up_for_retry", "not-msgpack"]);
  assert.ok((result.exitCode ?? 0) < 0);
  const records = logs.filter(({ logger }) => logger === "parlance.supervisor");
  assert.equal(
    records.map(({ level, code }) => [level, code]),
    [["error", "not-msgpack"]],
  );
});

test("a broken link is no success, even with exit code 0", async () => {
  const empty = await run("garbageThenExit0");
  assert.equal([empty.result.finalState, empty.result.error?.code], ["failed", "empty-frame"]);
  const half = await run("half");
  assert.equal([half.result.finalState, half.result.exitCode], ["failed", 0]);
  assert.is(half.result.error?.code, "truncated");
});

test("bad messages are answered, and the task goes on", async () => {
  const { result, events } = await run("bad");
  assert.is(result.finalState, "success");
  assert.match(String(events[0]), "/key");
  assert.match(String(events[1]), "Nonsense");
});

test("requests after the terminal message are still answered", async () => {
  const store = new MemoryTaskStore();
  await seedStore(store, { variables: { plain: "still here" } });
  const { result, events } = await run("requestsAfterTheEnd", { store });
  assert.equal([result.finalState, events], ["success", ["still here"]]);
});

test("2,000 requests in flight are all answered", async () => {
  const { result, events } = await run("pipeline");
  assert.equal([result.finalState, events], ["success", ["2000", "bye"]]);
});

test("secrets read or told are masked in records and output", async () => {
  const store = new MemoryTaskStore();
  await seedStore(store, {
    variables: { api_token: "tok-value", plain: "plain-value" },
    connections: { c1: { conn_type: "http", password: "pw-of-c1" } },
  });
  const { logs, result } = await run("secrets", { store });
  assert.is(result.finalState, "success", JSON.stringify(logs));
  const [record] = logs;
  assert.is(record?.event, "*** *** plain-value ***");
  assert.equal(record?.["deep"], { password: "***" });
  assert.ok(logs.some(({ event }) => event === "stdout ***"));
});

test("a process that stays after its terminal message gets SIGTERM; the exit code counts", async () => {
  const { result, logs, events } = await run("overtime", {}, { successOvertimeMs: 100 });
  assert.equal([result.finalState, result.exitCode, events], ["success", 0, ["staying"]]);
  assert.match(supervisorEvents(logs), "0.1 s after its terminal message");
});

test("an abort is SIGTERM, then SIGKILL", async () => {
  const abort = new AbortController();
  const started = performance.now();
  const { result } = await run("stubborn", {
    signal: abort.signal,
    logSink: { write: ({ event }) => (event === "staying" ? abort.abort() : undefined) },
  });
  assert.equal([result.finalState, result.exitCode], ["failed", -9]);
  assert.ok(performance.now() - started > 300);
});

test("an abort before the start is a failed start", async () => {
  const { result } = await run("succeed", { signal: AbortSignal.abort(), shouldRetry: true });
  assert.equal(
    [result.finalState, result.exitCode, result.error?.code],
    ["up_for_retry", null, "aborted"],
  );
});

test("SetExecutionTimeout is kept (schema 2026-10-30)", async () => {
  const { result, logs } = await run(
    "timeLimit",
    {},
    { schemaVersion: "2026-10-30", killGraceMs: 100 },
  );
  assert.equal([result.finalState, result.exitCode], ["failed", -15]);
  assert.match(supervisorEvents(logs), "execution timeout of 0.05 s");
});

test("the schema version decides what StartupDetails looks like", async () => {
  const argBindings = [{ kind: "literal", name: "a", value: 3 }] as const;
  const shape = async (schemaVersion: "2026-06-16" | "2026-10-30"): Promise<object> => {
    const { logs } = await run("details", { argBindings }, { schemaVersion });
    return JSON.parse(String(logs[0]?.["details"])).ti_context;
  };
  assert.not("arg_bindings" in (await shape("2026-06-16")));
  const newer = (await shape("2026-10-30")) as { arg_bindings: unknown };
  const binding = { name: "a", value_schema: null, kind: "literal", value: 3, from_default: false };
  assert.equal(newer.arg_bindings, [binding]);
});

test("LIF-01: a background process that keeps stdout open is waited for, then cut and ended", async () => {
  const started = performance.now();
  const { result, logs } = await run("background", {}, { socketCleanupTimeoutMs: 200 });
  assert.is(result.finalState, "success");
  assert.ok(performance.now() - started < 2_000);
  assert.ok(logs.some(({ event, logger }) => event === "done" && logger === "task.stdout"));
  assert.match(supervisorEvents(logs), "cut");
});

test("LIF-14: what is printed is never part of the link", async () => {
  const { result, logs } = await run("noise");
  assert.is(result.finalState, "success");
  const printed = logs.filter(({ logger }) => logger === "task.stdout").map(({ event }) => event);
  assert.equal(printed, ["\0\0\0\u0005\ufffd\ufffd", "Content-Length: 3", "no line end"]);
});

test("LIF-09: heartbeats go on while a request is slow; gone and failing end the task", async () => {
  const store = new MemoryTaskStore();
  let beats = 0;
  let during = 0;
  const set = store.xcoms.set.bind(store.xcoms);
  store.xcoms.set = async (ref, value) => {
    const before = beats;
    if (ref.key === "k0") await new Promise((resolve) => setTimeout(resolve, 200));
    during = Math.max(during, beats - before);
    return set(ref, value);
  };
  const beat = async (): Promise<"running"> => {
    beats += 1;
    return "running";
  };
  const { result } = await run("echo", { store, heartbeat: { beat, intervalMs: 20 } });
  assert.is(result.finalState, "success");
  assert.ok(during >= 3, `${during} beats`);

  const gone = await run("stubborn", { heartbeat: { beat: async () => "gone" } });
  assert.equal([gone.result.finalState, gone.result.exitCode], ["SERVER_TERMINATED", -9]);
  const failing = await run("stubborn", {
    heartbeat: { beat: () => Promise.reject(new Error("503")), intervalMs: 10 },
    shouldRetry: true,
  });
  assert.is(failing.result.finalState, "up_for_retry");
});

test("a slow sink gets every record in order and holds no request up", async () => {
  const seen: unknown[] = [];
  const { result } = await run("flood", {
    logSink: {
      async write({ event }) {
        seen.push(event);
        if (seen.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        else await null;
      },
    },
  });
  assert.is(result.finalState, "success");
  assert.equal(seen, [...Array.from({ length: 5000 }, (_, at) => `line ${at}`), "bye"]);
});

test("a sink that fails loses records, not the task", async () => {
  const { result } = await run("echo", {
    logSink: {
      write() {
        throw new Error("sink is full");
      },
    },
  });
  assert.is(result.finalState, "success");
  assert.equal(result.logError, { message: "sink is full", lost: 23 });
});

test("a failed start is a result, with the program's last words in the log", async () => {
  const script = "console.log('out'); console.error('no such module'); process.exit(3)";
  const { result, logs } = await run("", {}, { argv: [process.execPath, "-e", script, "--"] });
  assert.equal([result.finalState, result.exitCode], ["failed", 3]);
  assert.is(result.error?.code, "exited-before-connect");
  const words = logs.map(({ logger, event }) => `${logger} ${String(event)}`);
  assert.ok(
    words.includes("task.stdout out") && words.includes("task.stderr no such module"),
    words.join("\n"),
  );

  const missing = await run("", { shouldRetry: true }, { argv: ["/nonexistent/program"] });
  assert.equal([missing.result.finalState, missing.result.exitCode], ["up_for_retry", null]);
  assert.is(missing.result.error?.code, "spawn-failed");

  const silent = await run(
    "",
    {},
    { argv: [process.execPath, "-e", "setInterval(() => {}, 1000)", "--"], startupTimeoutMs: 300 },
  );
  assert.is(silent.result.error?.code, "startup-timeout");
});

test("a store that can't be prepared is a failed start, and the process is ended", async () => {
  const { StoreError } = await import("@parlance/coordinator");
  const store = new MemoryTaskStore();
  store.xcoms.list = () => Promise.reject(new StoreError("store-busy", "locked"));
  const { result } = await run("stubborn", { store });
  assert.equal([result.finalState, result.error?.code], ["failed", "store-busy"]);
});

test("nothing is left: no socket, no timer, no process", async () => {
  await run("echo");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const left = process
    .getActiveResourcesInfo()
    .filter((kind) => /TCP|Pipe(?!Wrap$)|Process|Timeout/.test(kind));
  assert.equal(left.filter((kind) => kind !== "Timeout").length, 0, left.join());
});

test.run();
