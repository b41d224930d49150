import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMetadata, packBundle } from "@parlance/bundle";
import { ExecutableCoordinator, type LogRecord, MemoryTaskStore } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const CHILD = fileURLToPath(new URL("../../test/fixtures/child.mjs", import.meta.url));
const root = temporaryFolder("parlance-executable");

async function pack(name: string, dagId: string, schemaVersion: string): Promise<string> {
  const script = join(root, `${name}.sh`);
  const out = join(root, "bundles", name);
  mkdirSync(join(root, "bundles"), { recursive: true });
  const command = `exec '${process.execPath}' '${CHILD}' details "$@"`;
  writeFileSync(script, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  const sdk = { language: "shell", version: "1", supervisorSchemaVersion: schemaVersion };
  const metadata = createMetadata({ sdk, dags: { [dagId]: { tasks: ["t"] } } });
  await packBundle({ executable: script, metadata, out });
  return out;
}

const request = (dagId: string, logs: LogRecord[] = []) => ({
  taskInstance: { dagId, taskId: "t", runId: "r", tryNumber: 1 },
  store: new MemoryTaskStore(),
  logSink: {
    write(record: LogRecord) {
      logs.push(record);
    },
  },
});

test("a packed bundle is found by its Dag and run in its schema version", async () => {
  await pack("old", "dag_old", "2026-06-16");
  await pack("new", "dag_new", "2026-10-30");
  const coordinator = new ExecutableCoordinator({ executablesRoot: [join(root, "bundles")] });
  const context = async (dagId: string): Promise<object> => {
    const logs: LogRecord[] = [];
    const result = await coordinator.executeTask(request(dagId, logs));
    assert.is(result.finalState, "success", JSON.stringify(logs));
    return JSON.parse(String(logs[0]?.["details"])).ti_context;
  };
  assert.not("arg_bindings" in (await context("dag_old")));
  assert.ok("arg_bindings" in (await context("dag_new")));
});

test("no bundle: a failed start that names what was passed over, and why", async () => {
  const rejected = await pack("future", "dag_future", "2030-01-01");
  const coordinator = new ExecutableCoordinator({ executablesRoot: join(root, "bundles") });
  const logs: LogRecord[] = [];
  const result = await coordinator.executeTask(request("dag_future", logs));
  assert.equal([result.finalState, result.exitCode], ["failed", null]);
  assert.is(result.error?.code, "bundle-not-found");
  assert.match(String(result.error?.message), "future");
  assert.match(String(result.error?.message), "2030-01-01");
  const [record] = logs;
  assert.match(JSON.stringify(record?.["rejected"]), JSON.stringify(rejected));

  const missing = await coordinator.executeTask(request("no_such_dag"));
  assert.match(String(missing.error?.message), "no_such_dag");
});

test.run();
