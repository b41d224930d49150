import { interleave } from "../lib/interleave.mjs";
import { celeryRates, newIds, onEachDatabase, VALUE } from "../lib/result-databases.mjs";

const ROWS = 200;
const READS = { SQLite: 4_000, PostgreSQL: 1_000 };

/**
 * Reads of finished tasks, one after the other: ours gives the whole row with its time and all checks, the bare driver
 * runs the same SELECT, prepared, and parses the JSON. It holds where ours is ahead of the real Celery with a pool.
 */
export const row = {
  name: "results-get",
  what: "a stored result read, on SQLite and PostgreSQL; the worse of the two",
  against: "the same SELECT through libsql and pg",
  must: 0.7,
  aim: 0.9,
  better: "higher",
  unit: "1/s",
  peers: ["postgresql", "celery-5.7.0"],
  measure: ({ note }) => onEachDatabase("higher", (database) => measure(database, note), note),
};

async function measure({ name, celeryUrl, store, raw }, note) {
  const ids = newIds(ROWS);
  for (const id of ids) await store.store(id, { state: "SUCCESS", result: VALUE });
  const [id] = ids;
  const read = (await store.get(id)).result;
  if (JSON.stringify(read) !== JSON.stringify(await raw.get(id)))
    throw new Error("not the same value");
  const sample = (get) => async () => {
    const start = performance.now();
    for (let count = 0; count < READS[name]; count++) await get(ids[count % ROWS]);
    return (READS[name] * 1000) / (performance.now() - start);
  };
  const figures = await interleave({
    rounds: 15,
    warmUps: 4,
    ours: sample((one) => store.get(one)),
    limit: sample((one) => raw.get(one)),
  });
  const celery = await celeryRates(celeryUrl, 200);
  note(
    `${name}: Celery pooled ${celery.pooled.get.toFixed(0)}, unforked ${celery.unforked.get.toFixed(0)}`,
  );
  return { ...figures, peer: celery.pooled.get, holds: figures.ours > celery.pooled.get };
}
