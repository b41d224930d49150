import type { TaskInstanceRef } from "./task-store.ts";

/** What is known of one try beside its state. Dates are ISO 8601 in UTC. */
export interface TaskInstanceFacts {
  /** UUID of the try. Attempts that go on with a try (deferred, rescheduled) share it. */
  readonly id: string | null;
  /** Where a deferred try goes on: method and arguments, exactly as the task sent them. */
  readonly nextMethod: string | null;
  readonly nextKwargs: unknown;
  /** Body of the DeferTask or AwaitInputTask, for what waits in the task's place. */
  readonly deferral: { readonly [key: string]: unknown } | null;
  /** When a rescheduled try is due again. */
  readonly rescheduleDate: string | null;
  /** How often this try was rescheduled. */
  readonly rescheduleCount: number;
  /** When the first attempt of a rescheduled try began; null where it never was rescheduled. */
  readonly firstStartDate: string | null;
  /** How often it may be tried beside the first time; null where nobody counts. */
  readonly maxTries: number | null;
  /** Why it is in its state, for people, where that does not say it. */
  readonly note: string | null;
  /** What a RetryTask asked for. */
  readonly retryDelaySeconds: number | null;
  readonly retryReason: string | null;
  /** The label of a mapped instance. */
  readonly renderedMapIndex: string | null;
  /** Template fields as they were rendered. */
  readonly renderedFields: { readonly [field: string]: unknown } | null;
}

/** The last known state of a task instance. Dates are ISO 8601 in UTC. */
export interface StoredTaskInstance extends TaskInstanceRef, Partial<TaskInstanceFacts> {
  /** Null: it is to run, for the first time or, after a clear, again. */
  readonly state: string | null;
  readonly tryNumber: number;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** A task instance as a store gives it back: with every fact. */
export type FoundTaskInstance = StoredTaskInstance & TaskInstanceFacts;

/** Which task instances to list. An absent part filters nothing; an empty list lets none through. */
export interface TaskInstanceFilter {
  readonly dagId: string;
  readonly runIds?: readonly string[];
  readonly taskIds?: readonly string[];
  readonly mapIndex?: number;
}

/** What {@link TaskInstanceStore.update} may change: all but whose it is. */
export type TaskInstanceChanges = Partial<Omit<StoredTaskInstance, keyof TaskInstanceRef>>;

/**
 * Task instances, written by the coordinator and by what tasks say of themselves, and read by
 * their questions. Each has one present try; the earlier ones are its history.
 */
export interface TaskInstanceStore {
  get(ref: TaskInstanceRef): Promise<FoundTaskInstance | undefined>;
  /**
   * Replaces the present try: a fact that is left out is null after it. What was there before goes
   * into the history where it is another try, by its number or its id.
   */
  set(instance: StoredTaskInstance): Promise<void>;
  /** Changes some fields of the present try. False where there is none. */
  update(ref: TaskInstanceRef, changes: TaskInstanceChanges): Promise<boolean>;
  /** By run, task and map index, in code point order. */
  list(filter: TaskInstanceFilter): Promise<FoundTaskInstance[]>;
  /** The tries before the present one, the oldest first. */
  history(ref: TaskInstanceRef): Promise<FoundTaskInstance[]>;
}

/** Every fact of a try of which nothing is known. */
export const NO_FACTS: TaskInstanceFacts = {
  id: null,
  nextMethod: null,
  nextKwargs: null,
  deferral: null,
  rescheduleDate: null,
  rescheduleCount: 0,
  firstStartDate: null,
  maxTries: null,
  note: null,
  retryDelaySeconds: null,
  retryReason: null,
  renderedMapIndex: null,
  renderedFields: null,
};

/** Whether the row `before` is a try of its own, which the row `after` would wipe out. */
export function isEarlierTry(before: StoredTaskInstance, after: StoredTaskInstance): boolean {
  if (before.tryNumber !== after.tryNumber) return true;
  return before.id != null && after.id != null && before.id !== after.id;
}

/** A row without the parts that its key says. */
export function factsOf(instance: StoredTaskInstance): TaskInstanceChanges {
  const { dagId: _dag, runId: _run, taskId: _task, mapIndex: _map, ...facts } = instance;
  return facts;
}

/** What of `changes` is given: undefined changes nothing. */
export function given<Changes extends object>(changes: Changes): Partial<Changes> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Changes>;
}
