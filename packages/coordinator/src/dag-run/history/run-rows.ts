import type { StoredDagRun } from "../../store/dag-run-store.ts";
import { parseExactJson } from "../../store/exact-json.ts";
import {
  asBytes,
  type SqliteDatabase,
  type SqlRow,
  type SqlValue,
} from "../../store/sqlite-database.ts";
import { planWithout, type RunPlan } from "../records/run-plan.ts";
import type { RunFilter, RunState, RunSummary } from "./history-types.ts";

const COLUMNS = `CAST(dag_run.fields AS BLOB) AS run, CAST(plan.fields AS BLOB) AS plan,
  CAST(coalesce(plan.created, dag_run.place) AS BLOB) AS place`;

const FROM = `FROM dag_run LEFT JOIN dag_run_plan AS plan
  ON plan.dag_id = dag_run.dag_id AND plan.run_id = dag_run.run_id`;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** A run with what it was started with. */
export interface RunRow {
  readonly run: StoredDagRun;
  readonly summary: RunSummary;
  /** For a page after this one. */
  readonly cursor: string;
}

/** Runs, the newest first, and the cursor of the next page. */
export async function readRunRows(
  database: SqliteDatabase,
  { dagId, limit = DEFAULT_LIMIT, before }: RunFilter,
): Promise<{ readonly rows: readonly RunRow[]; readonly nextBefore: string | null }> {
  const most = Math.min(Math.max(1, Math.trunc(limit)), MAX_LIMIT);
  const [place, run] = readCursor(before);
  const dag: SqlValue = dagId ?? null;
  const found = await database.all(
    `SELECT ${COLUMNS} ${FROM}
     WHERE (? IS NULL OR dag_run.dag_id = ?)
       AND (? IS NULL OR (coalesce(plan.created, dag_run.place), dag_run.run_id) < (?, ?))
     ORDER BY coalesce(plan.created, dag_run.place) DESC, dag_run.run_id DESC LIMIT ?`,
    [dag, dag, place, place, run, most + 1],
  );
  const rows = found.slice(0, most).map((row) => readRow(database, row));
  return { rows, nextBefore: found.length > most ? (rows.at(-1)?.cursor ?? null) : null };
}

/** One run. */
export async function readRunRow(
  database: SqliteDatabase,
  dagId: string,
  runId: string,
): Promise<RunRow | undefined> {
  const row = await database.first(
    `SELECT ${COLUMNS} ${FROM} WHERE dag_run.dag_id = ? AND dag_run.run_id = ?`,
    [dagId, runId],
  );
  return row && readRow(database, row);
}

/** Ids of the Dags that have runs. */
export async function readDagIds(database: SqliteDatabase): Promise<string[]> {
  const rows = await database.all(
    `SELECT DISTINCT ${asBytes("dag_id")} FROM dag_run ORDER BY dag_run.dag_id`,
  );
  return rows.map((row) => String(row["dag_id"]));
}

/** A run as it is shown: Airflow's row, and what is ours. */
export function runSummary(run: StoredDagRun, plan: RunPlan): RunSummary {
  const { dagId, runId, logicalDate, startDate, endDate } = run;
  const isOver = run.state === "success" || run.state === "failed";
  const state = (isOver ? null : plan.pause) ?? (run.state as RunState);
  const { note, createdAt, timeScale } = plan;
  return { dagId, runId, state, note, logicalDate, createdAt, startDate, endDate, timeScale };
}

function readRow(database: SqliteDatabase, row: SqlRow): RunRow {
  const run = database.readJson(row["run"], parseExactJson) as StoredDagRun;
  const plan =
    row["plan"] === null
      ? planWithout(run.startDate ?? run.runAfter)
      : (database.readJson(row["plan"], parseExactJson) as RunPlan);
  const cursor = JSON.stringify([row["place"], run.runId]);
  return { run, summary: runSummary(run, plan), cursor };
}

/** What is no cursor begins at the beginning. */
function readCursor(before: string | null | undefined): [SqlValue, SqlValue] {
  try {
    const [place, run]: unknown[] = JSON.parse(before ?? "[]");
    if (typeof place === "string" && typeof run === "string") return [place, run];
  } catch {
    // not one of ours
  }
  return [null, null];
}
