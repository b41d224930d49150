import { fileURLToPath } from "node:url";
import { ArgvCoordinator, MemoryTaskStore } from "@parlance/coordinator";
import {
  type ParseDagFileRequest,
  parseDagFile,
  readSerializedDag,
} from "@parlance/coordinator/dag-run";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openEngine, statesOf } from "../../support/engine.ts";

const PROGRAM = fileURLToPath(new URL("../../../test/fixtures/dag-program.mjs", import.meta.url));

function ask(how: string, more: Partial<ParseDagFileRequest> = {}) {
  return parseDagFile({ argv: [process.execPath, PROGRAM, how], file: PROGRAM, ...more });
}

test("a program tells its Dags, asks the store, and what it logs is kept", async () => {
  const store = new MemoryTaskStore();
  await store.variables.set({ key: "region", value: "eu", description: null });
  const parsed = await ask("tell", { store, bundleName: "mine" });
  assert.equal(
    parsed.dags.map(({ dag }) => dag["dag_id"]),
    ["d"],
  );
  assert.equal(parsed.importErrors, [{ file: "bad.mjs", message: "it is bad", code: "reported" }]);
  assert.equal(parsed.warnings, [{ w: 1 }]);
  assert.equal(
    parsed.logs.map(({ event }) => event),
    ["asked about mine, region eu"],
  );
  const tasks = parsed.dags.flatMap((document) => readSerializedDag(document).tasks);
  assert.equal(
    tasks.map(({ taskId, upstream }) => [taskId, upstream]),
    [
      ["a", []],
      ["b", ["a"]],
    ],
  );
});

test("what is no answer is an import error that says why", async () => {
  const codes: [string, string, Partial<ParseDagFileRequest>?][] = [
    ["nothing", "no-result"],
    ["stay", "time-limit", { timeLimitMs: 1_500 }],
    ["outOfPlace", "bad-message"],
    ["invalid", "bad-message"],
    ["garbage", "empty-frame"],
  ];
  const found = await Promise.all(
    codes.map(async ([how, , more]) => {
      const { dags, importErrors } = await ask(how, more);
      assert.equal(dags, []);
      return [how, importErrors[0]?.code];
    }),
  );
  assert.equal(
    found,
    codes.map(([how, code]) => [how, code]),
  );
});

test("the first result counts; a program that stays after it is ended", async () => {
  const twice = await ask("twice");
  assert.is(twice.dags.length, 1);
  assert.match(String(twice.logs[0]?.event), /already received/);
  const stays = await ask("tellAndStay", { exitLimitMs: 100 });
  assert.is(stays.dags.length, 1);
  assert.equal(stays.importErrors, []);
});

test("a program that can't be started, and one that is told to stop", async () => {
  const missing = await parseDagFile({ argv: ["/does/not/exist"] });
  assert.is(missing.importErrors[0]?.code, "spawn-failed");
  const stopped = await ask("tell", { signal: AbortSignal.abort() });
  assert.is(stopped.importErrors[0]?.code, "aborted");
});

test("its Dag is run in its own processes, each with its log and its frames", async () => {
  const [document] = (await ask("tell")).dags;
  const engine = await openEngine(undefined, { keepFrames: true });
  const argv = [process.execPath, PROGRAM, "tell"];
  const run = await engine.runner.start({
    ...{ dag: readSerializedDag(document), coordinator: new ArgvCoordinator({ argv }) },
    ...{ runId: "r", timeScale: 0 },
  });
  const outcome = await run.ended;
  assert.equal(statesOf(outcome), { a: "success", b: "success" });
  const attempts = await engine.history.attempts({ dagId: "d", runId: "r" });
  assert.equal(
    attempts.map(({ taskId, state, exitCode }) => [taskId, state, exitCode]),
    [
      ["a", "up_for_retry", 0],
      ["a", "success", 0],
      ["b", "success", 0],
    ],
  );
  const [first] = attempts;
  const log = await engine.history.log(first?.attemptId ?? 0);
  assert.equal(
    log?.entries.map(({ event }) => event),
    ["running a"],
  );
  const frames = await engine.history.frames(first?.attemptId ?? 0, { limit: 2 });
  assert.equal(
    frames?.entries.map(({ number, type }) => [number, type]),
    [
      [1, "StartupDetails"],
      [2, "RetryTask"],
    ],
  );
  assert.is(frames?.hasMore, true);
  const rest = await engine.history.frames(first?.attemptId ?? 0, { from: frames?.next ?? 0 });
  assert.is(rest?.entries.length, 1);
  await engine.close();
});

test.run();
