import type { StoredDagRun } from "../../store/dag-run-store.ts";
import { exactJsonText, parseExactJson } from "../../store/exact-json.ts";
import { momentKey } from "../../store/moments.ts";
import { asBytes, type SqliteDatabase, type SqlTransaction } from "../../store/sqlite-database.ts";
import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import type { FoundTaskInstance, TaskInstanceChanges } from "../../store/task-instance-store.ts";
import type { TaskInstanceRef } from "../../store/task-store.ts";
import type { RunnableDag } from "../dag/runnable-dag.ts";
import type { AttemptSummary, WaitSummary } from "../history/history-types.ts";
import {
  type AttemptFields,
  fieldsText,
  INSTANCE,
  instanceValues,
  readAttempt,
  SELECT_ATTEMPT,
} from "./rows.ts";
import type { RunPlan } from "./run-plan.ts";

/** A try that is about to begin. */
export interface NewAttempt {
  readonly ref: TaskInstanceRef;
  readonly tryNumber: number;
  readonly maxTries: number;
  /** It goes on with a try that rescheduled itself, whose facts have to stay. */
  readonly continues: boolean;
  readonly startDate: string;
}

/** Columns of a new attempt that are known before anything has run. */
const NEW_ATTEMPT: Omit<AttemptFields, "tryNumber" | "startDate"> = {
  endDate: null,
  state: "running",
  exitCode: null,
  durationMs: null,
  error: null,
  hasLog: false,
  hasFrames: false,
};

/**
 * Everything that a runner writes about one run: each method is one transaction, and done when it
 * settles. States stand in the store's own tables, which tasks ask about.
 */
export class RunRecords {
  readonly store: SqliteTaskStore;
  readonly dagId: string;
  readonly runId: string;
  readonly #database: SqliteDatabase;

  constructor(store: SqliteTaskStore, dagId: string, runId: string) {
    this.store = store;
    this.dagId = dagId;
    this.runId = runId;
    this.#database = store.database;
  }

  /** A new run with its first instances. */
  async create(
    run: StoredDagRun,
    plan: RunPlan,
    dag: RunnableDag,
    instances: readonly { readonly ref: TaskInstanceRef; readonly changes: TaskInstanceChanges }[],
  ): Promise<void> {
    await this.#database.transaction((statements) => {
      this.store.dagRuns.setWithin(statements, run);
      this.#setPlan(statements, plan, dag);
      for (const { ref, changes } of instances) this.#makeInstance(statements, ref, changes);
    });
  }

  /** The plan, where the run was one of a whole Dag. */
  async plan(): Promise<RunPlan | undefined> {
    const row = await this.#database.first(
      `SELECT ${asBytes("fields")} FROM dag_run_plan WHERE dag_id = ? AND run_id = ?`,
      [this.dagId, this.runId],
    );
    return row && (this.#database.readJson(row["fields"], parseExactJson) as RunPlan);
  }

  /** The Dag's document; undefined where the run was none of a whole Dag. */
  async document(): Promise<unknown> {
    const row = await this.#database.first(
      `SELECT ${asBytes("document")} FROM dag_run_plan WHERE dag_id = ? AND run_id = ?`,
      [this.dagId, this.runId],
    );
    return row && this.#database.readJson(row["document"], parseExactJson);
  }

  /** A run that is taken up again, by the Dag as it is now. */
  async takeUp(plan: RunPlan, dag: RunnableDag): Promise<void> {
    await this.#database.transaction((statements) => this.#setPlan(statements, plan, dag));
  }

  /** The run's state, and why it stands still. */
  async setRun(
    changes: Partial<StoredDagRun>,
    pause: Pick<RunPlan, "pause" | "note">,
  ): Promise<void> {
    await this.#database.transaction((statements) => {
      const run = this.store.dagRuns.getWithin(statements, this.dagId, this.runId);
      if (run !== undefined) this.store.dagRuns.setWithin(statements, { ...run, ...changes });
      statements.run(
        `UPDATE dag_run_plan SET fields = json_set(fields, '$.pause', ?, '$.note', ?)
         WHERE dag_id = ? AND run_id = ?`,
        [pause.pause, pause.note, this.dagId, this.runId],
      );
    });
  }

  /** Changes of instances; those that are not there are made, those in `gone` removed. */
  async change(
    changes: readonly { readonly ref: TaskInstanceRef; readonly changes: TaskInstanceChanges }[],
    gone: readonly TaskInstanceRef[] = [],
  ): Promise<void> {
    if (changes.length + gone.length === 0) return;
    await this.#database.transaction((statements) => {
      for (const ref of gone) {
        statements.run(`DELETE FROM task_instance WHERE ${INSTANCE}`, instanceValues(ref));
      }
      for (const { ref, changes: what } of changes) {
        const before = this.store.taskInstances.getWithin(statements, ref);
        if (before === undefined) this.#makeInstance(statements, ref, what);
        // What another task has skipped meanwhile stays so: `begin` finds it.
        else if (before.state !== "skipped" || what.state !== "scheduled") {
          this.store.taskInstances.updateWithin(statements, ref, what);
        }
      }
    });
  }

  /**
   * Attempts that begin now. An instance that was skipped meanwhile, by another task's word, does not
   * begin: its place in the answer is undefined.
   */
  async begin(attempts: readonly NewAttempt[]): Promise<(AttemptSummary | undefined)[]> {
    return await this.#database.transaction((statements) =>
      attempts.map((attempt) => this.#begin(statements, attempt)),
    );
  }

  /** The end of an attempt, with what follows from it. */
  async end(
    attempt: AttemptSummary,
    changes: TaskInstanceChanges,
    wait: WaitSummary | undefined,
  ): Promise<void> {
    await this.#database.transaction((statements) => {
      statements.run("UPDATE task_attempt SET over = 1, fields = ? WHERE attempt = ?", [
        fieldsText(attempt),
        attempt.attemptId,
      ]);
      this.store.taskInstances.updateWithin(statements, attempt, changes);
      if (wait === undefined) return;
      statements.run(
        `INSERT INTO task_wait (dag_id, run_id, task_id, map_index, over, fields)
         VALUES (?, ?, ?, ?, 0, ?)`,
        [...instanceValues(wait), fieldsText(wait)],
      );
    });
  }

  /** Attempts that have no end: under way, or of a process that died. */
  async openAttempts(): Promise<AttemptSummary[]> {
    const rows = await this.#database.all(
      `${SELECT_ATTEMPT} WHERE dag_id = ? AND run_id = ? AND over = 0 ORDER BY attempt`,
      [this.dagId, this.runId],
    );
    return rows.map((row) => readAttempt(this.#database, row));
  }

  /** When the open wait of each instance is over, by task and map index. */
  async openWaits(): Promise<
    { readonly taskId: string; readonly mapIndex: number; readonly dueAt: string | null }[]
  > {
    const rows = await this.#database.all(
      `SELECT ${asBytes("task_id")}, map_index, CAST(json_extract(fields, '$.dueAt') AS BLOB) AS due
       FROM task_wait WHERE dag_id = ? AND run_id = ? AND over = 0 ORDER BY wait`,
      [this.dagId, this.runId],
    );
    return rows.map((row) => ({
      taskId: String(row["task_id"]),
      mapIndex: Number(row["map_index"]),
      dueAt: row["due"] === null ? null : String(row["due"]),
    }));
  }

  #begin(statements: SqlTransaction, attempt: NewAttempt): AttemptSummary | undefined {
    const { ref, tryNumber, maxTries, continues, startDate } = attempt;
    const before: FoundTaskInstance | undefined = this.store.taskInstances.getWithin(
      statements,
      ref,
    );
    if (before?.state === "skipped") return undefined;
    if (!continues) {
      const fresh = {
        ...ref,
        tryNumber,
        maxTries,
        state: "queued",
        startDate: null,
        endDate: null,
      };
      this.store.taskInstances.setWithin(statements, fresh);
    }
    const fields = { ...NEW_ATTEMPT, tryNumber, startDate };
    statements.run(
      `INSERT INTO task_attempt (dag_id, run_id, task_id, map_index, over, fields)
       VALUES (?, ?, ?, ?, 0, ?)`,
      [...instanceValues(ref), exactJsonText(fields)],
    );
    const attemptId = Number(statements.first("SELECT last_insert_rowid() AS id")?.["id"]);
    statements.run(
      `UPDATE task_wait SET over = 1, fields = json_set(fields, '$.startedAt', ?)
       WHERE ${INSTANCE} AND over = 0`,
      [startDate, ...instanceValues(ref)],
    );
    return { ...fields, ...ref, attemptId };
  }

  #makeInstance(
    statements: SqlTransaction,
    ref: TaskInstanceRef,
    changes: TaskInstanceChanges,
  ): void {
    const empty = { state: null, tryNumber: 0, startDate: null, endDate: null };
    this.store.taskInstances.setWithin(statements, { ...empty, ...changes, ...ref });
  }

  #setPlan(statements: SqlTransaction, plan: RunPlan, dag: RunnableDag): void {
    statements.run(
      `INSERT OR REPLACE INTO dag_run_plan (dag_id, run_id, created, fields, document)
       VALUES (?, ?, ?, ?, ?)`,
      [
        ...[this.dagId, this.runId, momentKey(plan.createdAt)],
        ...[exactJsonText(plan), exactJsonText(dag.serialized)],
      ],
    );
  }
}
