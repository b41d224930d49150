import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SchemaVersion } from "@parlance/protocol/schema-version";
import { type AirflowVersion, requirePeer, type SuperviseResult } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CAPABILITIES, CAPABILITY_TASKS } from "./support/capabilities-example.ts";
import { pack } from "./support/pack.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// examples/capabilities, each task alone under both real supervisors. Resumptions, faults and the rest are
// held in states.test.ts, inputs.test.ts and capabilities-client.test.ts: here the example does what its task ids say.

const RUNS: readonly (readonly [AirflowVersion, SchemaVersion])[] = [
  ["3.3.2", "2026-06-16"],
  ["3.4.0b2", "2026-10-30"],
];
/** Both supervisors work at the same time. */
const starts: (() => Promise<unknown>)[] = [];
test.before(() => {
  // What goes wrong is told by the tests, which await the same.
  for (const start of starts) start().catch(() => {});
});

const ASSET = { name: "capabilities_asset", uri: "s3://capabilities/asset" };

for (const [version, schema] of RUNS) {
  const label = `Airflow ${version}, schema ${schema}:`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;
  const flags = schema === "2026-06-16" ? [] : ["--schema-version", schema];
  const root = await pack(`${CAPABILITIES}src/tasks.ts`, "capabilities", flags);
  registerTests(version, schema, root, label, python);
}

function registerTests(
  version: AirflowVersion,
  schema: SchemaVersion,
  bundlesRoot: string,
  label: string,
  python: string,
): void {
  const task = (taskId: string) => ({ dagId: "capabilities", taskId });
  const connection = { conn_type: "http", host: "a.example", port: 80 };
  const noMore = { schema: null, login: null, password: null, extra: null };
  const noAsset = { path: "^store/asset", status: 404, times: -1 };
  const run = superviseCases(
    version,
    { bundlesRoot, store: {} },
    {
      ...(Object.fromEntries(CAPABILITY_TASKS.map((id) => [id, task(id)])) as Record<
        (typeof CAPABILITY_TASKS)[number],
        ReturnType<typeof task>
      >),
      retried: { ...task("up_for_retry"), maxTries: 1 },
      delayed: { ...task("retry-policy"), maxTries: 1 },
      bound: {
        ...task("taskflow-binding"),
        store: { xcoms: [{ task_id: "success", value: "done" }] },
        ...(schema === "2026-10-30" ? { argBindings: bindingsOfTheDag(python) } : {}),
      },
      connected: {
        ...task("connection-read"),
        store: { connections: { capabilities: { ...connection, ...noMore } } },
      },
      noState: { ...task("asset-state-store"), faults: [noAsset] },
    },
  );
  starts.push(() => run("success"));
  const ends = (
    name: Parameters<typeof run>[0],
    state: string,
    more: (result: SuperviseResult) => void = () => {},
  ) =>
    test(`${label} ${name} is ${state}`, async () => {
      const result = await run(name);
      const { supervisorError, exitCode, leftoverChildren, finalState, serverState } = result;
      assert.equal([supervisorError, exitCode, leftoverChildren], [null, 0, []]);
      assert.equal([finalState, serverState], [state, state]);
      more(result);
    });
  const returns = (value: unknown) => (result: SuperviseResult) => {
    const { taskId } = result;
    const own = result.xcoms.find((row) => row.taskId === taskId && row.key === "return_value");
    assert.equal(own?.value, value);
  };

  ends("success", "success", returns("done"));
  ends("failed", "failed");
  ends("up_for_retry", "success", returns("through after 1 tries"));
  ends("retried", "up_for_retry");
  ends("skipped", "skipped");
  ends("removed", "removed");
  ends("deferred", "deferred");
  ends("up_for_reschedule", "up_for_reschedule");
  ends("awaiting_input", "awaiting_input");

  ends("mixed-lang-stub-target", "success", ({ taskId, xcoms: [row] }) => {
    const { run: runId, ...where } = (row?.value ?? {}) as Record<string, string>;
    assert.equal([where, runId], [{ dag: "capabilities", task: taskId }, row?.runId]);
  });
  ends("taskflow-binding", "success", returns({ greeting: "hello", earlier: null }));
  // The same, whether the Dag's call is told or what is declared is pulled.
  ends("bound", "success", returns({ greeting: "hello", earlier: "done" }));
  ends("task-logging", "success", ({ taskLog }) => {
    const records = taskLog.map(({ level, logger, event }) => `${level} ${logger}: ${event}`);
    assert.equal(records, [
      "info task: rows were read",
      "warning task: a record that wants attention",
      "info capabilities.detail: a record of another logger",
      "info task.console: what is printed comes, too",
    ]);
    assert.equal([taskLog[0]?.["rows"], taskLog[0]?.["from"]], [42, { table: "sales" }]);
  });
  ends("xcom-read-write", "success", ({ xcoms, apiCalls }) => {
    assert.equal(xcoms.map(({ key }) => key).sort(), ["kept", "return_value"]);
    // JSON.parse would round it here, and the body is what Airflow read.
    assert.match(JSON.stringify(apiCalls), '"rows":[1,2,3]');
  });
  ends("connection-read", "success", ({ taskLog }) => {
    assert.match(String(taskLog[0]?.event), "there is no connection `capabilities`");
  });
  ends("connected", "success", returns({ type: "http", host: "a.example", port: 80 }));
  ends("variable-read-write", "success", (result) => {
    returns("written")(result);
    assert.equal(result.variables, {});
    const calls = result.apiCalls.filter(({ path }) => path.startsWith("variables/"));
    assert.equal(
      calls.map(({ method }) => method),
      ["PUT", "GET", "DELETE"],
    );
  });
  ends("self-contained-bundle", "success");
  ends("retry-policy", "success", returns("through after 1 tries"));
  ends("delayed", "up_for_retry", ({ apiCalls, nextRetryAt }) => {
    const body = apiCalls.findLast(({ path }) => path.endsWith("/state"))?.body;
    const { end_date, retry_delay_seconds } = body as Record<string, unknown>;
    assert.is(retry_delay_seconds, 1);
    assert.is(Date.parse(String(nextRetryAt)) - Date.parse(String(end_date)), 1_000);
  });
  ends("task-state-store", "success", (result) => {
    returns({ page: 7 })(result);
    assert.equal(result.taskStore, { cursor: { page: 7 } });
  });
  ends("asset-state-store", "success", (result) => {
    returns({ day: "2026-06-16" })(result);
    assert.equal(result.assetStore, { [ASSET.name]: { "read up to": { day: "2026-06-16" } } });
  });
  ends("noState", "success");
  ends("asset-event-emit", "success", ({ apiCalls }) => {
    const body = apiCalls.findLast(({ path }) => path.endsWith("/state"))?.body;
    const { outlet_events } = body as Record<string, unknown>;
    assert.equal(outlet_events, [{ dest_asset_key: ASSET, extra: { rows: 42 } }]);
  });
  ends("asset-event-read", "success", returns([]));
}

/** What Airflow makes of the call in the example's Python Dag. */
function bindingsOfTheDag(python: string): readonly unknown[] {
  const script = fileURLToPath(
    new URL("../../../packages/test-kit/peers/airflow/stub_tasks.py", import.meta.url),
  );
  const argv = [script, `${CAPABILITIES}dags/capabilities.py`];
  const { stdout, stderr } = spawnSync(python, argv, { encoding: "utf8" });
  if (stdout === "") throw new Error(`the Dag could not be read: ${stderr.slice(-2_000)}`);
  const [dags] = JSON.parse(stdout) as [
    Record<string, Record<string, { bindings: unknown[] | null }>>,
  ];
  const bindings = dags["capabilities"]?.["taskflow-binding"]?.bindings;
  assert.ok(bindings, "the Dag hands arguments over");
  return bindings as unknown[];
}

test.run();
