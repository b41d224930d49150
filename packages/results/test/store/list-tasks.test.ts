import { load, rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type OpenStore, openStore } from "./open-store.ts";

async function ids(opened: OpenStore, options: object): Promise<string[]> {
  const found: string[] = [];
  for await (const { taskId } of opened.store.list(options)) found.push(taskId);
  return found;
}

test("rows come oldest first, by state, name and age", async () => {
  const opened = await openStore({ extended: true });
  const { store, run } = opened;
  await store.store("a", {
    state: "SUCCESS",
    result: "xy",
    request: { task: "add", hostname: "w", retries: 1, routingKey: "q" },
  });
  await store.store("b", { state: "STARTED", request: { task: "add" } });
  await store.store("c", { state: "FAILURE", result: new Error("x"), request: { task: "mul" } });
  run("UPDATE celery_taskmeta SET date_done = '2020-01-02 03:04:05.000000' WHERE task_id = 'c'");
  assert.equal(await ids(opened, {}), ["a", "b", "c"]);
  assert.equal(await ids(opened, { pageSize: 1 }), ["a", "b", "c"]);
  assert.equal(await ids(opened, { state: "STARTED" }), ["b"]);
  assert.equal(await ids(opened, { name: "add" }), ["a", "b"]);
  assert.equal(await ids(opened, { name: "add", state: "SUCCESS" }), ["a"]);
  assert.equal(await ids(opened, { olderThanSeconds: 3600 }), ["c"]);
  assert.equal(await ids(opened, { state: "' OR 1=1 --" }), []);
  const { value: first } = await store.list({ state: "SUCCESS" }).next();
  if (first === undefined) throw new Error("no row");
  const { dateDone, dateDoneText, ...rest } = first;
  assert.ok(dateDone instanceof Date && dateDoneText !== null);
  const expected = {
    taskId: "a",
    state: "SUCCESS",
    name: "add",
    worker: "w",
    retries: 1,
    queue: "q",
    resultBytes: 4,
  };
  assert.equal(rest, expected);
  await store.close();
});

test("a long listing holds nothing: others write meanwhile, memory stays flat, an abort ends it", async () => {
  const opened = await openStore();
  const { store, run } = opened;
  const rows = Math.max(5_000, load(100_000));
  run("BEGIN");
  run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     INSERT INTO celery_taskmeta (task_id, status, result) SELECT 'task-' || i, 'SUCCESS', zeroblob(1000) FROM n`,
  );
  run("COMMIT");
  const before = process.memoryUsage().heapUsed;
  let seen = 0;
  let most = 0;
  for await (const { resultBytes } of store.list()) {
    if (seen++ % 1000 === 0) {
      assert.is(resultBytes, 1000);
      run("INSERT INTO celery_tasksetmeta (taskset_id) VALUES (?)", [`during-${seen}`]);
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
  }
  assert.is(seen, rows);
  assert.ok(most < 30e6, `${most} bytes more`);
  const controller = new AbortController();
  const listing = store.list({ signal: controller.signal });
  await listing.next();
  controller.abort();
  await rejects(listing.next(), "aborted");
  await store.close();
});

test("options that are none are refused", async () => {
  const { store } = await openStore();
  for (const options of [
    { pageSize: 0 },
    { pageSize: 1.5 },
    { olderThanSeconds: -1 },
    { state: 5 },
    { name: null },
  ]) {
    await rejects(store.list(options as object).next(), "bad-option");
  }
  await store.close();
});

test.run();
