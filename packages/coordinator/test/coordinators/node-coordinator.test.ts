import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LogRecord, MemoryTaskStore, NodeCoordinator } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const recorded = JSON.parse(
  readFileSync(new URL("../../test/data/node-bundle.json", import.meta.url), "utf8"),
);
const root = temporaryFolder("parlance-node-bundles");
writeFileSync(join(root, "tasks.min.mjs"), Buffer.from(recorded.base64, "base64"));

async function run(dagId: string, options: { readonly nodeExecutable?: string } = {}) {
  const logs: LogRecord[] = [];
  const coordinator = new NodeCoordinator({
    bundlesRoot: root,
    nodeExecutable: process.execPath,
    ...options,
  });
  const result = await coordinator.executeTask({
    taskInstance: { dagId, taskId: "stub_task", runId: "r", tryNumber: 1 },
    store: new MemoryTaskStore(),
    logSink: {
      write(record: LogRecord) {
        logs.push(record);
      },
    },
  });
  return { result, logs };
}

test("runs the bundle that the real NodeCoordinator ran", async () => {
  const { result, logs } = await run("stub_dag");
  assert.is(result.finalState, "success", JSON.stringify(logs));
  assert.is(result.exitCode, 0);
});

test("no bundle, a Node that is not there: failed starts", async () => {
  const none = await run("other");
  assert.is(none.result.error?.code, "bundle-not-found");
  assert.match(
    String(none.result.error?.message),
    /no Node bundle \(\*\.min\.mjs\) under .* "other"/,
  );
  const noNode = await run("stub_dag", { nodeExecutable: "/no/such/node" });
  assert.is(noNode.result.error?.code, "spawn-failed");
});

test("options that name no folder are refused", () => {
  assert.throws(() => new NodeCoordinator({ bundlesRoot: [] }), /names no folder/);
});

test.run();
