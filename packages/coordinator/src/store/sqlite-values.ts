import { lazyXCom } from "../large-values/lazy-xcom.ts";
import { LARGE_BYTES } from "../large-values/run-in-thread.ts";
import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { checkKeys, slicePositions } from "./series.ts";
import { asBytes, type SqliteDatabase, type SqlRow } from "./sqlite-database.ts";
import type { StoredState } from "./store-dump.ts";
import type {
  StateStore,
  StoredXCom,
  XComFilter,
  XComRef,
  XComSeries,
  XComSlice,
  XComStore,
} from "./task-store.ts";

/** A large value is not read with its row: `value` is null then, which it never is else. */
const XCOM_COLUMNS = [
  ...["dag_id", "run_id", "task_id", "key"].map(asBytes),
  `CASE WHEN octet_length(value) < ${LARGE_BYTES} THEN CAST(value AS BLOB) END AS value`,
  "map_index",
  "mapped_length",
].join();

const XCOM_INSERT = `INSERT OR REPLACE INTO xcom
  (dag_id, run_id, task_id, key, map_index, value, mapped_length) VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** Where the run of a row stands among those of its Dag; null for one that is not known. */
const PLACE =
  "(SELECT place FROM dag_run r WHERE r.dag_id = xcom.dag_id AND r.run_id = xcom.run_id)";
const OWN_PLACE = "(SELECT place FROM dag_run r WHERE r.dag_id = ? AND r.run_id = ?)";

/** Rows of a run and of those before it; takes the values of {@link upToValues}. */
const UP_TO_RUN = `dag_id = ? AND task_id = ? AND key = ? AND (
  run_id = ? OR ${PLACE} IS NULL OR ${OWN_PLACE} IS NULL OR ${PLACE} <= ${OWN_PLACE})`;

/** The run itself, the youngest before it, those not known; takes the run's id. */
const YOUNGEST_RUN = `run_id = ? DESC, ${PLACE} DESC, written DESC`;

/** Those not known, the oldest, the run itself; takes the run's id. */
const OLDEST_RUN = `run_id = ?, ${PLACE}, written`;

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
    return row && (await this.#toXCom(row));
  }

  async latest(ref: XComRef): Promise<StoredXCom | undefined> {
    const row = await this.#database.first(
      `SELECT ${XCOM_COLUMNS} FROM xcom WHERE ${UP_TO_RUN} AND map_index = ?
       ORDER BY ${YOUNGEST_RUN} LIMIT 1`,
      [...upToValues(ref), ref.mapIndex, ref.runId],
    );
    return row && (await this.#toXCom(row));
  }

  async set(
    ref: XComRef,
    value: unknown,
    { mappedLength = null }: { readonly mappedLength?: number | null } = {},
  ): Promise<void> {
    checkKeys("xcoms.set", [ref.dagId, ref.runId, ref.taskId, ref.key]);
    await this.#database.run(XCOM_INSERT, [
      ...seriesValues(ref),
      ref.mapIndex,
      exactJsonText(value),
      mappedLength,
    ]);
  }

  async setExactJson(
    ref: XComRef,
    json: Uint8Array,
    { mappedLength = null }: { readonly mappedLength?: number | null } = {},
  ): Promise<void> {
    checkKeys("xcoms.set", [ref.dagId, ref.runId, ref.taskId, ref.key]);
    const values = [...seriesValues(ref), ref.mapIndex, json, mappedLength];
    await this.#database.runLarge(XCOM_INSERT, values);
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
    return row && (await this.#toXCom(row));
  }

  async slice(
    series: XComSeries,
    slice: XComSlice,
    { priorRuns = false }: { readonly priorRuns?: boolean } = {},
  ): Promise<StoredXCom[]> {
    const rows = priorRuns
      ? await this.#database.all(
          `SELECT ${XCOM_COLUMNS} FROM xcom WHERE ${UP_TO_RUN} ORDER BY map_index, ${OLDEST_RUN}`,
          [...upToValues(series), series.runId],
        )
      : await this.#database.all(
          `SELECT ${XCOM_COLUMNS} FROM xcom WHERE ${SERIES} ORDER BY map_index`,
          seriesValues(series),
        );
    const positions = slicePositions(rows.length, slice);
    return await this.#toXComs(
      positions.map((position) => rows[position]).filter((row) => row !== undefined),
    );
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
    return await this.#toXComs(rows);
  }

  /** Every one, in order of writing. */
  async all(): Promise<StoredXCom[]> {
    const rows = await this.#database.all(`SELECT ${XCOM_COLUMNS} FROM xcom ORDER BY written`);
    return await this.#toXComs(rows);
  }

  /** One after the other: large ones are read by threads. */
  async #toXComs(rows: readonly SqlRow[]): Promise<StoredXCom[]> {
    const xcoms: StoredXCom[] = [];
    for (const row of rows) xcoms.push(await this.#toXCom(row));
    return xcoms;
  }

  async #toXCom(row: SqlRow): Promise<StoredXCom> {
    const ref = {
      dagId: String(row["dag_id"]),
      runId: String(row["run_id"]),
      taskId: String(row["task_id"]),
      key: String(row["key"]),
      mapIndex: Number(row["map_index"]),
    };
    const mappedLength = row["mapped_length"] == null ? null : Number(row["mapped_length"]);
    if (row["value"] != null) {
      const value = this.#database.readJson(row["value"], parseExactJson);
      return { ...ref, value, mappedLength };
    }
    const json = await this.#database.firstLarge(
      `SELECT ${asBytes("value")} FROM xcom WHERE ${SERIES} AND map_index = ?`,
      [...seriesValues(ref), ref.mapIndex],
      "value",
    );
    // Deleted since the row was read: as good as a null that was stored.
    return json === undefined
      ? { ...ref, value: null, mappedLength }
      : lazyXCom({ ...ref, mappedLength }, json);
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

  /** Every one, by scope and key. */
  async all(): Promise<StoredState[]> {
    const columns = [...["scope", "key", "value"].map(asBytes), "expires_at"].join();
    const rows = await this.#database.all(`SELECT ${columns} FROM state ORDER BY scope, key`);
    return rows.map((row) => ({
      scope: String(row["scope"]),
      key: String(row["key"]),
      value: this.#database.readJson(row["value"], parseExactJson),
      expiresAt: row["expires_at"] == null ? null : Number(row["expires_at"]),
    }));
  }
}

function upToValues(series: XComSeries): string[] {
  const { dagId, runId, taskId, key } = series;
  return [dagId, taskId, key, runId, dagId, runId, dagId, runId];
}

function seriesValues(series: XComSeries): [string, string, string, string] {
  return [series.dagId, series.runId, series.taskId, series.key];
}
