import { checkKeys } from "./series.ts";
import { asBytes, type SqliteDatabase, type SqlRow, type SqlValue } from "./sqlite-database.ts";
import type {
  ConnectionStore,
  StoredConnection,
  StoredVariable,
  VariableStore,
} from "./task-store.ts";

const SELECT_VARIABLE = `SELECT ${["key", "value", "description"].map(asBytes).join()} FROM variable`;

/** Variables in SQLite. Texts are kept as JSON text: a value may hold U+0000. */
export class SqliteVariables implements VariableStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(key: string): Promise<StoredVariable | undefined> {
    const row = await this.#database.first(`${SELECT_VARIABLE} WHERE key = ?`, [key]);
    return row && this.#toVariable(row);
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

  /** Every one, by key. */
  async all(): Promise<StoredVariable[]> {
    const rows = await this.#database.all(`${SELECT_VARIABLE} ORDER BY key`);
    return rows.map((row) => this.#toVariable(row));
  }

  #toVariable(row: SqlRow): StoredVariable {
    const read = (value: SqlValue | undefined): string | null =>
      this.#database.readJson(value, JSON.parse);
    const [value, description] = [read(row["value"]), read(row["description"])];
    return { key: text(row["key"]), value, description };
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

  /** Every one, by id. */
  async all(): Promise<StoredConnection[]> {
    const rows = await this.#database.all(
      `SELECT ${asBytes("fields")} FROM connection ORDER BY conn_id`,
    );
    return rows.map((row) => this.#database.readJson(row["fields"], JSON.parse));
  }
}

function text(value: SqlValue | undefined): string {
  return String(value);
}
