import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import {
  requirePeer,
  runAirflowStack,
  type StackResult,
  type StackRun,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  EMITTED_DAGS,
  emitAndPack,
  registerEmittedDagTests,
  TESTED_DAGS,
} from "./support/emitted-dags.ts";
import { EXAMPLE, fixture, pack } from "./support/pack.ts";
import { readable } from "./support/records.ts";
import { byTaskAndKey, LOGS, PUBLISH_ERROR, SEED, XCOMS } from "./support/sales-pipeline.ts";

// A complete stock Airflow runs Dags as a user would have it do: the example, one of Python and
// TypeScript tasks that use each other's results, and two whose Python `parlance dag emit` wrote.
// One start for all, since that takes longest.

const LABEL = "a whole Airflow 3.3.2";

if (requirePeer(test, LABEL, "airflow-3.3.2") !== undefined) {
  let stack: Promise<StackResult> | undefined;
  const runsOf = async (dagId: string) => {
    stack ??= runStack();
    const runs = (await stack).runs.filter((each) => each.dagId === dagId);
    assert.ok(runs.length > 0, dagId);
    return runs;
  };
  const runOf = async (dagId: string) => (await runsOf(dagId))[0] as StackRun;

  test(`${LABEL} runs the example`, async () => {
    const run = await runOf("sales_pipeline");
    checkTasks(run);
    assert.equal(byTaskAndKey(run.xcoms), XCOMS);
    checkLogs(run);
  });

  test(`${LABEL} runs tasks in Python and TypeScript, and each skips those of the other`, async () => {
    const run = await runOf("mixed");
    assert.is(run.state, "success", JSON.stringify(run.logs));
    const states = run.tasks.map(({ taskId, mapIndex, state, tryNumber }) => {
      return `${taskId}${mapIndex < 0 ? "" : `[${mapIndex}]`} ${state} ${tryNumber}`;
    });
    assert.equal(states.sort(), [
      "again success 2",
      "back success 1",
      "behind_skips skipped 0",
      "behind_that skipped 0",
      "chooses success 1",
      "compares success 1",
      "lines[0] success 1",
      "lines[1] success 1",
      "lines[2] success 1",
      "not_chosen skipped 0",
      "orders success 1",
      "skips skipped 1",
      "total success 1",
      "values success 1",
    ]);
  });

  test(`${LABEL} hands values over as what they are: from TypeScript to Python and back`, async () => {
    const { xcoms } = await runOf("mixed");
    // `compares` and `total` fail where a value is another or of another type than in Python.
    const value = (taskId: string) => xcoms.find((row) => row.taskId === taskId)?.value;
    const { received, ...answer } = value("back") as Record<string, Values>;
    assert.equal(answer, { isSame: true, isFrozenSet: true, total: "112.55" });
    // TypeScript passes on what Python wrote as it came, and both write alike.
    const { back: _, ...written } = value("compares") as Values;
    assert.equal(received, written);
    assert.equal(value("values"), written);
  });

  test(`${LABEL} tries again after the delay that the task asked for`, async () => {
    const { history } = await runOf("mixed");
    const [first, second, ...more] = history.filter(({ taskId }) => taskId === "again");
    assert.equal([first?.state, second?.state, more.length], ["failed", "success", 0]);
    const waited = Date.parse(String(second?.startDate)) - Date.parse(String(first?.endDate));
    // The scheduler looks now and then, later on a busy machine. The Dag's own delay is an hour.
    assert.ok(waited >= 5_000, `waited ${waited} ms, and not the 5 s that the task asked for`);
    assert.ok(waited < 300_000, `waited ${waited} ms, and not the 5 s that the task asked for`);
  });

  registerEmittedDagTests(LABEL, runsOf);
}

type Values = Readonly<Record<string, unknown>>;

async function runStack(): Promise<StackResult> {
  const dagsDir = temporaryFolder("parlance-dags");
  for (const folder of [`${EXAMPLE}dags`, fixture("mixed-dags")]) {
    cpSync(folder, dagsDir, { recursive: true });
  }
  const bundlesRoot = await pack(`${EXAMPLE}src/tasks.ts`, "sales-pipeline");
  const mixed = await pack(fixture("mixed.ts"), "mixed");
  copyFileSync(join(mixed, "mixed"), join(bundlesRoot, "mixed"));
  await emitAndPack(dagsDir, bundlesRoot);
  const result = await runAirflowStack({
    version: "3.3.2",
    dagsDir,
    // The tasks of the first wait longer for a first answer.
    dagIds: ["mixed", "sales_pipeline", ...EMITTED_DAGS],
    awaited: ["orders_report"],
    dagsTest: TESTED_DAGS,
    bundlesRoot,
    queues: { typescript: "executable" },
    store: SEED,
    // A machine that is busy is no error here.
    startupTimeoutSeconds: 120,
    env: { AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT: "60" },
    deadlineMs: 870_000,
  });
  assert.equal(result.importErrors, []);
  return result;
}
function checkTasks(run: StackRun): void {
  assert.is(run.state, "success", JSON.stringify(run.logs));
  assert.equal(
    run.tasks.map(({ taskId, state, tryNumber }) => [taskId, state, tryNumber]),
    [
      ["extract", "success", 1],
      ["summarize", "success", 1],
      ["publish", "success", 2],
      ["report", "success", 1],
    ],
  );
  assert.equal(
    run.earlierTries.map(({ taskId, tryNumber }) => [taskId, tryNumber]),
    [["publish", 1]],
  );
}

function checkLogs(run: StackRun): void {
  const logs = run.logs.map(({ taskId, tryNumber, records }) => {
    return [`${taskId} ${tryNumber}`, readable(records)] as const;
  });
  const { "publish 1": failedTry, ...others } = Object.fromEntries(logs);
  assert.equal(others, LOGS);
  assert.is(failedTry?.length, 1);
  const [record] = failedTry as [{ level: string; error: string }];
  assert.is(record.level, "error");
  assert.is(record.error, `Error: ${PUBLISH_ERROR}`);
}

test.run();
