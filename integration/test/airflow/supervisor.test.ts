import { type AirflowVersion, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE, pack } from "./support/pack.ts";
import { readable } from "./support/records.ts";
import { byTaskAndKey, LOGS, PUBLISH_ERROR, SEED, XCOMS } from "./support/sales-pipeline.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// The packed example under the real ExecutableCoordinator and task supervisor.

const bundlesRoot = await pack(`${EXAMPLE}src/tasks.ts`, "sales-pipeline");

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: the example`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTests(version, label);
}

function registerTests(version: AirflowVersion, label: string): void {
  const attempt = (taskId: string, tryNumber = 1, maxTries = 0) => {
    return { dagId: "sales_pipeline", taskId, queue: "typescript", tryNumber, maxTries };
  };
  const failingVariables = (status: number, times = -1) => [{ path: "^variables/", status, times }];
  const summarized = [{ task_id: "summarize", value: XCOMS["summarize return_value"] }];
  // The first five are one Dag run: each begins with what the one before left.
  const run = superviseCases(
    version,
    { bundlesRoot, store: SEED },
    {
      extract: { ...attempt("extract"), keepStore: true },
      summarize: { ...attempt("summarize"), keepStore: true },
      publishFirst: { ...attempt("publish", 1, 1), keepStore: true },
      publishSecond: { ...attempt("publish", 2, 1), keepStore: true },
      report: { ...attempt("report"), keepStore: true },
      noTryLeft: { ...attempt("publish"), store: { ...SEED, xcoms: summarized } },
      missingXCom: attempt("summarize"),
      missingXComRetried: attempt("summarize", 1, 1),
      apiBroken: { ...attempt("extract"), faults: failingVariables(500) },
      apiUnreachable: { ...attempt("extract", 1, 1), faults: failingVariables(0) },
      apiBrokenOnce: { ...attempt("extract"), faults: failingVariables(503, 1) },
    },
  );

  test(`${label} runs through, with one retry`, async () => {
    const logs: Record<string, object[]> = {};
    for (const [name, state] of [
      ["extract", "success"],
      ["summarize", "success"],
      ["publishFirst", "up_for_retry"],
      ["publishSecond", "success"],
      ["report", "success"],
    ] as const) {
      const result = await run(name);
      assert.is(result.supervisorError, null);
      assert.is(result.exitCode, 0);
      assert.equal(result.leftoverChildren, []);
      assert.is(result.finalState, state);
      assert.is(result.serverState, state);
      logs[`${result.taskId} ${result.tryNumber}`] = readable(result.taskLog);
    }

    const last = await run("report");
    assert.equal(byTaskAndKey(last.xcoms), XCOMS);
    assert.equal(last.variables, { sales_region: "EMEA", sales_last_total_cents: "206925" });

    const { "publish 1": failedTry, ...others } = logs;
    assert.equal(others, LOGS);
    assert.is(failedTry?.length, 1);
    const [record] = failedTry as [{ level: string; error_detail: { exc_value: string }[] }];
    assert.is(record.level, "error");
    assert.is(record.error_detail[0]?.exc_value, PUBLISH_ERROR);
  });

  test(`${label} is failed, not retried, when no try is left`, async () => {
    const result = await run("noTryLeft");
    assert.is(result.finalState, "failed");
    assert.is(result.serverState, "failed");
    assert.is(result.nextRetryAt, null);
  });

  test(`${label} fails where the XCom it needs is missing`, async () => {
    const failed = await run("missingXCom");
    assert.is(failed.serverState, "failed");
    const [record] = failed.taskLog;
    assert.match(String(record?.["error"]), /^NotFoundError: .*task "extract"/);
    assert.is((await run("missingXComRetried")).serverState, "up_for_retry");
  });

  test(`${label} meets API errors`, async () => {
    const broken = await run("apiBroken");
    assert.is(broken.serverState, "failed");
    assert.match(String(broken.taskLog[0]?.["error"]), "API_SERVER_ERROR 500");
    assert.is((await run("apiUnreachable")).serverState, "up_for_retry");
    // The supervisor itself asks twice.
    assert.is((await run("apiBrokenOnce")).serverState, "success");
  });
}

test.run();
