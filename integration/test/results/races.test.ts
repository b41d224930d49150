import { setTimeout as sleep } from "node:timers/promises";
import { openResultStore, type ResultStore } from "@parlance/results";
import { type CeleryPeer, startCeleryPeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase } from "./support/databases.ts";
import { checkRows, startWriter } from "./support/many-results.ts";

// Eight writers at once, half of them the real Celery: nobody fails, and the first SUCCESS stands.

const EACH = 4;
const TASKS = 25;

for (const kind of kindsHere(test, "races with the real Celery")) {
  test(`${kind}: of eight writers of a task, four of them Celery's, one wins and none fails`, async () => {
    const database = await newDatabase(kind);
    const stores = await Promise.all(times(() => openResultStore(database.url)));
    const peers = await Promise.all(times(() => startCeleryPeer(database.celeryUrl())));
    const ids = Array.from({ length: TASKS }, (_, i) => `t${i}`);
    const first = stores[0] as ResultStore;
    let ours = 0;
    let delayMs = 10;
    for (const id of ids) {
      const [written] = await Promise.all([
        Promise.all(stores.map((store, number) => storeSuccess(store, id, number, delayMs))),
        Promise.all(peers.map((peer, number) => mustStore(peer, id, `theirs-${number}`))),
      ]);
      const { state, result } = await first.get(id);
      assert.is(state, "SUCCESS");
      const winner = String(result);
      const won = written.flat();
      // On SQLite, Celery looks and writes in two steps: it may write over a SUCCESS of ours, even STARTED.
      if (kind === "sqlite") assert.ok(winner.startsWith("theirs") || won.includes(winner), id);
      else assert.equal(won, winner.startsWith("ours") ? [winner] : [], id);
      // Celery takes longer: whoever won comes later next time, so that it stays a race.
      delayMs *= winner.startsWith("ours") ? 1.5 : 0.6;
      if (winner.startsWith("ours")) ours++;
    }
    assert.ok(ours > 2 && ours < TASKS - 2, `ours won ${ours} of ${TASKS}: no race`);
    await isFinal(first, peers[0] as CeleryPeer, ids);
    await Promise.all([...stores, ...peers].map((one) => one.close()));
  });

  test(`${kind}: of eight processes of ours, one writes each task, the others are told`, async () => {
    const database = await newDatabase(kind);
    const writers = Array.from({ length: 8 }, () => startWriter(database.url, 0, TASKS));
    for (const writer of writers) {
      assert.is(await writer.ended, 0);
      assert.is(writer.acknowledged.size, TASKS);
    }
    const written = writers.flatMap((writer) => [...writer.written]);
    assert.equal(
      written.sort((a, b) => a - b),
      [...Array(TASKS).keys()],
    );
    assert.is(await checkRows(database, new Set(written)), TASKS);
  });
}

/** Gives the result if it was written. */
async function storeSuccess(
  store: ResultStore,
  id: string,
  number: number,
  delayMs: number,
): Promise<string[]> {
  await sleep(delayMs + number);
  await store.store(id, { state: "STARTED" });
  const result = `ours-${number}`;
  const { written } = await store.store(id, { state: "SUCCESS", result });
  return written ? [result] : [];
}

async function mustStore(peer: CeleryPeer, id: string, result: string): Promise<void> {
  const started = { id, via: "started", result: { pid: 1 } } as const;
  await peer.mustWrite(started, { id, state: "SUCCESS", result });
}

/** Whatever comes later from either, nothing changes. */
async function isFinal(store: ResultStore, peer: CeleryPeer, ids: string[]): Promise<void> {
  const before = await peer.dump();
  for (const id of ids) {
    const late = await store.store(id, { state: "FAILURE", result: new Error("late") });
    assert.equal(late, { written: false, state: "SUCCESS" });
    assert.not((await store.store(id, { state: "SUCCESS", result: "late" })).written);
  }
  const failure = { $exc: { type: "ValueError", args: ["late"] } };
  await peer.mustWrite(...ids.map((id) => ({ id, state: "FAILURE", result: failure })));
  assert.equal(await peer.dump(), before);
}

function times<Value>(make: () => Promise<Value>): Promise<Value>[] {
  return Array.from({ length: EACH }, make);
}

test.run();
