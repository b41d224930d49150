import { join } from "node:path";
import { JavaCoordinator, MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type FollowedExample, followReadme } from "./support/example.ts";
import { registerStockTests } from "./support/stock-cases.ts";

// The Java example: built and run by the commands of its README, then under the real JavaCoordinator.

const maven = requirePeer(test, "the Java example", "maven");

if (maven !== undefined) {
  let following: Promise<FollowedExample> | undefined;
  const followed = () => {
    following ??= followReadme("java", maven);
    return following;
  };

  test("the commands of the README of the Java example print what it says", async () => {
    const { code, stdout, stderr, promised } = await followed();
    assert.is(code, 0, stderr);
    assert.equal(stdout, promised);
  });

  test("the Java example under our JavaCoordinator", async () => {
    const jarsRoot = join((await followed()).folder, "target/jars");
    const coordinator = new JavaCoordinator({ jarsRoot, startupTimeoutMs: 60_000 });
    const store = new MemoryTaskStore();
    await seedStore(store, { variables: { warehouse: "Graz" } });
    const run = async (taskId: string, tryNumber: number, maxTries: number) => {
      const taskInstance = { dagId: "stock", taskId, runId: "manual__1", tryNumber, maxTries };
      const { finalState, exitCode } = await coordinator.executeTask({ taskInstance, store });
      return [taskId, finalState, exitCode];
    };
    assert.equal(await run("count", 1, 0), ["count", "success", 0]);
    assert.equal(await run("order", 1, 1), ["order", "up_for_retry", 0]);
    assert.equal(await run("order", 2, 1), ["order", "success", 0]);
    assert.equal(await run("order", 1, 0), ["order", "failed", 0]);
  });

  const label = "the Java example";
  if (requirePeer(test, `${label} on Airflow 3.3.2`, "airflow-3.3.2") !== undefined) {
    registerStockTests(test, "3.3.2", label, async () => {
      return { jarsRoot: join((await followed()).folder, "target/jars") };
    });
  }
}

test.run();
