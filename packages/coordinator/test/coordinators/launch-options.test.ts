import {
  ArgvCoordinator,
  type ExecuteTaskRequest,
  MemoryTaskStore,
  TaskCommandError,
  type TaskResult,
  type TaskVariables,
} from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { connectingBash, UNTIL_TOLD } from "../support/launching.js";
import { run } from "../support/run-scenario.js";

/** A child that prints the variables it has, and ends well. */
const PRINTS = connectingBash(
  `${UNTIL_TOLD}; env | grep ^T_; echo "level $AIRFLOW__LOGGING__LOGGING_LEVEL"; exit 0`,
);

async function printed(
  environment: (request: ExecuteTaskRequest) => unknown,
): Promise<{ result: TaskResult; lines: string[]; state: string | undefined | null }> {
  const store = new MemoryTaskStore();
  const { result, logs } = await run(
    "",
    { store, taskId: "mine", shouldRetry: true },
    {
      argv: PRINTS,
      sourceEnv: { PATH: process.env["PATH"] },
      env: { T_BOTH: "env", T_GONE: "env", T_ENV: "env" },
      logLevel: "DEBUG",
      environment: environment as () => TaskVariables,
    },
  );
  const lines = logs
    .filter(({ logger }) => logger === "task.stdout")
    .map(({ event }) => String(event));
  const [instance] = await store.taskInstances.list({ dagId: "d" });
  return { result, lines: lines.sort(), state: instance?.state };
}

test("environment() adds, replaces and removes variables for one attempt", async () => {
  const { result, lines } = await printed(async ({ taskInstance }) => ({
    T_TASK: taskInstance.taskId,
    T_BOTH: "hook",
    T_GONE: undefined,
    AIRFLOW__LOGGING__LOGGING_LEVEL: "ERROR",
  }));
  assert.is(result.finalState, "success");
  assert.equal(lines, ["T_BOTH=hook", "T_ENV=env", "T_TASK=mine", "level DEBUG"]);
  assert.equal((await printed(() => undefined)).lines.length, 4);
});

test("what environment() can't give is a failed start that says so, without a value", async () => {
  const bad: [() => unknown, RegExp][] = [
    [() => ({ T: 1 }), /a number for "T"; expected text/],
    [() => ({ T: null }), /null for "T"/],
    [() => ({ "a=b": "s3cret" }), /the name "a=b"/],
    [() => ({ "": "s3cret" }), /the name ""/],
    [() => ({ T: "s3cret\0" }), /U\+0000 for "T"/],
    [() => "T=1", /gave a string; expected an object/],
    [() => [["T", "1"]], /an array/],
    [() => new Map([["T", "1"]]), /a Map/],
    [() => Promise.reject(new Error("no vault")), /environment\(\): no vault/],
  ];
  for (const [hook, says] of bad) {
    const { result, state } = await printed(hook);
    assert.equal(
      [result.finalState, result.error?.code, result.exitCode, state],
      ["up_for_retry", "environment-failed", null, "up_for_retry"],
    );
    assert.match(result.error?.message ?? "", says);
    assert.not.match(result.error?.message ?? "", "s3cret");
  }
  const own = await printed(() => {
    throw new TaskCommandError("vault-sealed", "the vault is sealed");
  });
  assert.is(own.result.error?.code, "vault-sealed");
});

test("maxConcurrentLaunches: later ones wait, and their clocks begin with their turn", async () => {
  const argv = ["/bin/sh", "-c", 'sleep 0.2; exec "$@"', "sh"];
  const coordinator = new ArgvCoordinator({
    argv: [...argv, ...connectingBash(`${UNTIL_TOLD}; exit 0`)],
    maxConcurrentLaunches: 1,
    startupTimeoutMs: 60_000,
  });
  const startedAt = performance.now();
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      coordinator.executeTask({
        taskInstance: { dagId: "d", taskId: `t${at}`, runId: "r", tryNumber: 1 },
        store: new MemoryTaskStore(),
      }),
    ),
  );
  const wallMs = performance.now() - startedAt;
  assert.ok(wallMs > 1_200, `one after the other: ${wallMs} ms`);
  for (const { finalState } of results) assert.is(finalState, "success");
  // Whatever holds up one or two of them: had their clocks begun with the call, this would be more.
  const median = results.map(({ durationMs }) => durationMs).sort((a, b) => a - b)[3] ?? 0;
  assert.ok(median < wallMs * 0.6, `${median} of ${wallMs} ms`);
});

test("an attempt that waits for its turn can be aborted", async () => {
  const options = { argv: ["/bin/sh", "-c", "sleep 5", "sh"], maxConcurrentLaunches: 1 };
  const coordinator = new ArgvCoordinator({ ...options, startupTimeoutMs: 700, killGraceMs: 100 });
  const abort = new AbortController();
  const attempt = (signal?: AbortSignal): Promise<TaskResult> =>
    coordinator.executeTask({
      taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
      store: new MemoryTaskStore(),
      ...(signal && { signal }),
    });
  const first = attempt();
  const second = attempt(abort.signal);
  abort.abort();
  assert.is((await second).error?.code, "aborted");
  assert.is((await first).error?.code, "startup-timeout");
});

test("maxConcurrentLaunches that is no count is refused", () => {
  for (const bad of [0, -1, 1.5, Number.NaN, "2" as unknown as number]) {
    assert.throws(
      () => new ArgvCoordinator({ argv: ["x"], maxConcurrentLaunches: bad }),
      /maxConcurrentLaunches .* whole number from 1 on/,
    );
  }
  assert.ok(new ArgvCoordinator({ argv: ["x"], maxConcurrentLaunches: Number.POSITIVE_INFINITY }));
});

test("a request that is at fault itself rejects, and leaves nothing running in the store", async () => {
  const store = new MemoryTaskStore();
  const request = { store, dagRun: { logicalDate: new Date(Number.NaN) } };
  let error: unknown;
  try {
    await run("silent", request);
  } catch (caught) {
    error = caught;
  }
  assert.instance(error, Error);
  const [instance] = await store.taskInstances.list({ dagId: "d" });
  assert.is(instance?.state, "failed");
});

test.run();
