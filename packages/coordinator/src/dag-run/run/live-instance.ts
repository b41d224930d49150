import type { FoundTaskInstance, TaskInstanceChanges } from "../../store/task-instance-store.ts";
import { NO_FACTS } from "../../store/task-instance-store.ts";
import type { TaskInstanceRef } from "../../store/task-store.ts";
import type { InstanceSummary, TaskState } from "../history/history-types.ts";
import { instanceSummary } from "../history/instance-summary.ts";
import type { Stop } from "./after-attempt.ts";
import { dueMs } from "./retry-wait.ts";

/** An instance of a run that goes on: what the store has of it, and what only this process knows. */
export class LiveInstance {
  readonly ref: TaskInstanceRef;
  #row: FoundTaskInstance;
  #dueAt: string | null;
  /** Its next attempt goes on with the same try: it has rescheduled itself. */
  continues = false;
  /** Of the attempt that runs. */
  controller: AbortController | undefined;
  stop: Stop | undefined;

  constructor(row: FoundTaskInstance, dueAt: string | null) {
    const { dagId, runId, taskId, mapIndex } = row;
    this.ref = { dagId, runId, taskId, mapIndex };
    this.#row = row;
    this.#dueAt = dueAt;
    this.continues = row.state === "up_for_reschedule";
  }

  /** One of which nothing is known yet. */
  static fresh(ref: TaskInstanceRef, changes: TaskInstanceChanges): LiveInstance {
    const empty = { ...NO_FACTS, state: null, tryNumber: 0, startDate: null, endDate: null };
    return new LiveInstance({ ...empty, ...changes, ...ref } as FoundTaskInstance, null);
  }

  get state(): TaskState {
    return this.#row.state as TaskState;
  }

  get tryNumber(): number {
    return this.#row.tryNumber;
  }

  /** How often it may be tried again, as Airflow counts. */
  get maxTries(): number {
    return this.#row.maxTries ?? 0;
  }

  get row(): FoundTaskInstance {
    return this.#row;
  }

  get summary(): InstanceSummary {
    return instanceSummary(this.#row, this.#dueAt);
  }

  /** When its wait is over, in milliseconds since 1970; undefined where it does not wait. */
  get dueMs(): number | undefined {
    return this.#dueAt === null ? undefined : dueMs(this.#dueAt);
  }

  /** What was written to the store. */
  change(changes: TaskInstanceChanges): void {
    this.#row = { ...this.#row, ...changes };
  }

  /** The row as the store has it. */
  replace(row: FoundTaskInstance): void {
    this.#row = row;
  }

  /** Ends the attempt that runs, if one does; the first reason counts. */
  end(reason: Stop): void {
    if (this.controller === undefined) return;
    this.stop ??= reason;
    this.controller.abort();
  }

  waitUntil(dueAt: string | null): void {
    this.#dueAt = dueAt;
  }
}
