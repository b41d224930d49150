import { setTimeout as sleep } from "node:timers/promises";
import { isLongRun, load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LoadCoordinator, loadStore, play, stateOf, withPerl } from "./support/load-coordinator.ts";
import { countDescriptors, nothingLeft, resources } from "./support/resources.ts";

/** A scene, how it may end, and how the attempt then ended. */
const SCENES: readonly (readonly [string, readonly (readonly [string, number | null])[]])[] = [
  ["ok", [["success", 0]]],
  ["ok", [["success", 0]]],
  ["ok", [["success", 0]]],
  ["kill-before", [["failed", -9]]],
  ["kill-between", [["failed", -9]]],
  ["kill-connected", [["failed", -9]]],
  ["kill-asking", [["failed", -9]]],
  ["kill-after", [["failed", -9]]],
  ["kill-any", [["failed", -9]]],
  ["half-exit", [["failed", 0]]],
  ["half-kill", [["failed", -9]]],
  ["half-log", [["success", 0]]],
  ["silent", [["success", 0]]],
  ["exit-3", [["failed", 3]]],
  ["slow", [["success", 0]]],
  ["twice", [["success", 0]]],
  ["deaf", [["success", 0]]],
  [
    "stop",
    [
      ["failed", -9],
      ["failed", -15], // told to end before it had stopped itself
    ],
  ],
];

/** At once; the cores are the limit. */
const LANES = 6;

async function runMany(count: number): Promise<{ wrong: string[]; peakDescriptors: number }> {
  const coordinator = new LoadCoordinator({ startupTimeoutMs: 30_000 });
  const wrong: string[] = [];
  let started = 0;
  let peakDescriptors = 0;
  const lane = async (): Promise<void> => {
    while (started < count) {
      const number = started++;
      const [scene, ends] = SCENES[number % SCENES.length] as (typeof SCENES)[number];
      const abort = new AbortController();
      const { result, state } = await play(coordinator, `${scene}-${number}`, {
        store: await loadStore(),
        signal: abort.signal,
        onRecord: ({ event }) => {
          if (event === "stopping") abort.abort();
        },
      });
      const { finalState, exitCode } = result;
      const good = ends.some(([end, code]) => end === finalState && code === exitCode);
      // A process that ends the moment it has connected may be gone before it is recognised.
      const early = result.error?.code === "exited-before-connect";
      if ((!good && !early) || state !== finalState) {
        wrong.push(`${scene}-${number}: ${JSON.stringify(result)}, store: ${state}`);
      }
      peakDescriptors = Math.max(peakDescriptors, countDescriptors());
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { wrong, peakDescriptors };
}

withPerl(test, "thousands of tasks in a row", () => {
  test(`${load(5_000)} tasks in a row, many of them killed, cut off or slow: each has its verdict, nothing stays, memory is flat`, async () => {
    const count = load(5_000);
    await runMany(SCENES.length * 2); // what the first ones load for good
    const before = resources();
    const startedAt = performance.now();
    const firstHalf = await runMany(Math.ceil(count / 2));
    const middle = resources();
    const secondHalf = await runMany(Math.floor(count / 2));
    assert.equal([...firstHalf.wrong, ...secondHalf.wrong], []);
    await nothingLeft(before);
    const after = resources();
    const seconds = (performance.now() - startedAt) / 1000;
    const figures = [before, middle, after].map(
      (at) => `${at.rssMebibytes}/${at.heapMebibytes} MiB`,
    );
    console.log(
      `${count} tasks in ${seconds.toFixed(0)} s, rss/heap ${figures.join(", ")}; peak of ${secondHalf.peakDescriptors} descriptors`,
    );
    assert.ok(after.heapMebibytes - middle.heapMebibytes < 8, `the heap grows: ${figures}`);
    assert.ok(after.rssMebibytes - middle.rssMebibytes < 48, `memory grows: ${figures}`);
  });

  test("200 tasks alive at once: each is answered and ends well", async () => {
    const store = await loadStore();
    const coordinator = new LoadCoordinator();
    const before = resources();
    let up = 0;
    const tasks = Array.from({ length: 200 }, (_, at) =>
      play(coordinator, `barrier-${at}`, {
        store,
        onRecord: ({ event }) => {
          if (event === "up") up += 1;
        },
      }),
    );
    while (up < 200)
      await Promise.race([
        sleep(20),
        Promise.all(tasks).then(() => assert.unreachable("ended early")),
      ]);
    const alive = resources();
    assert.is(alive.processes.length, 200);
    await store.variables.set({ key: "go", value: "1", description: null });
    const played = await Promise.all(tasks);
    assert.equal([...new Set(played.map(({ result }) => result.finalState))], ["success"]);
    assert.is(await stateOf(store, "barrier-199"), "success");
    console.log(
      `200 alive: ${alive.descriptors} descriptors, ${alive.rssMebibytes} MiB (${before.rssMebibytes} before)`,
    );
    assert.ok(alive.descriptors - before.descriptors <= 4 * 200 + 10);
    await nothingLeft(before);
  });
});

if (!isLongRun()) console.log("a twentieth of the load; all of it in npm run test:long");

test.run();
