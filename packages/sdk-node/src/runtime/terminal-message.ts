import { validate as validRetryTask } from "@parlance/protocol/validators/2026-06-16/RetryTask.js";
import { validate as validSucceedTask } from "@parlance/protocol/validators/2026-06-16/SucceedTask.js";
import { validate as validTaskState } from "@parlance/protocol/validators/2026-06-16/TaskState.js";
import type { Validate } from "../client/requester.ts";
import type { StartupDetails } from "../context.ts";
import { errorText } from "../logs/error-detail.ts";
import type { Logger } from "../logs/logger.ts";
import { cutCodePoints } from "../logs/well-formed.ts";
import type { OutcomeFacts } from "../outcomes/task-outcome.ts";
import type { RetryPolicy } from "../task-handler.ts";
import { decideRetry } from "./decide-retry.ts";

/** How a task ended, as far as its own process can tell. */
export type Outcome =
  | { readonly kind: "success" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** There is no handler for it, or what it stands for has gone. */
  | { readonly kind: "removed" }
  | { readonly kind: "outcome"; readonly facts: OutcomeFacts };

/** The one message that ends a task, and what checks it. */
export interface TerminalMessage {
  readonly body: { readonly type: string; readonly [field: string]: unknown };
  readonly validate: Validate;
}

/** What a report is made of besides the outcome. */
export interface TerminalFacts {
  readonly details: Pick<StartupDetails, "context" | "schemaVersion">;
  /** What the task's page shows in place of its map index; null when nothing was said. */
  readonly renderedMapIndex: string | null;
  /** What a success says of assets. */
  readonly outlets: {
    readonly task_outlets: readonly object[];
    readonly outlet_events: readonly object[];
  };
  readonly retryPolicy: RetryPolicy | undefined;
  /** Hears of a retry policy that fails. */
  readonly log: Logger;
  readonly now: Date;
}

/** Airflow cuts longer reasons. */
const MAX_REASON_CHARACTERS = 500;

/**
 * The message that reports an outcome. A failure with tries left must be RetryTask: after a
 * TaskState `failed` Airflow never retries.
 */
export async function terminalMessage(
  outcome: Outcome,
  facts: TerminalFacts,
): Promise<TerminalMessage> {
  const end_date = facts.now.toISOString();
  const { renderedMapIndex } = facts;
  const shown = renderedMapIndex === null ? {} : { rendered_map_index: renderedMapIndex };
  switch (outcome.kind) {
    case "success": {
      const body = { state: "success", end_date, ...facts.outlets, ...shown };
      return { body: { type: "SucceedTask", ...body }, validate: validSucceedTask };
    }
    case "failed":
      return failureMessage(outcome.error, facts, { end_date, ...shown });
    case "removed":
      return taskState({ state: "removed", end_date, ...shown });
    case "outcome": {
      if (outcome.facts.kind === "skip") return taskState({ state: "skipped", end_date, ...shown });
      const { pauseMessage } = await import("./pause-message.ts");
      return pauseMessage(outcome.facts, end_date, shown);
    }
  }
}

function failureMessage(
  error: unknown,
  { details, retryPolicy, log }: TerminalFacts,
  common: { readonly end_date: string },
): TerminalMessage {
  const { context, schemaVersion } = details;
  const decision = decideRetry(error, context, retryPolicy, log);
  const reason = cutCodePoints(decision.retryReason ?? errorText(error), MAX_REASON_CHARACTERS);
  if (!context.shouldRetry || decision.retry === false) {
    const isPolicy = decision.retry === false && schemaVersion !== "2026-06-16";
    const more = isPolicy ? { retry_reason: reason } : {};
    return taskState({ state: "failed", ...common, ...more });
  }
  const { retryAfterMs } = decision;
  const delay =
    retryAfterMs === null || retryAfterMs === undefined
      ? {}
      : { retry_delay_seconds: retryAfterMs / 1000 };
  const body = { state: "up_for_retry", ...common, ...delay, retry_reason: reason };
  return { body: { type: "RetryTask", ...body }, validate: validRetryTask };
}

function taskState(fields: { readonly [field: string]: unknown }): TerminalMessage {
  return { body: { type: "TaskState", ...fields }, validate: validTaskState };
}
