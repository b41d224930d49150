import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openResultStore } from "../../packages/results/dist/index.js";
import { startCeleryPeer, startPostgresql } from "../../packages/test-kit/dist/index.js";
import { openRaw } from "./raw-results.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";

/** What is stored and read: some 100 bytes of JSON, as in the peer's own bench. */
export const VALUE = { ok: true, n: 12345, text: "x".repeat(64) };

export function newIds(count) {
  return Array.from({ length: count }, () => randomUUID());
}

/**
 * Calls `measure` with our store and the bare driver on one database after another, and gives the figures
 * of the one where ours is further behind.
 *
 * @param {"lower" | "higher"} better
 * @param {(database: { name: string, url: string, celeryUrl: string, store: object, raw: object }) => Promise<object>} measure
 * @param {(line: string) => void} note
 */
export async function onEachDatabase(better, measure, note) {
  const server = await startPostgresql();
  try {
    const database = await server.createDatabase();
    const sqlite = `db+sqlite:///${join(temporaryFolder(), "results.sqlite")}`;
    const targets = [
      { name: "SQLite", url: sqlite, celeryUrl: sqlite },
      {
        name: "PostgreSQL",
        url: server.url(database),
        celeryUrl: server.celeryUrl(await server.createDatabase()),
      },
    ];
    const all = [];
    for (const target of targets) {
      const store = await openResultStore(target.url);
      const raw = await openRaw(target.url);
      const figures = await measure({ ...target, store, raw });
      const shown = (figures.ours / figures.limit).toFixed(2);
      note(
        `${target.name}: ours ${figures.ours.toFixed(1)}, bare driver ${figures.limit.toFixed(1)}, ratio ${shown}`,
      );
      all.push(figures);
      await store.close();
      await raw.close();
    }
    const sign = better === "lower" ? 1 : -1;
    const [worst] = all.toSorted(
      (one, other) => sign * (other.ours / other.limit - one.ours / one.limit),
    );
    return { ...worst, holds: all.every(({ holds }) => holds) };
  } finally {
    await server.stop();
  }
}

/** Operations a second of the real Celery 5.7.0, with a pool (as in a forked worker) and without (as in a client). */
export async function celeryRates(url, count) {
  const rates = {};
  for (const pooled of [true, false]) {
    const peer = await startCeleryPeer(url, { pooled });
    const answer = await peer.request({ op: "bench", n: count });
    rates[pooled ? "pooled" : "unforked"] = {
      insert: answer.store_insert_ops_s,
      update: answer.store_update_ops_s,
      get: answer.get_task_meta_ops_s,
    };
    await peer.close();
  }
  return rates;
}
