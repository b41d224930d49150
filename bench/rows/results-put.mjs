import { interleave } from "../lib/interleave.mjs";
import { celeryRates, newIds, onEachDatabase, VALUE } from "../lib/result-databases.mjs";

const TASKS = { SQLite: 25, PostgreSQL: 150 };

/**
 * Stores, one after the other: STARTED of a new task, then SUCCESS. Ours takes one or two statements, the bare driver runs
 * Celery's five in their transaction. On SQLite both wait for the disk, twice a store. It holds where ours is ahead of
 * the real Celery with a pool.
 */
export const row = {
  name: "results-put",
  what: "a result stored, half new rows and half updates, on SQLite and PostgreSQL; the worse of the two",
  against: "Celery's statements through libsql and pg",
  must: 0.6,
  aim: 0.8,
  better: "higher",
  unit: "1/s",
  peers: ["postgresql", "celery-5.7.0"],
  measure: ({ note }) => onEachDatabase("higher", (database) => measure(database, note), note),
};

async function measure({ name, celeryUrl, store, raw }, note) {
  const sample = (put) => async () => {
    const ids = newIds(TASKS[name]);
    const start = performance.now();
    for (const id of ids) await put(id, "STARTED", false);
    for (const id of ids) await put(id, "SUCCESS", true);
    return (ids.length * 2000) / (performance.now() - start);
  };
  const figures = await interleave({
    rounds: 11,
    warmUps: 2,
    ours: sample((id, state) => store.store(id, { state, result: VALUE })),
    limit: sample((id, state, isDone) => raw.put(id, state, VALUE, isDone)),
  });
  const { pooled, unforked } = await celeryRates(celeryUrl, 100);
  const both = ({ insert, update }) => 2 / (1 / insert + 1 / update);
  note(`${name}: Celery pooled ${both(pooled).toFixed(0)}, unforked ${both(unforked).toFixed(0)}`);
  return { ...figures, peer: both(pooled), holds: figures.ours > both(pooled) };
}
