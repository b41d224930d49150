import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { checkKeys } from "./series.ts";
import {
  asBytes,
  type SqliteDatabase,
  type SqlRow,
  type SqlTransaction,
  type SqlValue,
} from "./sqlite-database.ts";
import {
  type FoundTaskInstance,
  factsOf,
  given,
  isEarlierTry,
  NO_FACTS,
  type StoredTaskInstance,
  type TaskInstanceChanges,
  type TaskInstanceFilter,
  type TaskInstanceStore,
} from "./task-instance-store.ts";
import type { TaskInstanceRef } from "./task-store.ts";

const COLUMNS = [
  ...["dag_id", "run_id", "task_id", "fields"].map(asBytes), //
  "map_index",
].join();
const SELECT = `SELECT ${COLUMNS} FROM task_instance`;
const SELECT_EARLIER = `SELECT ${COLUMNS} FROM task_instance_try`;
const REF = "dag_id = ? AND run_id = ? AND task_id = ? AND map_index = ?";
const REPLACE = "INSERT OR REPLACE INTO task_instance VALUES (?, ?, ?, ?, ?)";
const ARCHIVE = `INSERT INTO task_instance_try (dag_id, run_id, task_id, map_index, fields)
  SELECT dag_id, run_id, task_id, map_index, fields FROM task_instance WHERE`;

/** The present and the earlier tries of task instances, in SQLite. */
export class SqliteTaskInstances implements TaskInstanceStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(ref: TaskInstanceRef): Promise<FoundTaskInstance | undefined> {
    const row = await this.#database.first(`${SELECT} WHERE ${REF}`, refValues(ref));
    return row && this.#read(row);
  }

  async set(instance: StoredTaskInstance): Promise<void> {
    checkKeys("taskInstances.set", [instance.dagId, instance.runId, instance.taskId]);
    await this.#database.transaction((statements) => this.setWithin(statements, instance));
  }

  /** {@link set} as a part of a transaction. @internal */
  setWithin(statements: SqlTransaction, instance: StoredTaskInstance): void {
    const before = this.getWithin(statements, instance);
    if (before !== undefined && isEarlierTry(before, instance)) {
      statements.run(`${ARCHIVE} ${REF}`, refValues(instance));
    }
    const text = exactJsonText(given(factsOf(instance)));
    statements.run(REPLACE, [...refValues(instance), text]);
  }

  async update(ref: TaskInstanceRef, changes: TaskInstanceChanges): Promise<boolean> {
    return await this.#database.transaction((statements) => {
      return this.updateWithin(statements, ref, changes);
    });
  }

  /** {@link update} as a part of a transaction. @internal */
  updateWithin(
    statements: SqlTransaction,
    ref: TaskInstanceRef,
    changes: TaskInstanceChanges,
  ): boolean {
    const before = this.getWithin(statements, ref);
    if (before === undefined) return false;
    const changed = { ...factsOf(before), ...given(changes) };
    statements.run(REPLACE, [...refValues(ref), exactJsonText(changed)]);
    return true;
  }

  /** {@link get} as a part of a transaction. @internal */
  getWithin(statements: SqlTransaction, ref: TaskInstanceRef): FoundTaskInstance | undefined {
    const row = statements.first(`${SELECT} WHERE ${REF}`, refValues(ref));
    return row && this.#read(row);
  }

  async list(filter: TaskInstanceFilter): Promise<FoundTaskInstance[]> {
    // The lists go in as one JSON text: a statement has room for a limited number of values.
    const rows = await this.#database.all(
      `${SELECT} WHERE dag_id = ?
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
    return rows.map((row) => this.#read(row));
  }

  async history(ref: TaskInstanceRef): Promise<FoundTaskInstance[]> {
    const rows = await this.#database.all(
      `${SELECT_EARLIER} WHERE ${REF} ORDER BY archived`,
      refValues(ref),
    );
    return rows.map((row) => this.#read(row));
  }

  /** Every present try. */
  async all(): Promise<FoundTaskInstance[]> {
    const rows = await this.#database.all(`${SELECT} ORDER BY dag_id, run_id, task_id, map_index`);
    return rows.map((row) => this.#read(row));
  }

  /** Every earlier try, in order of archiving. */
  async allEarlier(): Promise<FoundTaskInstance[]> {
    const rows = await this.#database.all(`${SELECT_EARLIER} ORDER BY archived`);
    return rows.map((row) => this.#read(row));
  }

  #read(row: SqlRow): FoundTaskInstance {
    const ref = {
      dagId: String(row["dag_id"]),
      runId: String(row["run_id"]),
      taskId: String(row["task_id"]),
      mapIndex: Number(row["map_index"]),
    };
    const fields = this.#database.readJson(row["fields"], parseExactJson);
    return { ...NO_FACTS, ...(fields as StoredTaskInstance), ...ref };
  }
}

/** What a clear does to the instances of a run, within its transaction. */
export function clearTaskInstances(statements: SqlTransaction, dagId: string, runId: string): void {
  const ofRun = "dag_id = ? AND run_id = ? AND json_extract(fields, '$.state') IS NOT NULL";
  statements.run(`${ARCHIVE} ${ofRun}`, [dagId, runId]);
  statements.run(
    `UPDATE task_instance SET fields = json_object(
       'state', NULL, 'tryNumber', json_extract(fields, '$.tryNumber'),
       'startDate', NULL, 'endDate', NULL)
     WHERE ${ofRun}`,
    [dagId, runId],
  );
}

function refValues(ref: TaskInstanceRef): [string, string, string, number] {
  return [ref.dagId, ref.runId, ref.taskId, ref.mapIndex];
}

function twice(value: SqlValue | undefined): [SqlValue, SqlValue] {
  return [value ?? null, value ?? null];
}
