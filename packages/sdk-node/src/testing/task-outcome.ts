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
  /** Events of assets that it emitted; none unless it succeeded. */
  readonly assetEvents: readonly EmittedEvent[];
  /** What it asks a person; null when it asks nobody. */
  readonly question: AskedQuestion | null;
  /** What its state store holds now, by key. */
  readonly taskState: { readonly [key: string]: unknown };
  /** What `skipDownstream` named. */
  readonly skippedTasks: readonly (string | readonly [taskId: string, mapIndex: number])[];
  /** Types of the messages that the task sent, in order, as the wire calls them. */
  readonly requests: readonly string[];
}

/** An event of an asset, as a task emitted it. */
export interface EmittedEvent {
  readonly name: string;
  readonly uri: string;
  readonly extra: { readonly [key: string]: unknown };
  readonly alias: string | null;
  readonly partitionKey: string | null;
}

/** What `awaitInput` asks. */
export interface AskedQuestion {
  readonly subject: string;
  readonly body: string | null;
  readonly options: readonly string[];
  readonly defaults: readonly string[] | null;
  readonly multiple: boolean;
  /** Names of the fields to fill in, with what stands in them at first. */
  readonly params: { readonly [name: string]: unknown };
}
