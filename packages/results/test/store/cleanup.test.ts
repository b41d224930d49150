import { openResultStore } from "@parlance/results";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BatchSize } from "../../dist/store/cleanup/batch-size.js";
import { FakeClock, openStore } from "./open-store.ts";

function fill(run: (sql: string) => void, rows: number, date: string): void {
  run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     INSERT INTO celery_taskmeta (task_id, status, date_done) SELECT '${date}-' || i, 'SUCCESS', '${date} 00:00:00.000000' FROM n`,
  );
}

test("batches are small, told of one by one, and let others in between", async () => {
  const { store, run, query, url } = await openStore();
  fill(run, 20_000, "2020-01-01");
  const other = await openResultStore(url);
  const told: number[] = [];
  let written = 0;
  const writing = (async () => {
    while (told.length < 5) {
      await other.store(`during-${written++}`, { state: "SUCCESS" });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  const progress = await store.cleanup({
    batchSize: 2000,
    onProgress: ({ tasks }) => told.push(tasks),
  });
  await writing;
  assert.is(progress.tasks, 20_000);
  assert.is(progress.batches, 10);
  assert.equal(told, [2000, 4000, 6000, 8000, 10000, 12000, 14000, 16000, 18000, 20000]);
  assert.ok(progress.longestBatchMs > 0 && progress.longestBatchMs < 1000);
  assert.is(query("SELECT count(*) AS n FROM celery_taskmeta")[0]?.["n"], written);
  await other.close();
  await store.close();
});

/** Sizes and times of the batches of a cleanup on a database that behaves like this. */
function simulate(
  ownMs: number,
  rowMs: number,
  rows: number,
): { sizes: number[]; times: number[] } {
  const size = new BatchSize();
  const sizes: number[] = [];
  const times: number[] = [];
  for (let left = rows; left > 0; left -= size.rows) {
    sizes.push(size.rows);
    const ms = ownMs + rowMs * size.rows;
    times.push(ms);
    size.took(ms);
  }
  return { sizes, times };
}

test("a batch takes about 50 ms, on a quick and on a slow database", () => {
  for (const [ownMs, rowMs] of [
    [2, 0.0005],
    [3, 0.003],
    [20, 0.002],
    [1, 0.02],
  ] as const) {
    const { times } = simulate(ownMs, rowMs, 2_000_000);
    const settled = times.slice(5);
    assert.ok(
      settled.every((ms) => ms > 30 && ms < 80),
      `${ownMs} ${rowMs}: ${settled.slice(0, 9)}`,
    );
  }
});

test("where a batch costs much by itself, batches stay large", () => {
  const { sizes } = simulate(90, 0.001, 1_000_000);
  assert.ok(Math.min(...sizes) >= 4000, sizes.join());
});

test("an abort ends it after the batch; what was removed is told", async () => {
  const { store, run, query } = await openStore();
  fill(run, 3000, "2020-01-01");
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error("enough"));
  const error = await rejects(
    store.cleanup({ batchSize: 1000, onProgress, signal: controller.signal }),
    "aborted",
  );
  assert.match(error.message, /after 1000 tasks and 0 groups/);
  assert.is(query("SELECT count(*) AS n FROM celery_taskmeta")[0]?.["n"], 2000);
  await store.close();
});

test("the age is the store's or the call's; exactly that old stays", async () => {
  const clock = new FakeClock("2026-07-02T00:00:00Z");
  const { store, run } = await openStore({ clock, resultExpiresSeconds: 86_400 });
  fill(run, 1, "2026-07-01");
  assert.is((await store.cleanup()).tasks, 0);
  clock.nowMs += 1;
  assert.is((await store.cleanup({ expiresSeconds: 86_401 })).tasks, 0);
  assert.is((await store.cleanup()).tasks, 1);
  fill(run, 1, "2026-07-01");
  assert.is((await store.cleanup({ expiresSeconds: 1e12 })).tasks, 0, "older than the year 1");
  assert.is((await store.cleanup({ expiresSeconds: 0 })).tasks, 1);
  for (const options of [
    { expiresSeconds: -1 },
    { expiresSeconds: null },
    { batchSize: 0 },
    { batchSize: 1.5 },
  ]) {
    await rejects(store.cleanup(options as object), "bad-option");
  }
  await store.close();
});

test.run();
