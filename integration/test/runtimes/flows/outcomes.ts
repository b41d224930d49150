import type { LogSink } from "@parlance/coordinator";
import * as assert from "uvu/assert";
import { type Flow, printed } from "../support/flow.ts";

const RETRY = { spec: { shouldRetry: true, maxTries: 2 } };

/** Failures: with a retry left, without one, by a policy, by an exit. */
export const failures: Flow = async ({ run, instance, store }) => {
  const ids = [
    "boom",
    "fail_now",
    "policy_retry",
    "policy_fail",
    "exit3",
    "hard_exit",
    "kill_self",
  ];
  const results = await Promise.all(ids.map((taskId) => run(taskId, RETRY)));
  const seen = results.map(({ finalState, exitCode }) => [finalState, exitCode]);
  assert.equal(seen, [
    ["up_for_retry", 0],
    ["failed", 0],
    ["up_for_retry", 0],
    ["failed", 0],
    ["up_for_retry", 0],
    ["up_for_retry", 7],
    ["up_for_retry", -9],
  ]);
  for (const [at, taskId] of ids.entries()) {
    const { state, endDate } = await instance(taskId);
    assert.is(state, results[at]?.finalState, taskId);
    assert.ok(endDate !== null);
  }
  assert.equal(results[2]?.retry, { delaySeconds: 7.5, reason: "rate limited" });
  const policy = await instance("policy_retry");
  assert.equal([policy.retryDelaySeconds, policy.retryReason], [7.5, "rate limited"]);
  // The callback ran after the terminal message, and its request was answered.
  assert.is((await store.variables.get("cb_ran"))?.value, "ValueError");
  const [thrown] = results[0]?.records.filter(({ level }) => level === "error") ?? [];
  const details = thrown?.["error_detail"] ?? thrown?.["exception"];
  assert.match(JSON.stringify(details), /"exc_type":"ValueError","exc_value":"boom"/);

  const first = await instance("boom");
  const last = await run("boom", { spec: { tryNumber: 3, maxTries: 2 } });
  assert.is(last.finalState, "failed");
  const { id: _id, ...lastRow } = await instance("boom");
  assert.equal([lastRow.state, lastRow.tryNumber], ["failed", 3]);
  const { dagId, runId, taskId, mapIndex } = lastRow;
  const history = await store.taskInstances.history({ dagId, runId, taskId, mapIndex });
  assert.equal(
    history.map(({ id, tryNumber, state }) => [id, tryNumber, state]),
    [[first.id, 1, "up_for_retry"]],
  );
};

/** Skipped tasks, and the ones that a branch or a short circuit skips. */
export const skips: Flow = async ({ run, instance, xcoms }) => {
  const [skip, branch, short] = await Promise.all([run("skip"), run("branch"), run("short")]);
  assert.equal(
    [skip, branch, short].map((result) => result?.finalState),
    ["skipped", "success", "success"],
  );
  for (const taskId of ["skip", "right", "sc1", "sc2"]) {
    assert.is((await instance(taskId)).state, "skipped", taskId);
  }
  assert.is(await instance("left").catch(() => undefined), undefined);
  assert.equal((await xcoms("branch"))["skipmixin_key"], { followed: ["left"] });
};

/** Log records, and the lines of both pipes. */
export const logs: Flow = async ({ run }) => {
  const { finalState, records } = await run("logs", {
    env: { AIRFLOW__LOGGING__LOGGING_LEVEL: "DEBUG" },
  });
  assert.is(finalState, "success");
  const told = records
    .filter(({ logger }) => ["my.lib", "st"].includes(String(logger)))
    .map(({ level, event }) => `${level} ${String(event)}`);
  assert.equal(told.slice(0, 6), [
    "debug dbg",
    "info info arg",
    "warning warn",
    "error err",
    "critical crit",
    "info structured",
  ]);
  const structured = records.find(({ event }) => event === "structured");
  assert.is(structured?.["u"], "\u4e16\u754c");
  assert.equal(structured?.["big"], { $: "int", v: String(2n ** 70n) });
  assert.is(structured?.["task_id"], "logs");
  const lines = printed(records);
  assert.ok(lines.includes("plain stdout line"));
  assert.ok(lines.includes("raw fd1 bytes \ufffd"), "bytes that are no UTF-8");
  const errors = records.filter(({ logger }) => logger === "task.stderr");
  assert.ok(errors.some(({ event }) => event === "to stderr"));
  assert.ok(records.some(({ logger, event }) => logger === "py.warnings" && event === "careful"));
};

/** A task that is told to stop: its operator's `on_kill` runs, and it ends by itself. */
export const stopped: Flow = async ({ run }) => {
  const abort = new AbortController();
  const stop: LogSink = {
    write({ event }) {
      if (event === "waiting for signal") abort.abort();
    },
  };
  const task = { ...RETRY, signal: abort.signal, logSink: stop };
  const { finalState, exitCode, sent } = await run("killhook", task);
  assert.equal([finalState, exitCode], ["up_for_retry", 0]);
  assert.is(sent.at(-1)?.type, "RetryTask");
};

/** Operators that are no Python functions, and what the runner keeps a task from. */
export const operators: Flow = async ({ run, xcoms, instance }) => {
  const ids = ["bash", "db_access", "child_proc", "big", "slow", "fast", "left"];
  const [bash, database, proc, big, slow, fast, empty] = await Promise.all(
    ids.map((taskId) => run(taskId)),
  );
  assert.is(bash?.finalState, "success");
  assert.equal(await xcoms("bash"), { return_value: "2026-01-02 hello bash" });
  assert.equal((await instance("bash")).renderedFields?.["env"], { A: "example.org" });
  assert.match(printed(database?.records ?? [])[0] ?? "", /^blocked RuntimeError/);
  assert.ok(printed(proc?.records ?? [])[0]?.startsWith("fd0 is a socket: True"));
  assert.is(big?.finalState, "success");
  assert.is(String((await xcoms("big"))["return_value"]).length, 3_000_000);
  assert.is(slow?.finalState, "failed", "its execution timeout");
  assert.is(fast?.finalState, "success");
  assert.is(empty?.finalState, "success");
  assert.equal(
    empty?.sent.map(({ type }) => type),
    ["SucceedTask"],
  );
};
