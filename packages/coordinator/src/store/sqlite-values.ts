import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { checkKeys, slicePositions } from "./series.ts";
import { asBytes, type SqliteDatabase, type SqlRow } from "./sqlite-database.ts";
import type {
  StateStore,
  StoredXCom,
  XComFilter,
  XComRef,
  XComSeries,
  XComSlice,
  XComStore,
} from "./task-store.ts";

const XCOM_COLUMNS = [
  ...["dag_id", "run_id", "task_id", "key", "value"].map(asBytes),
  "map_index",
].join();

const SERIES = "dag_id = ? AND run_id = ? AND task_id = ? AND key = ?";

/** XComs in SQLite, values as exact JSON text. */
export class SqliteXComs implements XComStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(ref: XComRef): Promise<StoredXCom | undefined> {
    const row = await this.#database.first(
      `SELECT ${XCOM_COLUMNS} FROM xcom WHERE ${SERIES} AND map_index = ?`,
      [...seriesValues(ref), ref.mapIndex],
    );
    return row && this.#toXCom(row);
  }

  async latest(ref: Omit<XComRef, "runId">): Promise<StoredXCom | undefined> {
    const row = await this.#database.first(
      `SELECT ${XCOM_COLUMNS} FROM xcom WHERE dag_id = ? AND task_id = ? AND key = ? AND map_index = ?
       ORDER BY written DESC LIMIT 1`,
      [ref.dagId, ref.taskId, ref.key, ref.mapIndex],
    );
    return row && this.#toXCom(row);
  }

  async set(ref: XComRef, value: unknown): Promise<void> {
    checkKeys("xcoms.set", [ref.dagId, ref.runId, ref.taskId, ref.key]);
    await this.#database.run(
      `INSERT OR REPLACE INTO xcom (dag_id, run_id, task_id, key, map_index, value)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [...seriesValues(ref), ref.mapIndex, exactJsonText(value)],
    );
  }

  async delete(ref: XComRef): Promise<boolean> {
    const changes = await this.#database.run(`DELETE FROM xcom WHERE ${SERIES} AND map_index = ?`, [
      ...seriesValues(ref),
      ref.mapIndex,
    ]);
    return changes > 0;
  }

  async count(series: XComSeries): Promise<number> {
    const row = await this.#database.first(
      `SELECT count(*) AS rows FROM xcom WHERE ${SERIES}`,
      seriesValues(series),
    );
    return Number(row?.["rows"] ?? 0);
  }

  async item(series: XComSeries, offset: number): Promise<StoredXCom | undefined> {
    const [order, skip] = offset < 0 ? ["DESC", -1 - offset] : ["ASC", offset];
    const row = await this.#database.first(
      `SELECT ${XCOM_COLUMNS} FROM xcom WHERE ${SERIES} ORDER BY map_index ${order} LIMIT 1 OFFSET ?`,
      [...seriesValues(series), skip],
    );
    return row && this.#toXCom(row);
  }

  async slice(series: XComSeries, slice: XComSlice): Promise<StoredXCom[]> {
    const rows = await this.#database.all(
      `SELECT ${XCOM_COLUMNS} FROM xcom WHERE ${SERIES} ORDER BY map_index`,
      seriesValues(series),
    );
    return slicePositions(rows.length, slice)
      .map((position) => rows[position])
      .filter((row) => row !== undefined)
      .map((row) => this.#toXCom(row));
  }

  async list(filter: XComFilter): Promise<StoredXCom[]> {
    const rows = await this.#database.all(
      `SELECT ${XCOM_COLUMNS} FROM xcom WHERE dag_id = ? AND run_id = ?
         AND (? IS NULL OR task_id = ?) AND (? IS NULL OR map_index = ?)
       ORDER BY written`,
      [
        filter.dagId,
        filter.runId,
        ...[filter.taskId ?? null, filter.taskId ?? null],
        ...[filter.mapIndex ?? null, filter.mapIndex ?? null],
      ],
    );
    return rows.map((row) => this.#toXCom(row));
  }

  #toXCom(row: SqlRow): StoredXCom {
    return {
      dagId: String(row["dag_id"]),
      runId: String(row["run_id"]),
      taskId: String(row["task_id"]),
      key: String(row["key"]),
      mapIndex: Number(row["map_index"]),
      value: this.#database.readJson(row["value"], parseExactJson),
    };
  }
}

/** Values that outlive a try, in SQLite. */
export class SqliteStates implements StateStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(scope: string, key: string): Promise<{ readonly value: unknown } | undefined> {
    const row = await this.#database.first(
      `SELECT ${asBytes("value")} FROM state
       WHERE scope = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)`,
      [scope, key, Date.now()],
    );
    return row && { value: this.#database.readJson(row["value"], parseExactJson) };
  }

  async set(scope: string, key: string, value: unknown, expiresAt: number | null): Promise<void> {
    checkKeys("states.set", [scope, key]);
    await this.#database.run(
      "INSERT OR REPLACE INTO state (scope, key, value, expires_at) VALUES (?, ?, ?, ?)",
      [scope, key, exactJsonText(value), expiresAt],
    );
  }

  async delete(scope: string, key: string): Promise<boolean> {
    const changes = await this.#database.run("DELETE FROM state WHERE scope = ? AND key = ?", [
      scope,
      key,
    ]);
    return changes > 0;
  }

  async clear(scope: string): Promise<void> {
    await this.#database.run("DELETE FROM state WHERE scope = ?", [scope]);
  }
}

function seriesValues(series: XComSeries): [string, string, string, string] {
  return [series.dagId, series.runId, series.taskId, series.key];
}
