import { ArgvCoordinator, MemoryTaskStore } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { connectingBash, UNTIL_TOLD } from "../support/launching.js";
import { run } from "../support/run-scenario.js";

process.on("warning", () => {}); // each of these is warned of

const never = (): Promise<void> => new Promise(() => {});

test("a sink that never settles holds neither the task, whatever it logs, nor the end", async () => {
  const flood = connectingBash(`${UNTIL_TOLD}; yes 0123456789 | head -c 20000000; exit 0`);
  const { result } = await run(
    "",
    { logSink: { write: never } },
    { argv: flood, logSinkTimeoutMs: 100 },
  );
  assert.is(result.finalState, "success");
  assert.match(result.logError?.message ?? "", "has not settled for 0.1 s");
  assert.is(result.logError?.lost, Math.ceil(20_000_000 / 11));
});

test("a flush that never settles does not hold it either", async () => {
  const logSink = { write: () => {}, flush: never };
  const { result } = await run("succeed", { logSink }, { logSinkTimeoutMs: 50 });
  assert.equal([result.finalState, result.logError?.lost], ["success", 0]);
});

test("nor does it hold a start that fails", async () => {
  const options = { argv: ["x"], headVersion: "2026-06-16", schemaVersion: "2026-10-30" } as const;
  const result = await new ArgvCoordinator({ ...options, logSinkTimeoutMs: 50 }).executeTask({
    taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
    store: new MemoryTaskStore(),
    logSink: { write: never },
  });
  assert.equal([result.error?.code, result.logError?.lost], ["unsupported-schema-version", 1]);
});

test("after a kill a sink has no long time, whatever it was given before", async () => {
  const kill = new AbortController();
  const write = (): Promise<void> => {
    kill.abort();
    return never();
  };
  const { result } = await run(
    "stubborn",
    { logSink: { write }, killSignal: kill.signal },
    { logSinkTimeoutMs: Number.POSITIVE_INFINITY },
  );
  assert.is(result.exitCode, -9);
  assert.ok((result.logError?.lost ?? 0) >= 1);
});

test.run();
