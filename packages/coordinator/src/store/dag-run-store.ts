/** A Dag run as a store keeps it. Dates are ISO 8601 text with a zone. */
export interface StoredDagRun {
  readonly dagId: string;
  readonly runId: string;
  readonly logicalDate: string | null;
  readonly dataIntervalStart: string | null;
  readonly dataIntervalEnd: string | null;
  /** The earliest moment at which it may start. */
  readonly runAfter: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** How often it was cleared. */
  readonly clearNumber: number;
  /** `manual`, `scheduled`, `operator_triggered`, … */
  readonly runType: string;
  /** `queued`, `running`, `success` or `failed`. */
  readonly state: string;
  readonly conf: { readonly [key: string]: unknown } | null;
  readonly triggeringUserName: string | null;
  readonly partitionKey: string | null;
  readonly partitionDate: string | null;
  readonly note: string | null;
  readonly teamName: string | null;
}

/** Which runs to list. An absent part filters nothing; an empty list lets none through. */
export interface DagRunFilter {
  readonly dagId: string;
  readonly runIds?: readonly string[];
  readonly states?: readonly string[];
  /** ISO 8601 text, compared as moments. */
  readonly logicalDates?: readonly string[];
}

/** What {@link DagRunStore.update} may change. */
export type DagRunChanges = Partial<Omit<StoredDagRun, "dagId" | "runId">>;

/** Dag runs, by Dag and run id. */
export interface DagRunStore {
  get(dagId: string, runId: string): Promise<StoredDagRun | undefined>;
  /** Writes over an older one. */
  set(run: StoredDagRun): Promise<void>;
  /** False, and nothing is changed, where there is one already. */
  create(run: StoredDagRun): Promise<boolean>;
  /** Changes some fields. False where there is no such run. */
  update(dagId: string, runId: string, changes: DagRunChanges): Promise<boolean>;
  /**
   * Makes it ready to run again, as Airflow clears a run: its count of clears goes up, one that had
   * ended is queued and has no end, and each of its task instances goes into the history and is
   * without a state. XComs stay until the tasks run. False where there is no such run.
   */
  clear(dagId: string, runId: string): Promise<boolean>;
  /** By logical date, the oldest first, those without one before them; then by run id. */
  list(filter: DagRunFilter): Promise<StoredDagRun[]>;
  /** The one with the youngest logical date before `before` (ISO 8601), of those in `state`. */
  previous(dagId: string, before: string, state?: string): Promise<StoredDagRun | undefined>;
}

/** States of a run that is over. */
const FINISHED = new Set(["success", "failed"]);

/** A run as it is after a clear. */
export function clearedRun(run: StoredDagRun): StoredDagRun {
  const counted = { ...run, clearNumber: run.clearNumber + 1 };
  return FINISHED.has(run.state)
    ? { ...counted, state: "queued", startDate: null, endDate: null }
    : counted;
}
