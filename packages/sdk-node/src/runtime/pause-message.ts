import { validate as validAwaitInput } from "@parlance/protocol/validators/2026-06-16/AwaitInputTask.js";
import { validate as validDefer } from "@parlance/protocol/validators/2026-06-16/DeferTask.js";
import { validate as validReschedule } from "@parlance/protocol/validators/2026-06-16/RescheduleTask.js";
import type { OutcomeFacts } from "../outcomes/task-outcome.ts";
import { encodeValue } from "../values/encode-value.ts";
import type { TerminalMessage } from "./terminal-message.ts";

/**
 * The message of a task that goes on later, in another process.
 *
 * @param shown - `rendered_map_index`, where there is one; a rescheduled task has no field for it
 */
export function pauseMessage(
  facts: Exclude<OutcomeFacts, { kind: "skip" }>,
  end_date: string,
  shown: { readonly rendered_map_index?: string },
): TerminalMessage {
  switch (facts.kind) {
    case "reschedule": {
      const reschedule_date = facts.at.toISOString();
      const body = {
        type: "RescheduleTask",
        state: "up_for_reschedule",
        reschedule_date,
        end_date,
      };
      return { body, validate: validReschedule };
    }
    case "defer": {
      const body = {
        type: "DeferTask",
        state: "deferred",
        classpath: facts.classpath,
        trigger_kwargs: encodeValue(facts.triggerKwargs, "defer(…), kwargs"),
        trigger_timeout: duration(facts.timeoutMs),
        queue: servesQueues(process.env) ? facts.queue : null,
        ...next(facts),
        ...shown,
      };
      return { body, validate: validDefer };
    }
    case "await-input": {
      const timeout = duration(facts.timeoutMs);
      const body = {
        type: "AwaitInputTask",
        state: "awaiting_input",
        timeout,
        ...next(facts),
        ...shown,
      };
      return { body, validate: validAwaitInput };
    }
  }
}

/** Unless Airflow says otherwise: then no triggerer would ever look into a queue. 3.3 does not say. */
function servesQueues(env: NodeJS.ProcessEnv): boolean {
  return env["AIRFLOW__TRIGGERER__QUEUES_ENABLED"]?.toLowerCase() !== "false";
}

function next({
  resumeMethod,
  kwargs,
}: {
  readonly resumeMethod: string;
  readonly kwargs: object;
}) {
  return {
    next_method: resumeMethod,
    next_kwargs: encodeValue(kwargs, "kwargs for the next start"),
  };
}

/** ISO 8601, in seconds: 90500 is `PT90.5S`. Never with an exponent, to the millisecond. */
function duration(ms: number | null): string | null {
  return ms === null ? null : `PT${Number((ms / 1000).toFixed(3))}S`;
}
