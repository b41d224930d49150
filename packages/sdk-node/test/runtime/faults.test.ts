import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Live, type LogRecord, type RunOptions, run } from "../support/fake-supervisor.ts";

const task = (taskId: string, options: Partial<RunOptions> = {}) =>
  run({ fixture: "tasks.mjs", taskId, ...options });

/** How long handlers that are not waited for would take. */
const HANDLER_MS = 60_000;

/** Does something as soon as the handler says that it waits. */
const whenWaiting =
  (act: (live: Live) => void) =>
  (record: LogRecord, live: Live): void => {
    if (record.event === "waiting") act(live);
  };

for (const [taskId, reason] of [
  ["uncaught", "from a timer"],
  ["unhandled", "nobody waits"],
  ["exit", "process.exit(0)"],
  ["exit-swallowed", "process.exit(3)"],
  ["exit-in-timer", "process.exit(0)"],
] as const) {
  test(`${taskId}: fails the task, is logged, reported and confirmed`, async () => {
    const { terminal, logs, exitCode, durationMs } = await task(taskId, {
      context: { should_retry: true },
    });
    assert.is(terminal.length, 1);
    assert.is(terminal[0]?.["type"], "RetryTask");
    assert.ok(String(terminal[0]?.["retry_reason"]).includes(reason));
    assert.is(logs.filter((record) => record.event === "Task failed").length, 1);
    assert.is(exitCode, 0);
    assert.ok(durationMs < HANDLER_MS, "does not wait for the handler");
  });
}

test("a rejection while the result is being stored still fails the task", async () => {
  const { terminal } = await task("unhandled-late", {
    answer: (body, live) => {
      if (body["type"] !== "SetXCom") return undefined;
      live.child.kill("SIGUSR2"); // the fixture's cue
      return "silence";
    },
  });
  assert.is(terminal[0]?.["state"], "failed");
});

test("a rejection between the handler's end and the report fails the task", async () => {
  const { terminal, logs } = await run({ fixture: "states.mjs", taskId: "fault-at-the-end" });
  assert.equal(
    terminal.map(({ state }) => state),
    ["failed"],
  );
  assert.match(String(logs.at(-1)?.["error"]), /in the exporter/);
});

test("a rejection after the report is logged and changes nothing", async () => {
  const { terminal, logs, exitCode } = await task("unhandled-late", {
    answer: (body, live) => {
      if (body["type"] !== "SucceedTask") return undefined;
      live.child.kill("SIGUSR2");
      return "silence";
    },
    onLog: ({ event }, live) => {
      if (event.includes("after the end")) live.channel.send({ id: 2, body: null });
    },
  });
  assert.is(terminal[0]?.["type"], "SucceedTask");
  assert.is(logs.at(-1)?.event, "An error after the end of the task");
  assert.is(exitCode, 0);
});

for (const name of ["SIGTERM", "SIGINT"] as const) {
  test(`${name}: the handler may clean up, the task never succeeds`, async () => {
    const { terminal, logs, exitCode } = await task("waits", {
      onLog: whenWaiting(({ child }) => child.kill(name)),
    });
    assert.equal(
      logs.map((record) => record.event),
      ["waiting", "cleaned up", "Task failed"],
    );
    assert.is(logs[1]?.["reason"], "signal");
    assert.is(terminal.length, 1);
    assert.is(terminal[0]?.["state"], "failed");
    assert.is(exitCode, 0);
  });
}

test("a handler that ignores the signal is not waited for", async () => {
  const { terminal, exitCode, durationMs } = await task("ignores-abort", {
    context: { should_retry: true },
    env: { GRACE_MS: "500" },
    onLog: whenWaiting(({ child }) => child.kill("SIGTERM")),
  });
  assert.is(terminal[0]?.["retry_reason"], "TaskStoppedError: the task was stopped by SIGTERM");
  assert.is(exitCode, 0);
  assert.ok(durationMs < HANDLER_MS);
});

test("SIGTERM while nobody answers: ends non-zero before it would be killed", async () => {
  const { exitCode } = await task("ignores-abort", {
    answer: () => "silence",
    env: { GRACE_MS: "500" },
    onLog: whenWaiting(({ child }) => child.kill("SIGTERM")),
  });
  assert.is(exitCode, 143, "by itself, before SIGKILL");
});

test("a lost link aborts the handler and ends the process non-zero", async () => {
  const ways = ["destroy", "resetAndDestroy", "end"] as const;
  const lose = async (how: (typeof ways)[number]): Promise<void> => {
    const { logs, terminal, exitCode } = await task("waits", {
      onLog: whenWaiting(({ comm }) => void comm[how]()),
    });
    assert.is(terminal.length, 0);
    assert.is(exitCode, 1, how);
    assert.is(logs[1]?.["reason"], "link-lost");
  };
  await Promise.all(ways.map(lose));
});

test("a handler that never settles does not outlive its supervisor", async () => {
  const { exitCode } = await task("never", {
    env: { GRACE_MS: "500" },
    onConnected: ({ comm, logs }) => {
      setTimeout(() => {
        comm.destroy();
        logs.destroy();
      }, 250);
    },
  });
  assert.is(exitCode, 1);
});

test("an error while the program loads is logged and reported", async () => {
  const { logs, terminal, exitCode } = await run({
    fixture: "throws-at-load.mjs",
    context: { should_retry: true },
  });
  assert.equal(
    logs.map((record) => record.event),
    ["loading", "Task failed"],
  );
  assert.is(terminal[0]?.["retry_reason"], "Error: cannot be loaded");
  assert.is(exitCode, 0);
});

test("a program that never serves, or exits while it loads, is a failure", async () => {
  const never = await run({ fixture: "never-serves.mjs" });
  assert.is(never.terminal[0]?.["state"], "failed");
  assert.match(String(never.logs.at(-1)?.["error"]), /without calling serve/);
  const exits = await run({ fixture: "exits-at-load.mjs" });
  assert.is(exits.terminal[0]?.["state"], "failed");
  assert.match(String(exits.logs.at(-1)?.["error"]), /process\.exit\(0\)/);
});

test.run();
