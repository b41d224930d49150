import type { LogRecord, SqliteTaskStore } from "@parlance/coordinator";
import type {
  AttemptSummary,
  InstanceSummary,
  RunHistory,
  WaitSummary,
} from "@parlance/coordinator/dag-run";
import { toNotation } from "../to-notation.ts";

/** One instance of a task: an entry of `tasks` in what `parlance run --json` prints of a whole Dag. */
export interface InstanceEntry {
  readonly taskId: string;
  /** -1 for one that is not mapped. */
  readonly mapIndex: number;
  /** Airflow's word; `none` for one that was not started. */
  readonly finalState: string;
  /** Of the last attempt; negative for a signal, null where there was none. */
  readonly exitCode: number | null;
  readonly tryNumber: number;
  /** How often it was started, over all processes that have run this run. */
  readonly attempts: number;
  /** Of the last attempt. */
  readonly durationMs: number;
  /** Why it is in this state, where that is worth a word. */
  readonly note: string | null;
  readonly waits: readonly Omit<WaitSummary, "dagId" | "runId" | "taskId" | "mapIndex">[];
  readonly xcoms: Readonly<Record<string, unknown>>;
  readonly retry?: { readonly reason: string };
  readonly error?: { readonly code: string; readonly message: string };
  readonly renderedMapIndex?: string;
  /** Every record of the last attempt. */
  readonly logs: readonly LogRecord[];
}

/** Entries of the instances of a run, with what they left. */
export async function readEntries(
  store: SqliteTaskStore,
  history: RunHistory,
  instances: readonly InstanceSummary[],
  logsOf: (attemptId: number) => readonly LogRecord[] | undefined,
): Promise<InstanceEntry[]> {
  const [first] = instances;
  if (first === undefined) return [];
  const attempts = new Map<string, AttemptSummary[]>();
  for (const attempt of await history.attempts({ dagId: first.dagId, runId: first.runId })) {
    const own = attempts.get(keyOf(attempt)) ?? [];
    attempts.set(keyOf(attempt), own);
    own.push(attempt);
  }
  const entries: InstanceEntry[] = [];
  for (const instance of instances) {
    const own = attempts.get(keyOf(instance)) ?? [];
    const last = own.at(-1);
    const { taskId, mapIndex, state, tryNumber, note, renderedMapIndex } = instance;
    const { dagId, runId } = instance;
    const left = await store.xcoms.list({ dagId, runId, taskId, mapIndex });
    const waits = own.length > 1 || state === "up_for_retry" ? await history.waits(instance) : [];
    entries.push({
      ...{ taskId, mapIndex, finalState: state ?? "none", exitCode: last?.exitCode ?? null },
      ...{ tryNumber, attempts: own.length, durationMs: last?.durationMs ?? 0, note },
      waits: waits.map(withoutRef),
      xcoms: Object.fromEntries(left.map(({ key, value }) => [key, toNotation(value)])),
      ...(state === "up_for_retry" && note !== null && { retry: { reason: note } }),
      ...(last?.error != null && { error: last.error }),
      ...(renderedMapIndex !== null && { renderedMapIndex }),
      logs: last === undefined ? [] : (logsOf(last.attemptId) ?? (await keptLog(history, last))),
    });
  }
  return entries;
}

/** Of an attempt that another process ran. */
async function keptLog(history: RunHistory, { attemptId }: AttemptSummary): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let from = 0; ; ) {
    const page = await history.log(attemptId, { from });
    if (page === undefined) return records;
    records.push(...page.entries);
    if (!page.hasMore) return records;
    from = page.next;
  }
}

function withoutRef(wait: WaitSummary): InstanceEntry["waits"][number] {
  const { dagId: _dag, runId: _run, taskId: _task, mapIndex: _map, ...rest } = wait;
  return rest;
}

function keyOf({
  taskId,
  mapIndex,
}: {
  readonly taskId: string;
  readonly mapIndex: number;
}): string {
  return `${mapIndex} ${taskId}`;
}
