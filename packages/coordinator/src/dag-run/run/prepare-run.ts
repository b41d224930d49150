import type { StoredDagRun } from "../../store/dag-run-store.ts";
import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import type { FoundTaskInstance } from "../../store/task-instance-store.ts";
import type { RunnableDag } from "../dag/runnable-dag.ts";
import type { RunPlan } from "../records/run-plan.ts";
import { RunRecords } from "../records/run-records.ts";
import { compileDag } from "../rules/compiled-dag.ts";
import { initialInstances } from "../rules/initial-instances.ts";
import { checkParams } from "./check-params.ts";
import { DagRunError } from "./dag-run-error.ts";
import { afterInterruption, closeOrphan } from "./interrupted.ts";
import { LiveInstance } from "./live-instance.ts";
import type { StartRunRequest } from "./runner-types.ts";

/** A run that is in the store, and ready to go on. */
export interface PreparedRun {
  readonly dag: RunnableDag;
  readonly records: RunRecords;
  readonly run: StoredDagRun;
  readonly plan: RunPlan;
  readonly instances: readonly LiveInstance[];
  readonly isResumed: boolean;
}

/** @see prepareRun */
export interface PrepareOptions {
  readonly store: SqliteTaskStore;
  readonly request: StartRunRequest;
  readonly runId: string;
  readonly now: Date;
  readonly maxTaskRetryDelaySeconds: number | undefined;
}

/**
 * Writes a new run, or takes one up: what was under way when its engine died is brought to an end, and
 * instances are made for tasks that the Dag has got since.
 *
 * @throws DagRunError `run-exists`, `bad-request`
 */
export async function prepareRun(options: PrepareOptions): Promise<PreparedRun> {
  const { store, request, runId } = options;
  const { dagId } = request.dag;
  const known = await store.dagRuns.get(dagId, runId);
  const records = new RunRecords(store, dagId, runId);
  const plan = await records.plan();
  if (known === undefined || (plan === undefined && known.state === "queued")) {
    return await createRun(records, options, known);
  }
  if (request.ifExists === "refuse") {
    const message = `run ${JSON.stringify(runId)} of Dag ${JSON.stringify(dagId)} is there already; give another id, or resume it`;
    throw new DagRunError("run-exists", message);
  }
  return await takeUpRun(records, options, known, plan);
}

async function createRun(
  records: RunRecords,
  { request, runId, now }: PrepareOptions,
  known: StoredDagRun | undefined,
): Promise<PreparedRun> {
  const { dag } = request;
  checkParams(dag, request.conf ?? {});
  const createdAt = now.toISOString();
  const run = known ?? newRun(request, runId, now);
  const plan: RunPlan = {
    ...{ createdAt, timeScale: request.timeScale ?? 1 },
    ...{ pause: null, note: null },
  };
  const running = { ...run, state: "running", startDate: createdAt, endDate: null };
  const date = run.logicalDate === null ? null : new Date(run.logicalDate);
  const retries = new Map(dag.tasks.map((task) => [task.taskId, task.retries]));
  const instances = initialInstances(dag, date).map(({ taskId, mapIndex, state }) => ({
    ref: { dagId: dag.dagId, runId, taskId, mapIndex },
    changes: { state, maxTries: retries.get(taskId) ?? 0 },
  }));
  await records.create(running, plan, dag, instances);
  const live = instances.map(({ ref, changes }) => LiveInstance.fresh(ref, changes));
  return { dag, records, run: running, plan, instances: live, isResumed: false };
}

async function takeUpRun(
  records: RunRecords,
  options: PrepareOptions,
  known: StoredDagRun,
  before: RunPlan | undefined,
): Promise<PreparedRun> {
  const { store, request, runId, now } = options;
  const { dag } = request;
  const { dagId } = dag;
  const plan: RunPlan = {
    createdAt: before?.createdAt ?? known.startDate ?? now.toISOString(),
    timeScale: request.timeScale ?? before?.timeScale ?? 1,
    ...{ pause: null, note: null },
  };
  await records.takeUp(plan, dag);
  await endInterrupted(records, options, known, plan);
  const rows = await store.taskInstances.list({ dagId, runIds: [runId] });
  const due = new Map(
    (await records.openWaits()).map(({ taskId, mapIndex, dueAt }) => [
      `${mapIndex} ${taskId}`,
      dueAt,
    ]),
  );
  const instances = await reconcile(records, options, known, rows);
  for (const one of instances) {
    const { taskId, mapIndex } = one.ref;
    one.waitUntil(due.get(`${mapIndex} ${taskId}`) ?? null);
  }
  return { dag, records, run: known, plan, instances, isResumed: true };
}

/** Attempts that no engine goes on with: this one has the run to itself. */
async function endInterrupted(
  records: RunRecords,
  { store, request, now, maxTaskRetryDelaySeconds }: PrepareOptions,
  { logicalDate }: StoredDagRun,
  { timeScale }: RunPlan,
): Promise<void> {
  const { tasks } = compileDag(request.dag);
  for (const attempt of await records.openAttempts()) {
    const task = tasks.get(attempt.taskId)?.task;
    if (task === undefined) {
      await records.end(closeOrphan(attempt, now.toISOString()), {}, undefined);
      continue;
    }
    const row = await store.taskInstances.get(attempt);
    const run = { logicalDate, timeScale, maxTaskRetryDelaySeconds };
    const end = afterInterruption({ attempt, row, task, run, now: now.toISOString() });
    await records.end(end.attempt, end.changes, end.wait);
  }
}

/** Rows that fit the Dag as it is now, and new ones for tasks it did not have. */
async function reconcile(
  records: RunRecords,
  { request, runId }: PrepareOptions,
  { logicalDate }: StoredDagRun,
  rows: readonly FoundTaskInstance[],
): Promise<LiveInstance[]> {
  const { dag } = request;
  const have = new Set(rows.map(({ taskId }) => taskId));
  const known = new Map(dag.tasks.map((task) => [task.taskId, task]));
  const changes: Parameters<RunRecords["change"]>[0][number][] = [];
  const live: LiveInstance[] = [];
  for (const row of rows) {
    const task = known.get(row.taskId);
    const one = new LiveInstance(row, null);
    if (task === undefined) {
      if (row.state !== "removed") changes.push({ ref: one.ref, changes: { state: "removed" } });
      continue;
    }
    // It was about to start, and did not; or its task has come back into the Dag, as Airflow has it.
    // Instances of a mapped task may also be gone because its list is shorter now.
    const isBack = row.state === "removed" && row.mapIndex < 0;
    const change = {
      ...((row.state === "scheduled" || row.state === "queued" || isBack) && { state: null }),
      ...(row.maxTries === null && { maxTries: task.retries }),
    };
    if (Object.keys(change).length > 0) changes.push({ ref: one.ref, changes: change });
    one.change(change);
    live.push(one);
  }
  const date = logicalDate === null ? null : new Date(logicalDate);
  for (const { taskId, mapIndex, state } of initialInstances(dag, date)) {
    if (have.has(taskId)) continue;
    const ref = { dagId: dag.dagId, runId, taskId, mapIndex };
    const fresh = { state, maxTries: known.get(taskId)?.retries ?? 0 };
    changes.push({ ref, changes: fresh });
    live.push(LiveInstance.fresh(ref, fresh));
  }
  await records.change(changes);
  return live;
}

function newRun(request: StartRunRequest, runId: string, now: Date): StoredDagRun {
  const asked = request.logicalDate;
  const logical = asked === undefined ? (dateInId(runId) ?? now) : asked;
  const date = logical?.toISOString() ?? null;
  return {
    dagId: request.dag.dagId,
    runId,
    ...{ logicalDate: date, dataIntervalStart: date, dataIntervalEnd: date },
    runAfter: date ?? now.toISOString(),
    ...{ startDate: null, endDate: null, clearNumber: 0, runType: "manual", state: "queued" },
    conf: request.conf ?? {},
    ...{ triggeringUserName: null, partitionKey: null, partitionDate: null },
    ...{ note: null, teamName: null },
  };
}

/** Airflow's own run ids carry a date: `manual__2026-01-02T03:04:05+00:00`. */
function dateInId(runId: string): Date | undefined {
  const date = /__(\d{4}-\d\d-\d\dT.*)$/.exec(runId)?.[1];
  const epochMs = Date.parse(date ?? "");
  return Number.isNaN(epochMs) ? undefined : new Date(epochMs);
}
