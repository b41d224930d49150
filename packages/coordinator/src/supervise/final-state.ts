import type { TerminalState } from "@parlance/protocol";

/** The state a task attempt ended in: one that a task can report, or the server's end of it. */
export type FinalState = TerminalState | "SERVER_TERMINATED";

/** What the verdict on an attempt depends on. */
export interface Outcome {
  /** Negative for a signal. */
  readonly exitCode: number;
  /** The state the last terminal message reported, or that the server ended the task; null for neither. */
  readonly reported: FinalState | null;
  /** Whether another try may follow. */
  readonly shouldRetry: boolean;
}

/**
 * The verdict on an attempt, as stock Airflow 3.3.2 computes it (tables STA-01 and STA-02): the
 * server's end of the task wins, then an exit code that is not zero, then what was reported. A
 * process that ends well without a word is a success.
 */
export function finalState({ exitCode, reported, shouldRetry }: Outcome): FinalState {
  if (reported === "SERVER_TERMINATED") return reported;
  if (exitCode !== 0) return shouldRetry ? "up_for_retry" : "failed";
  return reported ?? "success";
}
