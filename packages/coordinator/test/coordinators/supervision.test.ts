import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { isLongRun } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { eventually, openSockets } from "../support/launching.js";
import { run, supervisorEvents } from "../support/run-scenario.js";

const AT_ONCE = isLongRun() ? 120 : 20;

test(`${AT_ONCE} tasks at once keep their XComs, logs and output apart, and leave nothing open`, async () => {
  const store = new MemoryTaskStore();
  const names = Array.from({ length: AT_ONCE }, (_, at) => `task-${at}`);
  await run("echo", { store }); // what the first one opens for good is not counted
  const before = openSockets().length;
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  const patience = { startupTimeoutMs: 60_000 };
  const ran = await Promise.all(
    names.map((taskId) => run("echo", { store, taskId, signal }, patience)),
  );
  process.off("warning", onWarning);
  assert.equal(warnings, []);
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
  assert.ok(await eventually(() => openSockets().length <= before), "descriptors are left");
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

test("a kill signal is SIGKILL at once, whatever grace there is", async () => {
  const kill = new AbortController();
  const { result } = await run(
    "stubborn",
    {
      killSignal: kill.signal,
      logSink: { write: ({ event }) => (event === "staying" ? kill.abort() : undefined) },
    },
    { killGraceMs: 600_000 },
  );
  assert.is(result.exitCode, -9);
});

test("a kill signal ends what a task left behind, whatever time it has", async () => {
  const kill = new AbortController();
  const { result } = await run(
    "background",
    {
      killSignal: kill.signal,
      logSink: {
        async write({ event }) {
          const pid = /^pid (\d+)$/.exec(String(event))?.[1];
          if (pid === undefined) return;
          void eventually(() => !isAlive(Number(pid))).then(() => kill.abort());
        },
      },
    },
    { socketCleanupTimeoutMs: 600_000 },
  );
  assert.equal([result.finalState, result.exitCode], ["success", 0]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("SetExecutionTimeout is kept (schema 2026-10-30)", async () => {
  const { result, logs } = await run(
    "timeLimit",
    {},
    { schemaVersion: "2026-10-30", killGraceMs: 100 },
  );
  assert.is(result.finalState, "failed");
  assert.ok([-15, -9].includes(Number(result.exitCode)), "in 100 ms it may be too slow to end");
  assert.match(supervisorEvents(logs), "execution timeout of 0.05 s");
});

test("LIF-01: a background process that keeps stdout open is waited for, then cut and ended", async () => {
  const { result, logs } = await run("background", {}, { socketCleanupTimeoutMs: 200 });
  assert.is(result.finalState, "success");
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
    while (ref.key === "k0" && beats - before < 3) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
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
  assert.is(gone.result.finalState, "SERVER_TERMINATED");
  assert.ok((gone.result.exitCode ?? 0) < 0);
  // Once the outcome is reported the server may well take the task for gone.
  let reported = false;
  const late = await run("succeed", {
    heartbeat: { beat: async () => (reported ? "gone" : "running"), intervalMs: 10 },
    logSink: {
      write({ event }) {
        reported ||= event === "bye";
      },
    },
  });
  assert.is(late.result.finalState, "success");
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

test("nothing is left: no socket, no timer, no process", async () => {
  const active = (): string[] =>
    process.getActiveResourcesInfo().filter((kind) => /TCP|Pipe|Process|Timeout/.test(kind));
  const before = active(); // uvu's own timer, and what earlier tests have not quite closed
  await run("echo");
  const left = (): string[] => {
    const more = active();
    for (const kind of before) if (more.includes(kind)) more.splice(more.indexOf(kind), 1);
    return more;
  };
  // A handle that is closed goes within a turn or two; a timer that was forgotten stays.
  for (let turn = 0; turn < 10 && left().length > 0; turn++) await new Promise(setImmediate);
  assert.equal(left(), []);
});

test.run();
