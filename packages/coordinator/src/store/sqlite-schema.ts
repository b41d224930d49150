import { asBytes, type SqliteDatabase } from "./sqlite-database.ts";
import { StoreError } from "./task-store.ts";

/** The version this code reads and writes. A change of the tables adds a step to {@link STEPS}. */
const STORE_VERSION = 3;

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
  // Runs, tries, questions to people, assets. `fields` is the whole row but for its key as exact
  // JSON; other columns are what is searched by. Moments are texts that sort (moments.ts).
  `CREATE TABLE dag_run (
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, state TEXT NOT NULL,
     logical TEXT, place TEXT NOT NULL, fields TEXT NOT NULL,
     PRIMARY KEY (dag_id, run_id)
   ) WITHOUT ROWID;
   CREATE INDEX dag_run_logical ON dag_run (dag_id, logical);
   ALTER TABLE task_instance RENAME TO task_instance_1;
   CREATE TABLE task_instance (
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, map_index INTEGER NOT NULL,
     fields TEXT NOT NULL,
     PRIMARY KEY (dag_id, run_id, task_id, map_index)
   ) WITHOUT ROWID;
   INSERT INTO task_instance SELECT dag_id, run_id, task_id, map_index,
     json_object('state', state, 'tryNumber', try_number, 'startDate', start_date, 'endDate', end_date)
     FROM task_instance_1;
   DROP TABLE task_instance_1;
   CREATE TABLE task_instance_try (
     archived INTEGER PRIMARY KEY AUTOINCREMENT,
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, map_index INTEGER NOT NULL,
     fields TEXT NOT NULL
   );
   CREATE INDEX task_instance_try_of ON task_instance_try (dag_id, run_id, task_id, map_index);
   ALTER TABLE xcom ADD COLUMN mapped_length INTEGER;
   CREATE TABLE hitl_detail (
     asked INTEGER PRIMARY KEY AUTOINCREMENT,
     ti_id TEXT NOT NULL UNIQUE, pending INTEGER NOT NULL, fields TEXT NOT NULL
   );
   CREATE TABLE asset (
     name TEXT NOT NULL, uri TEXT NOT NULL, active INTEGER NOT NULL, fields TEXT NOT NULL,
     PRIMARY KEY (name, uri)
   ) WITHOUT ROWID;
   CREATE INDEX asset_uri ON asset (uri);
   CREATE TABLE asset_alias (
     alias TEXT NOT NULL, name TEXT NOT NULL, uri TEXT NOT NULL,
     PRIMARY KEY (alias, name, uri)
   ) WITHOUT ROWID;
   CREATE TABLE asset_event (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL, uri TEXT NOT NULL, moment TEXT NOT NULL, fields TEXT NOT NULL
   );
   CREATE INDEX asset_event_of ON asset_event (uri, name, moment);
   CREATE TABLE asset_event_alias (
     alias TEXT NOT NULL, event_id INTEGER NOT NULL,
     PRIMARY KEY (alias, event_id)
   ) WITHOUT ROWID;
   UPDATE store_version SET version = 2;`,
  // Runs of whole Dags: what the run of a Dag was started with (its document, too), the attempts of its
  // tasks, the waits between them. States stay where they were. `over`: the attempt has ended.
  `CREATE TABLE dag_run_plan (
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL,
     created TEXT NOT NULL, fields TEXT NOT NULL, document TEXT NOT NULL,
     PRIMARY KEY (dag_id, run_id)
   ) WITHOUT ROWID;
   CREATE TABLE task_attempt (
     attempt INTEGER PRIMARY KEY AUTOINCREMENT,
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, map_index INTEGER NOT NULL,
     over INTEGER NOT NULL, fields TEXT NOT NULL
   );
   CREATE INDEX task_attempt_of ON task_attempt (dag_id, run_id, task_id, map_index);
   CREATE TABLE task_wait (
     wait INTEGER PRIMARY KEY AUTOINCREMENT,
     dag_id TEXT NOT NULL, run_id TEXT NOT NULL, task_id TEXT NOT NULL, map_index INTEGER NOT NULL,
     over INTEGER NOT NULL, fields TEXT NOT NULL
   );
   CREATE INDEX task_wait_of ON task_wait (dag_id, run_id, task_id, map_index);
   UPDATE store_version SET version = 3;`,
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
