import { requirePeer, runAirflowStack, type StackRun } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE, pack } from "./support/pack.ts";
import { readable } from "./support/records.ts";
import { byTaskAndKey, LOGS, PUBLISH_ERROR, SEED, XCOMS } from "./support/sales-pipeline.ts";

// A complete stock Airflow runs the example as a user would: its Python Dag in the Dag folder,
// the packed file in the folder of executables.

const LABEL = "a whole Airflow 3.3.2 runs the example";

if (requirePeer(test, LABEL, "airflow-3.3.2") !== undefined) {
  test(LABEL, async () => {
    const { runs, importErrors } = await runAirflowStack({
      version: "3.3.2",
      dagsDir: `${EXAMPLE}dags`,
      dagIds: ["sales_pipeline"],
      bundlesRoot: await pack(`${EXAMPLE}src/tasks.ts`, "sales-pipeline"),
      queues: { typescript: "executable" },
      store: SEED,
    });
    assert.equal(importErrors, []);
    assert.is(runs.length, 1);
    const [run] = runs as [StackRun];
    checkTasks(run);
    assert.equal(byTaskAndKey(run.xcoms), XCOMS);
    checkLogs(run);
  });
}

function checkTasks(run: StackRun): void {
  assert.equal(
    run.tasks.map(({ taskId, state, tryNumber }) => [taskId, state, tryNumber]),
    [
      ["extract", "success", 1],
      ["summarize", "success", 1],
      ["publish", "success", 2],
      ["report", "success", 1],
    ],
  );
  assert.is(run.state, "success");
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
