import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type RunOptions, run } from "../support/fake-supervisor.ts";

const task = (taskId: string, options: Partial<RunOptions> = {}) =>
  run({ fixture: "tasks.mjs", taskId, ...options });

test("console prints records of their true level", async () => {
  const { logs, stdout, stderr } = await task("console", {
    env: { AIRFLOW__LOGGING__LOGGING_LEVEL: "DEBUG" },
  });
  assert.is(stdout + stderr, "");
  assert.equal([...new Set(logs.map((record) => record.logger))], ["task.console"]);
  assert.equal(
    logs.map(({ level, event }) => `${level} ${event.split("\n")[0]}`),
    [
      "debug d",
      "info one and 2",
      "info i",
      "warning w",
      "error Error: e",
      "info Trace: t",
      "error Assertion failed: a",
      "info g",
      "info   in",
      "info ┌─────────┬───┐",
      "info { x: [Object] }",
    ],
  );
  assert.match(logs[5]?.event ?? "", /tasks\.mjs/);
  assert.is(logs[8]?.event, "  in\n  side");
});

test("20,000 lines on stdout and 20,000 records all arrive, in order", async () => {
  const { stdout, logs, exitCode } = await task("floods");
  assert.is(stdout.split("\n").length, 20_001);
  assert.ok(stdout.endsWith("out 19999\n"));
  assert.is(logs.length, 20_000);
  assert.ok(logs.every((record, index) => record["n"] === index));
  assert.is(exitCode, 0);
});

test("100,000 records of a tight loop arrive although nobody reads at first", async () => {
  const { logs, exitCode } = await task("floods-log", { stallLogsMs: 700 });
  assert.is(logs.length, 100_000);
  assert.ok(logs.every((record, index) => record["n"] === index));
  assert.is(exitCode, 0);
});

test("when the log link is lost the records go to stderr, after one notice", async () => {
  const { logs, stderr, terminal, exitCode } = await task("loses-logs", {
    answer: (body, live) => {
      if (body["type"] === "PutVariable") live.logs.resetAndDestroy();
      return undefined;
    },
  });
  assert.is(terminal[0]?.["type"], "SucceedTask");
  assert.is(exitCode, 0);
  assert.is(stderr.match(/the log connection was lost/g)?.length, 1);
  assert.ok(logs.length <= 1, "only what came before, if it was read in time");
  const numbers = [...stderr.matchAll(/"n":(\d+)/g)].map((match) => Number(match[1]));
  assert.equal(
    numbers,
    Array.from({ length: 20 }, (_, index) => index),
  );
});

test("what is logged while the process ends arrives too", async () => {
  const { logs, stderr, exitCode } = await task("late");
  assert.is(exitCode, 0);
  assert.is(stderr, "");
  assert.equal(
    logs.map(({ level, event }) => [level, event]),
    [
      ["info", "at exit"],
      ["error", "Error: at exit"],
    ],
  );
});

test("warnings of Node are records of level warning", async () => {
  const { logs, stderr } = await task("warns");
  assert.is(stderr, "");
  assert.equal(
    logs.map(({ level, logger, code, detail }) => ({ level, logger, code, detail })),
    [
      { level: "warning", logger: "task.warnings", code: "CARE01", detail: "of this" },
      { level: "warning", logger: "task.warnings", code: "DEP0005", detail: undefined },
    ],
  );
});

test("stdout and stderr are no part of the protocol", async () => {
  const { stdout, stderr, terminal, exitCode } = await task("stdout");
  assert.ok(stdout.endsWith("Content-Length: 3\n"));
  assert.is(stderr, "to stderr\n");
  assert.is(terminal[0]?.["type"], "SucceedTask");
  assert.is(exitCode, 0);
});

test("levels come from the environment, bad settings are told once each", async () => {
  const { logs } = await task("child-logger", {
    env: {
      AIRFLOW__LOGGING__LOGGING_LEVEL: "LOUD",
      AIRFLOW__LOGGING__NAMESPACE_LEVELS: "lib=debug broken",
    },
  });
  assert.equal(
    logs.map((record) => [record.level, record.logger]),
    [
      ["warning", "parlance"],
      ["warning", "parlance"],
      ["info", "task.db"],
      ["debug", "lib.sql"],
    ],
  );
  assert.equal([logs[2]?.["pool"], logs[2]?.["rows"]], [1, 2]);
});

test("records of before the connection come first, in order", async () => {
  // Its code loads until both links are there: a runtime that connected later would never end.
  const connected = join(temporaryFolder(), "connected");
  const { logs, exitCode } = await run({
    fixture: "slow-load.mjs",
    env: { CONNECTED: connected },
    onConnected: () => writeFileSync(connected, ""),
  });
  assert.equal(
    logs.map((record) => record.event),
    ["early one", "early two", "in handler"],
  );
  assert.is(exitCode, 0);
});

test("stdout is held until the process has gone, unless Parlance itself supervises", async () => {
  // It is held for 10 ms: a test that is busy itself may hear of both ends at once.
  let wasHeld = false;
  for (let round = 0; round < 20 && !wasHeld; round++) {
    wasHeld = (await task("nothing")).stdoutOutlivedIt;
  }
  assert.ok(wasHeld);
  const { exitCode } = await task("nothing", { env: { PARLANCE_TASK_PROCESS: "x" } });
  assert.is(exitCode, 0);
});

test.run();
