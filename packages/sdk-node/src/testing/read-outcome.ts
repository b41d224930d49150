import type { Timestamp } from "@parlance/framing";
import { decodeValue } from "../values/decode-value.ts";
import type { Body } from "./answers/answer.ts";
import { moment } from "./answers/assets.ts";

/** How a task ended: a state of Airflow's. */
export type TaskOutcomeState =
  | "success"
  | "failed"
  | "up_for_retry"
  | "skipped"
  | "removed"
  | "deferred"
  | "up_for_reschedule"
  | "awaiting_input";

/** What a task said about its next try. */
export interface RetryFacts {
  /** Null: as the Dag has it. */
  readonly delayMs: number | null;
  readonly reason: string | null;
}

/** What a task waits for. */
export interface DeferralFacts {
  /** The trigger's class in Python; null when it waits for a person. */
  readonly classpath: string | null;
  readonly kwargs: { readonly [name: string]: unknown };
  readonly timeoutMs: number | null;
  readonly resumeMethod: string;
  readonly resumeKwargs: { readonly [name: string]: unknown };
}

/** The facts of a terminal message. */
export interface EndFacts {
  readonly state: TaskOutcomeState;
  /** For `up_for_retry`. */
  readonly retry: RetryFacts | null;
  /** For `deferred` and `awaiting_input`. */
  readonly deferral: DeferralFacts | null;
  /** For `up_for_reschedule`. */
  readonly rescheduleAt: Date | null;
  /** What the page of a mapped task shows for this instance in place of its index. */
  readonly renderedMapIndex: string | null;
}

const STATES: { readonly [type: string]: TaskOutcomeState } = {
  SucceedTask: "success",
  RetryTask: "up_for_retry",
  DeferTask: "deferred",
  RescheduleTask: "up_for_reschedule",
  AwaitInputTask: "awaiting_input",
};

/** Whether a message ends a task. */
export function isTerminal(body: Body): boolean {
  return body["type"] === "TaskState" || STATES[String(body["type"])] !== undefined;
}

/** Reads the message that ended a task. */
export function readEnd(body: Body): EndFacts {
  const type = String(body["type"]);
  const state = STATES[type] ?? (body["state"] as TaskOutcomeState);
  const waits = state === "deferred" || state === "awaiting_input";
  return {
    state,
    retry: state === "up_for_retry" ? retryFacts(body) : null,
    deferral: waits ? deferralFacts(body) : null,
    renderedMapIndex:
      typeof body["rendered_map_index"] === "string" ? body["rendered_map_index"] : null,
    rescheduleAt: (moment(body["reschedule_date"]) as Timestamp | null)?.toDate() ?? null,
  };
}

function retryFacts(body: Body): RetryFacts {
  const delay = body["retry_delay_seconds"] ?? null;
  return {
    delayMs: delay === null ? null : Number(delay) * 1000,
    reason: typeof body["retry_reason"] === "string" ? body["retry_reason"] : null,
  };
}

function deferralFacts(body: Body): DeferralFacts {
  const timeout = body["trigger_timeout"] ?? body["timeout"] ?? null;
  return {
    classpath: typeof body["classpath"] === "string" ? body["classpath"] : null,
    kwargs: decodeValue(body["trigger_kwargs"] ?? {}, "trigger_kwargs") as Body,
    timeoutMs: timeout === null ? null : milliseconds(timeout),
    resumeMethod: String(body["next_method"] ?? ""),
    resumeKwargs: decodeValue(body["next_kwargs"] ?? {}, "next_kwargs") as Body,
  };
}

/** A duration as the wire has it: seconds, or ISO 8601 (`PT1H30M`, `P1DT0.5S`). */
function milliseconds(duration: unknown): number {
  if (typeof duration === "number") return duration * 1000;
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(String(duration));
  const [days, hours, minutes, seconds] = (parts ?? []).slice(1).map((part) => Number(part ?? 0));
  const whole = (days ?? 0) * 86_400 + (hours ?? 0) * 3_600 + (minutes ?? 0) * 60;
  return Math.round((whole + (seconds ?? 0)) * 1000);
}
