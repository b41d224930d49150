import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rejects, requirePeer, superviseTasks, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// The harness itself: whatever way it ends, it leaves nothing running, and says what was wrong.

const FOR_EVER = fileURLToPath(new URL("./fixtures/supervise-for-ever.js", import.meta.url));

if (requirePeer(test, "the harness of Airflow 3.3.2", "airflow-3.3.2") !== undefined) {
  test("a caller that is killed takes the harness and its tasks along", async () => {
    const pidFile = join(temporaryFolder(), "pid");
    const caller = spawn(process.execPath, [FOR_EVER, pidFile], { stdio: "ignore" });
    const pid = await waitFor(() => Number(readFileSync(pidFile, "utf8")) || undefined, 300_000);
    assert.ok(isAlive(pid));
    caller.kill("SIGKILL");
    await waitFor(() => !isAlive(pid) || undefined, 100_000);
  });

  test("a deadline ends the harness", async () => {
    const error = await rejects(
      superviseTasks({
        version: "3.3.2",
        launch: { argv: [process.execPath, "-e", "setInterval(() => {}, 60000)", "--"] },
        settings: { startupTimeoutSeconds: 100 },
        tasks: [{ dagId: "d", taskId: "t" }],
        deadlineMs: 2_500,
      }),
    );
    assert.match(error.message, "supervise.py on Airflow 3.3.2 was stopped after 2500 ms");
  });

  test("a misspelt option is told, not ignored", async () => {
    const task = { dagId: "d", taskId: "t", tryNr: 2 };
    const error = await rejects(
      superviseTasks({ version: "3.3.2", launch: { argv: ["x"] }, tasks: [task] }),
    );
    assert.match(error.message, "tasks[0] has tryNr");
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Polls until there is a value; what it throws counts as none. */
async function waitFor<Value>(get: () => Value | undefined, limitMs: number): Promise<Value> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    try {
      const value = get();
      if (value !== undefined) return value;
    } catch {
      // not yet
    }
    await sleep(50);
  }
  throw new Error(`nothing came of it within ${limitMs} ms`);
}

test.run();
