import type { SuperviseResult } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLIENT_ENVIRONMENT, CLIENT_STORE } from "./support/client-capabilities.ts";
import { type PackedRun, packedRuns } from "./support/packed-runs.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// The client's calls from a packed program under the real supervisors: what reaches the Execution API,
// and what a worker's environment changes. The answers of the real API are in client-answers.test.ts.

for await (const run of packedRuns("capabilities-client.ts", "client")) registerTests(run);

function registerTests({ version, schema, bundlesRoot, label }: PackedRun): void {
  const task = (taskId: string) => ({ dagId: "client", taskId });
  const fault = (path: string, status: number) => ({ path, status });
  const run = superviseCases(
    version,
    { bundlesRoot, store: CLIENT_STORE, env: CLIENT_ENVIRONMENT },
    {
      environment: task("environment"),
      assets: task("assets"),
      failure: task("assets_of_a_failure"),
      page: task("page"),
      reads: task("reads"),
      newer: task("newer"),
      errors: {
        ...task("errors"),
        faults: [
          fault("^(variables|connections|assets)/(denied|by-name)", 403),
          fault("^variables/conflict", 409),
          fault("^dag-runs/other/", 409),
          fault("^dag-runs/no/", 404),
          fault("^dags/broken", 500),
        ],
      },
    },
  );
  const returned = ({ xcoms }: SuperviseResult): unknown =>
    xcoms.find(({ key, taskId }) => key === "return_value" && taskId !== "mapped")?.value;

  test(`${label} the worker's environment comes first, and its secrets are masked`, async () => {
    const result = await run("environment");
    assert.equal(returned(result), {
      variable: "from the worker",
      remote: "from Airflow",
      host: "db.example",
      uri: CLIENT_ENVIRONMENT.AIRFLOW_CONN_FROM_ENVIRONMENT,
      extra: { token: "a1b2c3d4" },
      unreadable: "airflow.example",
    });
    const log = JSON.stringify(result.taskLog);
    assert.match(log, '"given":"***","key":"***"');
    assert.match(log, "AIRFLOW_CONN_UNREADABLE");
    assert.not.match(log, /hunter33|hunter22|tiger/);
    const asked = result.apiCalls.map(({ path }) => path);
    assert.ok(asked.includes("variables/remote") && asked.includes("connections/unreadable"));
    assert.not.ok(asked.includes("variables/both"));
  });

  test(`${label} events of assets go out with the success, and with nothing else`, async () => {
    const success = (await run("assets")).apiCalls.find(isStateChange)?.body;
    const { task_outlets, outlet_events } = success as Record<string, unknown>;
    assert.equal(task_outlets, [
      { name: "sales", uri: "asset://a", type: "Asset" },
      { name: "found", uri: null, type: "AssetAlias" },
    ]);
    assert.equal(outlet_events, [
      { dest_asset_key: { name: "sales", uri: "asset://a" }, extra: { rows: 5 } },
      {
        source_alias_name: "found",
        dest_asset_key: { name: "new", uri: "s3://b/new" },
        dest_asset_extra: {},
        extra: { a: 1 },
      },
    ]);
    const { finalState, apiCalls } = await run("failure");
    assert.is(finalState, "failed");
    assert.not.match(JSON.stringify(apiCalls.filter(isStateChange)), "outlet");
  });

  test(`${label} what the task's page shows`, async () => {
    const { apiCalls, renderedFields } = await run("page");
    const change = apiCalls.find(isStateChange)?.body as Record<string, unknown>;
    assert.is(change["rendered_map_index"], "row 7");
    assert.ok(apiCalls.some(({ path }) => path.endsWith("/rendered-map-index")));
    assert.equal(renderedFields, { sql: "select 1" });
  });

  test(`${label} state, sequences, runs`, async () => {
    assert.equal(returned(await run("reads")), {
      job: { id: 7 },
      none: null,
      rows: [{ row: 0 }, { row: 1 }, { row: 2 }],
      state: "success",
      runs: 1,
      isThere: [true, false],
      logicalDate: "2026-01-02T03:04:05+00:00",
    });
  });

  test(`${label} what only the newer schema has`, async () => {
    const result = await run("newer");
    const value = JSON.stringify(returned(result));
    if (schema === "2026-10-30") assert.match(JSON.stringify(result.apiCalls), "dag-run-note");
    else assert.match(value, /newer-schema-needed.*--schema-version 2026-10-30/);
  });

  test(`${label} errors of the API`, async () => {
    assert.equal(returned(await run("errors")), [
      ["permission-denied", 403],
      ["permission-denied", 403],
      ["api-error", 409],
      ["already-exists", null],
      { dagId: "other", runId: "r", started: false },
      ["dag-not-found", "no"],
      ["api-error", 500],
      ["api-error", 403],
    ]);
  });
}

/** The call that reports how the task ended. */
function isStateChange({ method, path, body }: SuperviseResult["apiCalls"][number]): boolean {
  return method === "PATCH" && path.endsWith("/state") && body !== undefined;
}

test.run();
