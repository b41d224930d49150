import { openResultStore } from "@parlance/results";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openStore } from "./open-store.ts";

// Among processes, and on servers: integration/test/results/races.test.ts.

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

test.run();
