import type { LogRecord } from "../../logs/log-record.ts";
import { SecretMasker } from "../../logs/secret-masker.ts";
import { isSensitiveName } from "../../logs/sensitive-name.ts";
import { toExactJson } from "../../store/exact-json.ts";
import type { SqlValue } from "../../store/sqlite-database.ts";
import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import type { TaskInstanceRef } from "../../store/task-store.ts";
import { readSerializedDag } from "../dag/read-serialized-dag.ts";
import { attemptsFolder, framesPath, logPath } from "../files/attempt-files.ts";
import { readLines } from "../files/read-lines.ts";
import {
  INSTANCE,
  instanceValues,
  readAttempt,
  readWait,
  SELECT_ATTEMPT,
  SELECT_WAIT,
} from "../records/rows.ts";
import { RunRecords } from "../records/run-records.ts";
import { isLocked } from "../run/run-lock.ts";
import { type GridInstance, gridCells } from "./grid-cells.ts";
import type {
  AttemptSummary,
  FilePage,
  GridRun,
  InstanceSummary,
  PageRequest,
  RunDetail,
  RunFilter,
  RunHistory,
  RunPage,
  RunSummary,
  StoredFrame,
  TaskState,
  WaitSummary,
  XComSummary,
} from "./history-types.ts";
import { instanceSummary } from "./instance-summary.ts";
import { plannedWaits } from "./planned-waits.ts";
import { readDagIds, readRunRow, readRunRows } from "./run-rows.ts";

/** A run, or a task or an instance of it. */
type Within = Pick<TaskInstanceRef, "dagId" | "runId"> & Partial<TaskInstanceRef>;

const DEFAULT_PAGE = 500;

/** Characters of an XCom that are shown. */
const MAX_XCOM_CHARACTERS = 100_000;

/** The history of the runs in a store's file. The store stays the caller's to close. */
export function openRunHistory(store: SqliteTaskStore): RunHistory {
  return new SqliteRunHistory(store);
}

class SqliteRunHistory implements RunHistory {
  readonly #store: SqliteTaskStore;

  constructor(store: SqliteTaskStore) {
    this.#store = store;
  }

  dagIds(): Promise<string[]> {
    return readDagIds(this.#store.database);
  }

  async runs(filter: RunFilter = {}): Promise<RunPage<RunSummary>> {
    const { rows, nextBefore } = await readRunRows(this.#store.database, filter);
    return { runs: rows.map(({ summary }) => summary), nextBefore };
  }

  async grid(filter: RunFilter & { readonly dagId: string }): Promise<RunPage<GridRun>> {
    const { rows, nextBefore } = await readRunRows(this.#store.database, filter);
    const runIds = JSON.stringify(rows.map(({ run }) => run.runId));
    const found = await this.#store.database.all(
      `SELECT CAST(run_id AS BLOB) AS run, CAST(task_id AS BLOB) AS task, map_index,
         CAST(json_extract(fields, '$.state') AS BLOB) AS state,
         json_extract(fields, '$.tryNumber') AS try
       FROM task_instance WHERE dag_id = ? AND run_id IN (SELECT value FROM json_each(?))`,
      [filter.dagId, runIds],
    );
    const byRun = new Map<string, GridInstance[]>();
    for (const row of found) {
      const cells = byRun.get(String(row["run"])) ?? [];
      byRun.set(String(row["run"]), cells);
      cells.push({
        taskId: String(row["task"]),
        mapIndex: Number(row["map_index"]),
        state: row["state"] as TaskState,
        tryNumber: Number(row["try"]),
      });
    }
    const runs = rows.map(({ summary }): GridRun => {
      return { ...summary, cells: gridCells(byRun.get(summary.runId) ?? []) };
    });
    return { runs, nextBefore };
  }

  async run(dagId: string, runId: string): Promise<RunDetail | undefined> {
    const row = await readRunRow(this.#store.database, dagId, runId);
    if (row === undefined) return undefined;
    const counted = await this.#store.database.all(
      `SELECT CAST(coalesce(json_extract(fields, '$.state'), 'none') AS BLOB) AS state, count(*) AS n
       FROM task_instance WHERE dag_id = ? AND run_id = ? GROUP BY 1`,
      [dagId, runId],
    );
    return {
      ...row.summary,
      conf: row.run.conf ?? {},
      clearNumber: row.run.clearNumber,
      counts: Object.fromEntries(counted.map((one) => [String(one["state"]), Number(one["n"])])),
      isActive: await isLocked(attemptsFolder(this.#store.file), dagId, runId),
    };
  }

  async instances(dagId: string, runId: string, taskId?: string): Promise<InstanceSummary[]> {
    const rows = await this.#store.taskInstances.list({
      ...{ dagId, runIds: [runId] },
      ...(taskId !== undefined && { taskIds: [taskId] }),
    });
    const due = await this.#dueDates(dagId, runId);
    const order = await this.#taskOrder(dagId, runId);
    const place = (id: string): number => order.get(id) ?? order.size;
    return rows
      .map((row) => instanceSummary(row, due.get(keyOf(row)) ?? null))
      .sort((a, b) => place(a.taskId) - place(b.taskId)); // stable: by map index within a task
  }

  async instance(ref: TaskInstanceRef): Promise<InstanceSummary | undefined> {
    const row = await this.#store.taskInstances.get(ref);
    if (row === undefined) return undefined;
    return instanceSummary(
      row,
      (await this.#dueDates(ref.dagId, ref.runId)).get(keyOf(ref)) ?? null,
    );
  }

  async attempts(within: Within): Promise<AttemptSummary[]> {
    const { database } = this.#store;
    const { where, values } = conditionOf(within);
    const rows = await database.all(`${SELECT_ATTEMPT} WHERE ${where} ORDER BY attempt`, values);
    return rows.map((row) => readAttempt(database, row));
  }

  async attempt(attemptId: number): Promise<AttemptSummary | undefined> {
    if (!Number.isSafeInteger(attemptId)) return undefined;
    const { database } = this.#store;
    const row = await database.first(`${SELECT_ATTEMPT} WHERE attempt = ?`, [attemptId]);
    return row && readAttempt(database, row);
  }

  async waits(ref: TaskInstanceRef): Promise<WaitSummary[]> {
    const { database } = this.#store;
    const sql = `${SELECT_WAIT} WHERE ${INSTANCE} ORDER BY wait`;
    const rows = await database.all(sql, instanceValues(ref));
    return rows.map((row) => readWait(database, row));
  }

  async plannedWaits(ref: TaskInstanceRef): Promise<WaitSummary[]> {
    const { dagId, runId, taskId } = ref;
    const instance = await this.instance(ref);
    const run = await readRunRow(this.#store.database, dagId, runId);
    const document = await this.serializedDag(dagId, runId);
    if (instance === undefined || run === undefined || document === undefined) return [];
    const task = readSerializedDag(document).tasks.find((one) => one.taskId === taskId);
    return task === undefined ? [] : plannedWaits(instance, task, run.summary);
  }

  log(attemptId: number, page?: PageRequest): Promise<FilePage<LogRecord> | undefined> {
    return this.#page(attemptId, logPath, page);
  }

  frames(attemptId: number, page?: PageRequest): Promise<FilePage<StoredFrame> | undefined> {
    return this.#page(attemptId, framesPath, page);
  }

  async xcoms(within: Within): Promise<XComSummary[]> {
    const masker = new SecretMasker();
    await this.#store.teachSecrets(masker);
    const found = await this.#store.xcoms.list(within);
    return found.map(({ dagId, runId, taskId, mapIndex, key, value }) => {
      const record = { event: toExactJson(value) } as unknown as LogRecord; // masked as one: names as well
      const text = isSensitiveName(key) ? '"***"' : JSON.stringify(masker.mask(record).event);
      const isCut = text.length > MAX_XCOM_CHARACTERS;
      const json = isCut ? text.slice(0, MAX_XCOM_CHARACTERS) : text;
      return { dagId, runId, taskId, mapIndex, key, json, isCut };
    });
  }

  serializedDag(dagId: string, runId: string): Promise<unknown> {
    return new RunRecords(this.#store, dagId, runId).document();
  }

  async #page<Entry>(
    attemptId: number,
    pathOf: (folder: string, attemptId: number) => string,
    { from = 0, limit = DEFAULT_PAGE }: PageRequest = {},
  ): Promise<FilePage<Entry> | undefined> {
    const attempt = await this.attempt(attemptId); // before the file: what it has by then is all there is
    if (attempt === undefined) return undefined;
    const path = pathOf(attemptsFolder(this.#store.file), attemptId);
    const { lines, next, hasMore } = await readLines(path, Math.max(0, from), Math.max(1, limit));
    const entries = lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry];
      } catch {
        return []; // its writer was killed in the middle of it
      }
    });
    return { entries, next, hasMore, isFinished: attempt.endDate !== null };
  }

  /** When the open waits of a run are over. */
  async #dueDates(dagId: string, runId: string): Promise<ReadonlyMap<string, string | null>> {
    const waits = await new RunRecords(this.#store, dagId, runId).openWaits();
    return new Map(waits.map((wait) => [keyOf(wait), wait.dueAt]));
  }

  async #taskOrder(dagId: string, runId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#store.database.all(
      `SELECT CAST(json_extract(task.value, '$.__var.task_id') AS BLOB) AS id
       FROM dag_run_plan, json_each(document, '$.dag.tasks') AS task
       WHERE dag_id = ? AND run_id = ?`,
      [dagId, runId],
    );
    return new Map(rows.map((row, at) => [String(row["id"]), at]));
  }
}

function keyOf({ taskId, mapIndex }: Pick<TaskInstanceRef, "taskId" | "mapIndex">): string {
  return `${mapIndex} ${taskId}`;
}

function conditionOf({ dagId, runId, taskId, mapIndex }: Within): {
  readonly where: string;
  readonly values: SqlValue[];
} {
  const [task, index]: SqlValue[] = [taskId ?? null, mapIndex ?? null];
  return {
    where: `dag_id = ? AND run_id = ? AND (? IS NULL OR task_id = ?)
      AND (? IS NULL OR map_index = ?)`,
    values: [dagId, runId, task, task, index, index] as SqlValue[],
  };
}
