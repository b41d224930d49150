import { checkKeys } from "./series.ts";
import { asBytes, type SqliteDatabase, type SqlRow, type SqlValue } from "./sqlite-database.ts";
import type {
  ConnectionStore,
  StoredConnection,
  StoredTaskInstance,
  StoredVariable,
  TaskInstanceFilter,
  TaskInstanceStore,
  VariableStore,
} from "./task-store.ts";

/** Variables in SQLite. Texts are kept as JSON text: a value may hold U+0000. */
export class SqliteVariables implements VariableStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(key: string): Promise<StoredVariable | undefined> {
    const row = await this.#database.first(
      `SELECT ${asBytes("value")}, ${asBytes("description")} FROM variable WHERE key = ?`,
      [key],
    );
    const read = (value: SqlValue | undefined): string | null =>
      this.#database.readJson(value, JSON.parse);
    return row && { key, value: read(row["value"]), description: read(row["description"]) };
  }

  async set(variable: StoredVariable): Promise<void> {
    checkKeys("variables.set", [variable.key]);
    await this.#database.run(
      `INSERT INTO variable (key, value, description) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, description = excluded.description`,
      [variable.key, JSON.stringify(variable.value), JSON.stringify(variable.description)],
    );
  }

  async delete(key: string): Promise<boolean> {
    return (await this.#database.run("DELETE FROM variable WHERE key = ?", [key])) > 0;
  }

  async keys(): Promise<string[]> {
    const rows = await this.#database.all(`SELECT ${asBytes("key")} FROM variable ORDER BY key`);
    return rows.map((row) => text(row["key"]));
  }
}

/** Connections in SQLite, their fields as one JSON text. */
export class SqliteConnections implements ConnectionStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(connId: string): Promise<StoredConnection | undefined> {
    const row = await this.#database.first(
      `SELECT ${asBytes("fields")} FROM connection WHERE conn_id = ?`,
      [connId],
    );
    return row && { ...this.#database.readJson(row["fields"], JSON.parse), connId };
  }

  async set(connection: StoredConnection): Promise<void> {
    checkKeys("connections.set", [connection.connId]);
    await this.#database.run(
      `INSERT INTO connection (conn_id, fields) VALUES (?, ?)
       ON CONFLICT (conn_id) DO UPDATE SET fields = excluded.fields`,
      [connection.connId, JSON.stringify(connection)],
    );
  }

  async delete(connId: string): Promise<boolean> {
    return (await this.#database.run("DELETE FROM connection WHERE conn_id = ?", [connId])) > 0;
  }

  async ids(): Promise<string[]> {
    const rows = await this.#database.all(
      `SELECT ${asBytes("conn_id")} FROM connection ORDER BY conn_id`,
    );
    return rows.map((row) => text(row["conn_id"]));
  }
}

const INSTANCE_COLUMNS = [
  ...["dag_id", "run_id", "task_id", "state", "start_date", "end_date"].map(asBytes),
  ...["map_index", "try_number"],
].join();

/** The last state of every task instance, in SQLite. */
export class SqliteTaskInstances implements TaskInstanceStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async set(instance: StoredTaskInstance): Promise<void> {
    const { dagId, runId, taskId, mapIndex, state, tryNumber, startDate, endDate } = instance;
    checkKeys("taskInstances.set", [dagId, runId, taskId]);
    await this.#database.run(
      "INSERT OR REPLACE INTO task_instance VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [dagId, runId, taskId, mapIndex, state, tryNumber, startDate, endDate],
    );
  }

  async list(filter: TaskInstanceFilter): Promise<StoredTaskInstance[]> {
    // The lists go in as one JSON text: a statement has room for a limited number of values.
    const rows = await this.#database.all(
      `SELECT ${INSTANCE_COLUMNS} FROM task_instance WHERE dag_id = ?
         AND (? IS NULL OR run_id IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR task_id IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR map_index = ?)
       ORDER BY run_id, task_id, map_index`,
      [
        filter.dagId,
        ...twice(filter.runIds && JSON.stringify(filter.runIds)),
        ...twice(filter.taskIds && JSON.stringify(filter.taskIds)),
        ...twice(filter.mapIndex),
      ],
    );
    return rows.map(toTaskInstance);
  }
}

function toTaskInstance(row: SqlRow): StoredTaskInstance {
  return {
    dagId: text(row["dag_id"]),
    runId: text(row["run_id"]),
    taskId: text(row["task_id"]),
    mapIndex: Number(row["map_index"]),
    state: text(row["state"]),
    tryNumber: Number(row["try_number"]),
    startDate: row["start_date"] == null ? null : text(row["start_date"]),
    endDate: row["end_date"] == null ? null : text(row["end_date"]),
  };
}

function twice(value: SqlValue | undefined): [SqlValue, SqlValue] {
  return [value ?? null, value ?? null];
}

function text(value: SqlValue | undefined): string {
  return String(value);
}
