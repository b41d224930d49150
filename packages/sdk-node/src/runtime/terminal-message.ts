import { validate as validRetryTask } from "@parlance/protocol/validators/2026-06-16/RetryTask.js";
import { validate as validSucceedTask } from "@parlance/protocol/validators/2026-06-16/SucceedTask.js";
import { validate as validTaskState } from "@parlance/protocol/validators/2026-06-16/TaskState.js";
import type { Validate } from "../client/requester.ts";
import { errorText } from "../logs/error-detail.ts";
import { cutCodePoints } from "../logs/well-formed.ts";

/** How a task ended, as far as its own process can tell. */
export type Outcome =
  | { readonly kind: "success" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** There is no handler for it. */
  | { readonly kind: "removed" };

/** The one message that ends a task, and what checks it. */
export interface TerminalMessage {
  readonly body: { readonly type: string; readonly [field: string]: unknown };
  readonly validate: Validate;
}

/** Airflow cuts longer reasons. */
const MAX_REASON_CHARACTERS = 500;

/**
 * The message that reports an outcome. A failure with tries left must be RetryTask: after a
 * TaskState `failed` Airflow never retries.
 */
export function terminalMessage(
  outcome: Outcome,
  facts: { readonly shouldRetry: boolean; readonly now: Date },
): TerminalMessage {
  const end_date = facts.now.toISOString();
  if (outcome.kind === "success") {
    // The lists must be there: left out they reach Airflow's API as null, which it refuses.
    const body = { state: "success", end_date, task_outlets: [], outlet_events: [] };
    return { body: { type: "SucceedTask", ...body }, validate: validSucceedTask };
  }
  if (outcome.kind === "failed" && facts.shouldRetry) {
    const retry_reason = cutCodePoints(errorText(outcome.error), MAX_REASON_CHARACTERS);
    const body = { type: "RetryTask", state: "up_for_retry", end_date, retry_reason };
    return { body, validate: validRetryTask };
  }
  return { body: { type: "TaskState", state: outcome.kind, end_date }, validate: validTaskState };
}
