import { asBytes, type SqliteDatabase } from "./sqlite-database.ts";
import { StoreError } from "./task-store.ts";

/** The version this code reads and writes. A change of the tables adds a step to {@link STEPS}. */
const STORE_VERSION = 1;

/** SQLite's own mark in the file's head that the file is a store of Parlance ("PRLC"). */
const APPLICATION_ID = 0x50524c43;

/** Statements that bring a file of version N (the position) to N + 1. */
const STEPS: readonly string[] = [
  `CREATE TABLE store_version (version INTEGER NOT NULL);
   INSERT INTO store_version VALUES (1);
   CREATE TABLE variable (
     key TEXT PRIMARY KEY, value TEXT NOT NULL, description TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE connection (conn_id TEXT PRIMARY KEY, fields TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE xcom (
     written INTEGER PRIMARY KEY AUTOINCREMENT,
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, key TEXT NOT NULL,
     map_index INTEGER NOT NULL, value TEXT NOT NULL,
     UNIQUE (dag_id, run_id, task_id, key, map_index)
   );
   CREATE TABLE state (
     scope TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires_at INTEGER,
     PRIMARY KEY (scope, key)
   ) WITHOUT ROWID;
   CREATE TABLE task_instance (
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, map_index INTEGER NOT NULL,
     state TEXT NOT NULL, try_number INTEGER NOT NULL, start_date TEXT, end_date TEXT,
     PRIMARY KEY (dag_id, run_id, task_id, map_index)
   ) WITHOUT ROWID;
   PRAGMA application_id = ${APPLICATION_ID};`,
];

/**
 * Makes the tables in an empty file, or brings an older file up to date.
 *
 * @throws StoreError `not-a-store` for a database of somebody else, `newer-store` for one that a
 *   later Parlance wrote.
 */
export async function prepareSchema(database: SqliteDatabase): Promise<void> {
  const version = await readVersion(database);
  if (version > STORE_VERSION) {
    throw new StoreError(
      "newer-store",
      `the store ${database.file} has version ${version}, this Parlance knows up to ${STORE_VERSION}; update Parlance`,
      { path: database.file },
    );
  }
  for (const [at, step] of STEPS.entries()) {
    if (at >= version) await apply(database, at, step);
  }
}

/** Two processes may make the same file at once: the one that comes second finds the step done. */
async function apply(database: SqliteDatabase, at: number, step: string): Promise<void> {
  try {
    await database.script(step);
  } catch (error) {
    if ((await readVersion(database)) <= at) throw error;
  }
}

async function readVersion(database: SqliteDatabase): Promise<number> {
  const tables = await database.all(
    `SELECT ${asBytes("name")} FROM sqlite_master WHERE type = 'table'`,
  );
  if (tables.length === 0) return 0;
  if (tables.some((table) => table["name"] === "store_version")) {
    const row = await database.first("SELECT version FROM store_version");
    if (typeof row?.["version"] === "number") return row["version"];
  }
  throw new StoreError(
    "not-a-store",
    `${database.file} is a SQLite database that Parlance did not make; name another file`,
    { path: database.file },
  );
}
