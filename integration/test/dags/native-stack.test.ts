import {
  requirePeer,
  runAirflowStack,
  type StackResult,
  type StackRun,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE_STATES, RULES_STATES } from "./support/native-states.ts";
import { EXAMPLE, fixture, packNative } from "./support/pack-native.ts";

// A whole Airflow 3.4 without one file of Python: the Dag processor reads Dags from packed programs, its
// scheduler runs them, and the program runs each task. The example goes by the NodeCoordinator, the other by
// the ExecutableCoordinator. One start for all.

const NEWEST = ["--schema-version", "2026-10-30"]; // the other program speaks the older one
const LABEL = "a whole Airflow 3.4.0b2 without Python";

if (requirePeer(test, LABEL, "airflow-3.4.0b2") !== undefined) {
  let started: Promise<StackResult> | undefined;
  const stack = () => {
    started ??= runStack();
    return started;
  };
  const runOf = async (dagId: string) => {
    const run = (await stack()).runs.find((each) => each.dagId === dagId);
    assert.ok(run, dagId);
    return run as StackRun;
  };

  test(`${LABEL} runs the example: tries again, branches, maps, groups, goes on`, async () => {
    const run = await runOf("orders_pipeline");
    assert.is(run.state, "success", JSON.stringify(run.logs));
    assert.equal(states(run), EXAMPLE_STATES);
    const xcoms = results(run);
    assert.equal(xcoms["customers"], [{ customer: "王芳", cents: 54_000 }]);
    assert.equal(xcoms["invoice[1]"], { name: "王芳.csv", cents: 54_000 });
    assert.equal(xcoms["publish"], ["王芳.pdf", "王芳.csv"]);
  });

  test(`${LABEL} waits as the Dag says before it tries again`, async () => {
    const { history } = await runOf("orders_pipeline");
    const [first, second, ...more] = history.filter(({ taskId }) => taskId === "extract");
    assert.equal([first?.state, second?.state, more.length], ["failed", "success", 0]);
    const waited = Date.parse(String(second?.startDate)) - Date.parse(String(first?.endDate));
    assert.ok(waited >= 1000, `waited ${waited} ms, the Dag says 1 s, growing by 2`);
  });

  test(`${LABEL} runs the Dag that waits for the asset of the other`, async () => {
    const run = await runOf("orders_report");
    assert.match(run.runId, /^asset_triggered__/);
    assert.is(run.state, "success");
    assert.equal(results(run), { count: 1 });
  });

  test(`${LABEL} follows trigger rules, skips and maps over what is mapped`, async () => {
    const run = await runOf("native_rules");
    assert.is(run.state, "failed"); // one that nothing comes behind is upstream_failed
    assert.equal(states(run), RULES_STATES);
    assert.is(results(run)["sum"], 12);
  });

  test(`${LABEL} shows the TypeScript of each Dag, and nothing to complain of`, async () => {
    const { dagSources, importErrors, dagWarnings } = await stack();
    assert.equal([importErrors, dagWarnings], [[], []]);
    const languages = dagSources.map(({ dagId, language }) => `${dagId} ${language}`);
    assert.equal(languages.sort(), [
      "native_rules typescript",
      "orders_pipeline typescript",
      "orders_report typescript",
    ]);
  });
}

function states(run: StackRun): readonly string[] {
  const lines = run.tasks.map(({ taskId, mapIndex, state, tryNumber }) => {
    return `${taskId}${mapIndex < 0 ? "" : `[${mapIndex}]`} ${state} ${tryNumber}`;
  });
  return lines.sort();
}

function results(run: StackRun): { readonly [task: string]: unknown } {
  const rows = run.xcoms.filter(({ key }) => key === "return_value");
  return Object.fromEntries(
    rows.map(({ taskId, mapIndex, value }) => [
      mapIndex < 0 ? taskId : `${taskId}[${mapIndex}]`,
      value,
    ]),
  );
}

async function runStack(): Promise<StackResult> {
  const nodeRoot = temporaryFolder("parlance-native-node");
  const bundlesRoot = temporaryFolder("parlance-native-executable");
  await Promise.all([
    packNative(EXAMPLE, nodeRoot, "native-dag.min.mjs", [...NEWEST, "--source"]),
    packNative(fixture("native.ts"), bundlesRoot, "native"),
  ]);
  return await runAirflowStack({
    version: "3.4.0b2",
    dagsDir: temporaryFolder("parlance-no-dags"),
    dagIds: ["orders_pipeline", "native_rules", "orders_report"],
    awaited: ["orders_report"],
    ...{ nodeRoot, bundlesRoot },
    queues: { typescript: "node", native: "executable" },
    conf: { region: "apac" },
    // A machine that is busy is no error here.
    startupTimeoutSeconds: 120,
    env: { AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT: "60" },
    deadlineMs: 570_000,
  });
}

test.run();
