import { setTimeout as sleep } from "node:timers/promises";
import { openResultStore, type ResultStore } from "@parlance/results";
import { type CeleryPeer, startCeleryPeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindsHere, newDatabase } from "./support/databases.ts";
import { startWriter } from "./support/many-results.ts";

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
      assert.ok(won.length <= 1, `${id}: ${won.join()}`);
      // On SQLite, Celery looks and writes in two steps: it may write over a SUCCESS of ours.
      if (winner.startsWith("ours") || kind !== "sqlite") {
        assert.equal(won, winner.startsWith("ours") ? [winner] : [], id);
      }
      // Celery takes longer: whoever won comes later next time, so that it stays a race.
      delayMs *= winner.startsWith("ours") ? 1.5 : 0.6;
      if (winner.startsWith("ours")) ours++;
    }
    assert.ok(ours > 2 && ours < TASKS - 2, `ours won ${ours} of ${TASKS}: no race`);
    await isFinal(first, peers[0] as CeleryPeer, ids);
    await Promise.all([...stores, ...peers].map((one) => one.close()));
  });

  test(`${kind}: eight processes that store their own tasks do not meet`, async () => {
    const database = await newDatabase(kind);
    const writers = Array.from({ length: 8 }, (_, at) =>
      startWriter(database.url, 0, 40, `w${at}-`),
    );
    for (const writer of writers) {
      assert.is(await writer.ended, 0);
      assert.is(writer.acknowledged.size, 40);
    }
    const rows = await database.query("SELECT id FROM celery_taskmeta WHERE status = 'SUCCESS'");
    assert.is(new Set(rows.map(({ id }) => id)).size, 320);
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
