import { exactJsonText, parseExactJson } from "../../store/exact-json.ts";
import {
  asBytes,
  type SqliteDatabase,
  type SqlRow,
  type SqlValue,
} from "../../store/sqlite-database.ts";
import type { TaskInstanceRef } from "../../store/task-store.ts";
import type { AttemptSummary, WaitSummary } from "../history/history-types.ts";

/** Names of an instance, in the order of its columns. */
export const INSTANCE = "dag_id = ? AND run_id = ? AND task_id = ? AND map_index = ?";

const REF_COLUMNS = [...["dag_id", "run_id", "task_id", "fields"].map(asBytes), "map_index"].join();

/** Every attempt, with its number. */
export const SELECT_ATTEMPT: string = `SELECT attempt, ${REF_COLUMNS} FROM task_attempt`;

/** Every wait, with its number. */
export const SELECT_WAIT: string = `SELECT wait, ${REF_COLUMNS} FROM task_wait`;

/** An attempt as it is kept: its names and its number are columns. */
export type AttemptFields = Omit<AttemptSummary, "attemptId" | keyof TaskInstanceRef>;

/** A wait as it is kept. */
export type WaitFields = Omit<WaitSummary, keyof TaskInstanceRef>;

/** The names of an instance as values. */
export function instanceValues({ dagId, runId, taskId, mapIndex }: TaskInstanceRef): SqlValue[] {
  return [dagId, runId, taskId, mapIndex];
}

/** A row of {@link SELECT_ATTEMPT}. */
export function readAttempt(database: SqliteDatabase, row: SqlRow): AttemptSummary {
  const fields = database.readJson(row["fields"], parseExactJson) as AttemptFields;
  return { ...fields, ...refOf(row), attemptId: Number(row["attempt"]) };
}

/** A row of {@link SELECT_WAIT}. */
export function readWait(database: SqliteDatabase, row: SqlRow): WaitSummary {
  return { ...(database.readJson(row["fields"], parseExactJson) as WaitFields), ...refOf(row) };
}

/** The fields of an attempt, or a wait, as text. */
export function fieldsText(row: AttemptSummary | WaitSummary): string {
  const { dagId: _dag, runId: _run, taskId: _task, mapIndex: _map, ...rest } = row;
  const { attemptId: _id, ...fields } = rest as { readonly attemptId?: number };
  return exactJsonText(fields);
}

function refOf(row: SqlRow): TaskInstanceRef {
  return {
    dagId: String(row["dag_id"]),
    runId: String(row["run_id"]),
    taskId: String(row["task_id"]),
    mapIndex: Number(row["map_index"]),
  };
}
