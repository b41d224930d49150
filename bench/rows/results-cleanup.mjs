import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { onEachDatabase } from "../lib/result-databases.mjs";
import { median } from "../lib/statistics.mjs";

const ROWS = 100_000;
const MOST_LOCKED_MS = 100;

/** As real rows are: ids without order, a time of their own each. */
const FILL = {
  SQLite: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO celery_taskmeta (task_id, status, result, date_done)
    SELECT lower(hex(randomblob(16))), 'SUCCESS', x'31', strftime('%Y-%m-%d %H:%M:%f000', 1577836800 + i, 'unixepoch') FROM n`,
  PostgreSQL: `INSERT INTO celery_taskmeta (id, task_id, status, result, date_done)
    SELECT nextval('task_id_sequence'), gen_random_uuid(), 'SUCCESS', '1', timestamp '2020-01-01' + g * interval '1.000013 second'
    FROM generate_series(1, ${ROWS}) g`,
};

/**
 * 100,000 old rows of a table of nothing else. Ours deletes them in batches; it holds where the longest batch, which is
 * the longest that a lock is held, took no more than 100 ms (the median of the rounds' longest ones).
 */
export const row = {
  name: "results-cleanup",
  what: "100,000 old results removed, on SQLite and PostgreSQL; the worse of the two",
  against: "one DELETE a table in one transaction, through libsql and pg",
  must: 1.5,
  aim: 1.2,
  better: "lower",
  unit: "ms",
  peers: ["postgresql"],
  measure: ({ note }) => onEachDatabase("lower", (database) => measure(database, note), note),
};

async function measure({ name, store, raw }, note) {
  const longest = [];
  const batches = [];
  const fresh = async () => {
    // Dead rows of the round before are not for either side to pass over.
    if (name === "PostgreSQL") await raw.run("TRUNCATE celery_taskmeta");
    await raw.run(FILL[name]);
    if (name === "PostgreSQL") await raw.run("ANALYZE celery_taskmeta");
  };
  const figures = await interleave({
    rounds: 7,
    warmUps: 1,
    ours: async () => {
      await fresh();
      return elapsedMs(async () => {
        const progress = await store.cleanup({ expiresSeconds: 86_400 });
        if (progress.tasks !== ROWS) throw new Error(`removed ${progress.tasks}`);
        longest.push(progress.longestBatchMs);
        batches.push(progress.batches);
      });
    },
    limit: async () => {
      await fresh();
      return elapsedMs(() => raw.cleanup(new Date(Date.now() - 86_400_000)));
    },
  });
  const lockedMs = median(longest);
  const worst = Math.max(...longest).toFixed(0);
  note(
    `${name}: ${median(batches)} batches, the longest ${lockedMs.toFixed(0)} ms (${worst} in the worst round)`,
  );
  return { ...figures, holds: lockedMs <= MOST_LOCKED_MS };
}
