import { join } from "node:path";
import { ArgvCoordinator, type LogRecord, MemoryTaskStore, seedStore } from "@parlance/coordinator";
import type { SchemaVersion } from "@parlance/protocol/schema-version";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLIENT_ENVIRONMENT, CLIENT_STORE } from "../airflow/support/client-capabilities.ts";
import { fixture, pack } from "../airflow/support/pack.ts";

// The client's calls under our own coordinator, which a user has before there is an Airflow: the program
// is that of the test on the real supervisors.

const VERSIONS: readonly SchemaVersion[] = ["2026-06-16", "2026-10-30"];
const SALES = { name: "sales", uri: "s3://b/sales" };

for (const schemaVersion of VERSIONS) {
  const flags = ["--schema-version", schemaVersion];
  const folder = await pack(fixture("capabilities-client.ts"), "client", flags);
  const argv = [join(folder, "client")];
  const coordinator = new ArgvCoordinator({ argv, schemaVersion, env: CLIENT_ENVIRONMENT });
  registerTests(coordinator, schemaVersion);
}

function registerTests(coordinator: ArgvCoordinator, schemaVersion: SchemaVersion): void {
  const label = `schema ${schemaVersion}:`;
  const run = async (taskId: string) => {
    const store = new MemoryTaskStore();
    const instance = { dagId: "client", runId: "r" };
    await seedStore(store, { ...CLIENT_STORE, assets: [SALES] }, instance);
    const logs: LogRecord[] = [];
    const { finalState } = await coordinator.executeTask({
      taskInstance: { ...instance, taskId, tryNumber: 1 },
      store,
      logSink: { write: (record: LogRecord) => void logs.push(record) },
    });
    const xcoms = await store.xcoms.list({ ...instance, taskId, mapIndex: -1 });
    const value = xcoms.find(({ key }) => key === "return_value")?.value;
    return { store, finalState, value, logs };
  };

  test(`${label} the worker's environment comes first, and its secrets are masked`, async () => {
    const { value, logs } = await run("environment");
    const { variable, remote, uri } = value as Record<string, unknown>;
    assert.equal([variable, remote], ["from the worker", "from Airflow"]);
    assert.is(uri, CLIENT_ENVIRONMENT.AIRFLOW_CONN_FROM_ENVIRONMENT);
    assert.match(JSON.stringify(logs), '"given":"***","key":"***"');
    assert.not.match(JSON.stringify(logs), /hunter33|hunter22|tiger/);
  });

  test(`${label} events of assets are recorded with the success, and with nothing else`, async () => {
    const { store, finalState } = await run("assets");
    assert.is(finalState, "success");
    const [event] = await store.assets.events({ name: "sales" });
    assert.equal(event?.extra, { rows: 5 });
    const [made] = await store.assets.events({ alias: "found" });
    assert.equal(made?.extra, { a: 1 });
    const failed = await run("assets_of_a_failure");
    assert.is(failed.finalState, "failed");
    assert.equal(await failed.store.assets.events({ name: "sales" }), []);
  });

  test(`${label} state, sequences, runs, and what the page shows`, async () => {
    const { value } = await run("reads");
    const { job, rows, isThere } = value as Record<string, unknown>;
    assert.equal([job, isThere], [{ id: 7 }, [true, false]]);
    assert.equal(rows, [{ row: 0 }, { row: 1 }, { row: 2 }]);
    assert.is((await run("page")).finalState, "success");
  });

  test(`${label} what only the newer schema has`, async () => {
    const { value } = await run("newer");
    if (schemaVersion === "2026-10-30") assert.is(value, "written");
    else assert.is((value as readonly unknown[])[0], "newer-schema-needed");
  });
}

test.run();
