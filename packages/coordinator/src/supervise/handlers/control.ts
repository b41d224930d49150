import { TERMINAL_MESSAGES, type TerminalState, terminalState } from "@parlance/protocol";
import { apiError, EMPTY } from "../answers.ts";
import type { Handler, HandlerTable } from "../attempt.ts";
import { numberOf } from "../read-body.ts";

/** Every terminal message: the protocol says which state each stands for. */
const report: Handler = (body, attempt) => {
  attempt.report(terminalState(body) as TerminalState, body); // it was validated
  return EMPTY;
};

/** Messages about the attempt itself: how it ended, what to mask, how long it may take. */
export const CONTROL_HANDLERS: HandlerTable = {
  ...Object.fromEntries(Object.keys(TERMINAL_MESSAGES).map((type) => [type, report])),

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
