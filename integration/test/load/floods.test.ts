import { setTimeout as sleep } from "node:timers/promises";
import { load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Beats, Witness } from "./support/beats.ts";
import { LoadCoordinator, loadStore, play, withPerl } from "./support/load-coordinator.ts";
import { nothingLeft, resources } from "./support/resources.ts";

/** Millions of bytes, in lines of 200. */
const SIZE = load(200);
const LINES = SIZE * 5_000;

withPerl(test, "floods", () => {
  for (const [scene, logger] of [
    ["flood-log", "task"],
    ["flood-out", "task.stdout"],
  ] as const) {
    test(`${scene}: ${SIZE} MB reach a sink that stumbles, line for line, in little memory`, async () => {
      const coordinator = new LoadCoordinator();
      await play(coordinator, "silent-0");
      const before = resources();
      const beats = new Beats(100);
      const witness = await Witness.start(100);
      let lines = 0;
      let peak = 0;
      const startedAt = performance.now();
      const flooding = coordinator.executeTask({
        taskInstance: { dagId: "load", taskId: `${scene}-${SIZE}`, runId: "r", tryNumber: 1 },
        store: await loadStore(),
        heartbeat: beats,
        logSink: {
          write(record) {
            if (record.logger === logger) lines += 1;
            if (lines % 20_000 !== 0) return undefined;
            peak = Math.max(peak, process.memoryUsage().rss / 2 ** 20);
            return sleep(5);
          },
        },
      });
      const [{ finalState }, beside] = await Promise.all([
        flooding,
        play(coordinator, "ok-1", { store: await loadStore() }),
      ]);
      const tookMs = Math.round(performance.now() - startedAt);
      const machineMs = await witness.stop();
      assert.equal([finalState, beside.result.finalState], ["success", "success"]);
      assert.is(lines, LINES);
      console.log(
        `${scene} ${SIZE} MB: ${tookMs} ms, peak of ${Math.round(peak)} MiB (${before.rssMebibytes} before), beats at most ${Math.round(beats.worstDelayMs)} ms late (the machine ${machineMs} ms)`,
      );
      assert.ok(peak - before.rssMebibytes < 200, `${peak} MiB`);
      assert.ok(beats.worstDelayMs < 700 + 3 * machineMs, `${beats.worstDelayMs} ms late`);
      await nothingLeft(before);
    });
  }

  test("a task that asks for much and reads nothing costs little, and ends at once when it does", async () => {
    const coordinator = new LoadCoordinator();
    await play(coordinator, "silent-0");
    const store = await loadStore();
    await store.variables.set({ key: "large", value: "l".repeat(4_000_000), description: null });
    const before = resources();
    const startedAt = performance.now();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss / 2 ** 20);
    }, 20);
    const played = await Promise.all(
      Array.from({ length: 5 }, (_, at) => play(coordinator, `deaf-${at}`, { store })),
    );
    clearInterval(watch);
    const tookMs = performance.now() - startedAt;
    for (const { result } of played)
      assert.equal([result.finalState, result.exitCode], ["success", 0]);
    assert.ok(tookMs < 50_000, `${tookMs} ms`); // it would be 60 s, were its connections waited for
    assert.ok(peak - before.rssMebibytes < 300, `${peak} MiB, ${before.rssMebibytes} before`);
    await nothingLeft(before);
  });
});

test.run();
