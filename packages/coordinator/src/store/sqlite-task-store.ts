import { SqliteDatabase } from "./sqlite-database.ts";
import { SqliteConnections, SqliteTaskInstances, SqliteVariables } from "./sqlite-rows.ts";
import { prepareSchema } from "./sqlite-schema.ts";
import { SqliteStates, SqliteXComs } from "./sqlite-values.ts";
import type {
  ConnectionStore,
  StateStore,
  TaskInstanceStore,
  TaskStore,
  VariableStore,
  XComStore,
} from "./task-store.ts";

/** How to open a SQLite store. */
export interface SqliteTaskStoreOptions {
  /** How long to wait for another process that holds the file. Default 10,000. */
  readonly busyTimeoutMs?: number;
}

/** A store in one SQLite file. Made by {@link openSqliteTaskStore}. */
export class SqliteTaskStore implements TaskStore {
  readonly file: string;
  readonly variables: VariableStore;
  readonly connections: ConnectionStore;
  readonly xcoms: XComStore;
  readonly states: StateStore;
  readonly taskInstances: TaskInstanceStore;
  readonly #database: SqliteDatabase;

  /** @internal */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.file = database.file;
    this.variables = new SqliteVariables(database);
    this.connections = new SqliteConnections(database);
    this.xcoms = new SqliteXComs(database);
    this.states = new SqliteStates(database);
    this.taskInstances = new SqliteTaskInstances(database);
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/**
 * Opens the store in `file`, or makes it there, for its owner alone (mode 0600).
 *
 * Several processes may use one file on one machine at once, and a process that is killed leaves it
 * whole: every write is a transaction of its own in SQLite's write-ahead log, which is kept in
 * `FILE-wal` and `FILE-shm` beside it while the store is open. A power cut may take the last writes.
 * Not for a network file system.
 *
 * @throws StoreError `store-unavailable`, `not-a-store`, `newer-store`, `store-busy`.
 */
export async function openSqliteTaskStore(
  file: string,
  options: SqliteTaskStoreOptions = {},
): Promise<SqliteTaskStore> {
  const database = await SqliteDatabase.open(file, options.busyTimeoutMs ?? 10_000);
  try {
    await database.pragma("journal_mode = WAL");
    await database.pragma("synchronous = NORMAL");
    await prepareSchema(database);
    return new SqliteTaskStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}
