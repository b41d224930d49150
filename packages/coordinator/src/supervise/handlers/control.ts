import { apiError, EMPTY } from "../answers.ts";
import type { Handler, HandlerTable } from "../attempt.ts";
import type { FinalState } from "../final-state.ts";
import { numberOf } from "../read-body.ts";

/** Messages about the attempt itself: how it ended, what to mask, how long it may take. */
export const CONTROL_HANDLERS: HandlerTable = {
  SucceedTask: reports("success"),
  RetryTask: reports("up_for_retry"),
  DeferTask: reports("deferred"),
  RescheduleTask: reports("up_for_reschedule"),
  AwaitInputTask: reports("awaiting_input"),
  TaskState(body, attempt) {
    attempt.report(body["state"] as FinalState, body);
    return EMPTY;
  },

  /** Works before its answer is out: what the child logs after it is masked. */
  MaskSecret(body, { masker }) {
    masker.add(body["value"], typeof body["name"] === "string" ? body["name"] : null);
    return EMPTY;
  },

  SetExecutionTimeout(body, attempt) {
    const seconds = numberOf(body["timeout_seconds"]);
    if (seconds === null || !(seconds > 0)) {
      return apiError(400, "SetExecutionTimeout: timeout_seconds is no number above 0");
    }
    attempt.setExecutionTimeout(seconds);
    return EMPTY;
  },
};

function reports(state: FinalState): Handler {
  return (body, attempt) => {
    attempt.report(state, body);
    return EMPTY;
  };
}
