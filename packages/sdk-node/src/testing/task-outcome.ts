import type { CapturedLog } from "./captured-logs.ts";
import type { EndFacts } from "./read-outcome.ts";

/** How one try of a task ended, and what it left. */
export interface TaskOutcome extends EndFacts {
  /** The task's result as another TypeScript task reads it; undefined when it has none. */
  readonly returnValue: unknown;
  /** Everything that the task stored, by key, read in the same way. */
  readonly xcoms: { readonly [key: string]: unknown };
  /** The task's records, and the runtime's own (logger `parlance`). Secrets are `***`. */
  readonly logs: readonly CapturedLog[];
  /** What a failed try threw. */
  readonly error: Error | undefined;
  /** What `skipDownstream` named. */
  readonly skippedTasks: readonly (string | readonly [taskId: string, mapIndex: number])[];
  /** Types of the messages that the task sent, in order, as the wire calls them. */
  readonly requests: readonly string[];
}
