import type { Database } from "../../database/database.ts";

/** Holds the indexes of some 100,000 rows. Negative: in KiB. */
const LARGE_CACHE = -65_536;

/**
 * Runs work that touches much of a SQLite file with a page cache of 64 MiB instead of SQLite's 2: a
 * deletion goes all over the index of the ids, and pages that fall out of the cache on the way are
 * written several times (measured: a fifth of the time of a cleanup). Does nothing on the others.
 */
export async function withLargeCache<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.dialect !== "sqlite") return work();
  const pragma = (sql: string) => database.run("cleanup", (connection) => connection.query(sql));
  const { rows } = await pragma("PRAGMA cache_size");
  await pragma(`PRAGMA cache_size = ${LARGE_CACHE}`);
  try {
    return await work();
  } finally {
    const before = Number(rows[0]?.["cache_size"]);
    await pragma(`PRAGMA cache_size = ${Number.isInteger(before) ? before : -2000}`).catch(
      () => {},
    );
  }
}
