import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openResultStore } from "@parlance/results";
import { load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openStore } from "./open-store.ts";

const WRITERS = 8;

test("of eight stores on one file one wins each task, and its result stands", async () => {
  const { store, url } = await openStore();
  const stores = [store];
  while (stores.length < WRITERS) stores.push(await openResultStore(url));
  for (let task = 0; task < 5; task++) {
    const id = `t-${task}`;
    const outcomes = await Promise.all(
      stores.map(async (one, number) => {
        await one.store(id, { state: "STARTED", result: number });
        return one.store(id, { state: "SUCCESS", result: number });
      }),
    );
    const winners = outcomes.flatMap(({ written }, number) => (written ? [number] : []));
    assert.is(winners.length, 1);
    assert.is((await store.get(id)).result, winners[0]);
    assert.ok(outcomes.every(({ state }) => state === "SUCCESS"));
  }
  await Promise.all(stores.map((one) => one.close()));
});

test("of eight saves of one group one is made", async () => {
  const { store, url } = await openStore();
  const stores = [store];
  while (stores.length < WRITERS) stores.push(await openResultStore(url));
  const saves = await Promise.allSettled(
    stores.map((one, number) => one.saveGroup("g", [`${number}`])),
  );
  assert.is(saves.filter(({ status }) => status === "fulfilled").length, 1);
  for (const save of saves) {
    if (save.status === "rejected") assert.is(save.reason.code, "group-exists");
  }
  await Promise.all(stores.map((one) => one.close()));
});

test("the same among eight processes", async () => {
  const { store, url, query } = await openStore();
  const tasks = load(200);
  const program = fileURLToPath(new URL("../../test/fixtures/store-writer.mjs", import.meta.url));
  const children = Array.from({ length: WRITERS }, (_, number) =>
    spawn(process.execPath, [program, url, String(number), String(tasks)], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  const lines = children.map((child) => createInterface(child.stdout)[Symbol.asyncIterator]());
  for (const line of lines) assert.is((await line.next()).value, "ready");
  for (const child of children) child.stdin.end("go\n");
  const winners = new Map<number, number>();
  for (const [number, line] of lines.entries()) {
    for (const task of JSON.parse((await line.next()).value as string) as number[]) {
      assert.not(winners.has(task), `task ${task} was won twice`);
      winners.set(task, number);
    }
  }
  assert.is(winners.size, tasks);
  for (const [task, number] of winners) {
    const { state, result } = await store.get(`t-${task}`);
    assert.equal([state, result], ["SUCCESS", number]);
  }
  assert.is(query("SELECT count(*) AS n FROM celery_taskmeta")[0]?.["n"], tasks);
  await store.close();
});

test.run();
