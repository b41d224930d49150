import {
  clearedRun,
  type DagRunChanges,
  type DagRunFilter,
  type DagRunStore,
  type StoredDagRun,
} from "./dag-run-store.ts";
import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { momentKey, optionalMomentKey } from "./moments.ts";
import { checkKeys } from "./series.ts";
import {
  asBytes,
  type SqliteDatabase,
  type SqlRow,
  type SqlTransaction,
  type SqlValue,
} from "./sqlite-database.ts";
import { clearTaskInstances } from "./sqlite-task-instances.ts";
import { given } from "./task-instance-store.ts";

const SELECT = `SELECT ${asBytes("fields")} FROM dag_run`;
const REF = "dag_id = ? AND run_id = ?";
const INTO =
  "INTO dag_run (dag_id, run_id, state, logical, place, fields) VALUES (?, ?, ?, ?, ?, ?)";

/** Dag runs in SQLite. */
export class SqliteDagRuns implements DagRunStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(dagId: string, runId: string): Promise<StoredDagRun | undefined> {
    const row = await this.#database.first(`${SELECT} WHERE ${REF}`, [dagId, runId]);
    return row && this.#read(row);
  }

  /** {@link get} as a part of a transaction. @internal */
  getWithin(statements: SqlTransaction, dagId: string, runId: string): StoredDagRun | undefined {
    const row = statements.first(`${SELECT} WHERE ${REF}`, [dagId, runId]);
    return row && this.#read(row);
  }

  /** {@link set} as a part of a transaction. @internal */
  setWithin(statements: SqlTransaction, run: StoredDagRun): void {
    statements.run(`INSERT OR REPLACE ${INTO}`, valuesOf("dagRuns.set", run));
  }

  async set(run: StoredDagRun): Promise<void> {
    await this.#database.run(`INSERT OR REPLACE ${INTO}`, valuesOf("dagRuns.set", run));
  }

  async create(run: StoredDagRun): Promise<boolean> {
    const values = valuesOf("dagRuns.create", run);
    return (await this.#database.run(`INSERT OR IGNORE ${INTO}`, values)) > 0;
  }

  async update(dagId: string, runId: string, changes: DagRunChanges): Promise<boolean> {
    return await this.#change(dagId, runId, (run) => {
      return { ...run, ...given(changes), dagId, runId } as StoredDagRun;
    });
  }

  async clear(dagId: string, runId: string): Promise<boolean> {
    return await this.#change(dagId, runId, (run, statements) => {
      clearTaskInstances(statements, dagId, runId);
      return clearedRun(run);
    });
  }

  async list(filter: DagRunFilter): Promise<StoredDagRun[]> {
    const rows = await this.#database.all(
      `${SELECT} WHERE dag_id = ?
         AND (? IS NULL OR run_id IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR logical IN (SELECT value FROM json_each(?)))
       ORDER BY logical, run_id`,
      [
        filter.dagId,
        ...twice(filter.runIds),
        ...twice(filter.states),
        ...twice(filter.logicalDates?.map(momentKey)),
      ],
    );
    return rows.map((row) => this.#read(row));
  }

  async previous(dagId: string, before: string, state?: string): Promise<StoredDagRun | undefined> {
    const row = await this.#database.first(
      `${SELECT} WHERE dag_id = ? AND logical < ? AND (? IS NULL OR state = ?)
       ORDER BY logical DESC, run_id DESC LIMIT 1`,
      [dagId, momentKey(before), state ?? null, state ?? null],
    );
    return row && this.#read(row);
  }

  /** Every run, in the order of {@link SqliteDagRuns.list}. */
  async all(): Promise<StoredDagRun[]> {
    const rows = await this.#database.all(`${SELECT} ORDER BY dag_id, logical, run_id`);
    return rows.map((row) => this.#read(row));
  }

  async #change(
    dagId: string,
    runId: string,
    change: (run: StoredDagRun, statements: SqlTransaction) => StoredDagRun,
  ): Promise<boolean> {
    return await this.#database.transaction((statements) => {
      const row = statements.first(`${SELECT} WHERE ${REF}`, [dagId, runId]);
      if (row === undefined) return false;
      const changed = change(this.#read(row), statements);
      statements.run(`INSERT OR REPLACE ${INTO}`, valuesOf("dagRuns.update", changed));
      return true;
    });
  }

  #read(row: SqlRow): StoredDagRun {
    return this.#database.readJson(row["fields"], parseExactJson) as StoredDagRun;
  }
}

function valuesOf(call: string, run: StoredDagRun): SqlValue[] {
  const { dagId, runId, state, logicalDate, runAfter } = run;
  checkKeys(call, [dagId, runId, state]);
  const logical = optionalMomentKey(logicalDate);
  return [dagId, runId, state, logical, logical ?? momentKey(runAfter), exactJsonText(run)];
}

/** A list goes in as one JSON text: a statement has room for a limited number of values. */
function twice(list: readonly string[] | undefined): [SqlValue, SqlValue] {
  const text = list === undefined ? null : JSON.stringify(list);
  return [text, text];
}
