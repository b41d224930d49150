import { readdirSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ArgvCoordinator, MemoryTaskStore } from "@parlance/coordinator";
import { requirePeer, startWarmRunner } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DATA, EXAMPLE } from "./support/python-tasks.ts";

// What the other tests build on: a task that is forked elsewhere lives and dies as one that was launched.

const LABEL = "a warm runner";

function processesIn(folder: string): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false; // gone
      }
    });
}

async function until(condition: () => boolean): Promise<void> {
  for (let left = 500; left > 0 && !condition(); left--) await sleep(20);
  assert.ok(condition(), String(condition));
}

if (requirePeer(test, LABEL, "airflow-3.3.2") !== undefined) {
  test(`${LABEL} leaves no task behind: neither one that is killed nor, when it is closed, any`, async () => {
    const runner = await startWarmRunner({ version: "3.3.2", launcher: `${EXAMPLE}launcher.py` });
    const folder = dirname(runner.home);
    const dags = fileURLToPath(new URL("dags", DATA));
    const coordinator = new ArgvCoordinator({
      argv: runner.command(["--dags", dags, "--bundle", "proofs"]),
      startupTimeoutMs: 60_000,
      env: { AIRFLOW_HOME: runner.home },
    });
    const start = (killSignal?: AbortSignal) => {
      let waits = false;
      const ended = coordinator.executeTask({
        taskInstance: {
          ...{ dagId: "proof", runId: "r", taskId: "killhook", tryNumber: 1 },
          ...{ dagRelPath: "proof_dag.py", dagBundleName: "proofs" },
        },
        store: new MemoryTaskStore(),
        killSignal,
        logSink: {
          write({ event }) {
            waits ||= event === "waiting for signal";
          },
        },
      });
      return { ended, isWaiting: () => waits };
    };
    try {
      assert.is(processesIn(folder).length, 1);
      const abort = new AbortController();
      const killed = start(abort.signal);
      await until(killed.isWaiting);
      assert.is(processesIn(folder).length, 2);
      abort.abort();
      assert.is((await killed.ended).exitCode, -9);
      await until(() => processesIn(folder).length === 1);

      const orphan = start();
      await until(orphan.isWaiting);
      await runner.close();
      assert.equal(processesIn(folder), []);
      assert.is(
        (await orphan.ended).exitCode,
        1,
        "warm_launcher.py says that its runner has ended",
      );
    } finally {
      await runner.close();
    }
  });
}

test.run();
