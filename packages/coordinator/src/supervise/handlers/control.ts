import { TERMINAL_MESSAGES, type TerminalState, terminalState } from "@parlance/protocol";
import type { TaskInstanceChanges } from "../../store/task-instance-store.ts";
import { apiError, type Body, EMPTY, invalidRequest } from "../answers.ts";
import { assetChanges } from "../asset-changes.ts";
import type { Attempt, Handler, HandlerTable } from "../attempt.ts";
import { isoOf, numberOf, optionalText } from "../read-body.ts";

/** Longer reasons are cut, as the server does it. */
const MAX_REASON_CHARACTERS = 500;

/** Attempts whose asset events are in the store: a second SucceedTask has none of its own. */
const recorded = new WeakSet<Attempt>();

/** Every terminal message: the protocol says which state each stands for. */
const report: Handler = async (body, attempt) => {
  attempt.report(terminalState(body) as TerminalState, body); // it was validated
  const changes = await factsOf(body, attempt);
  if (changes !== undefined) {
    await attempt.store.taskInstances.update(attempt.taskInstance, changes);
  }
  if (body["type"] === "SucceedTask" && !recorded.has(attempt)) {
    const events = await assetChanges(body, attempt);
    if (events.length > 0) await attempt.store.assets.record(events);
    recorded.add(attempt);
  }
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
      return invalidRequest("SetExecutionTimeout: timeout_seconds is no number above 0");
    }
    attempt.setExecutionTimeout(seconds);
    return EMPTY;
  },

  /**
   * Over TCP no descriptor can be handed over. Stock does not notice: the system drops it, and the
   * answer names a number that means nothing to the task.
   */
  ResendLoggingFD: (_body, { strictAirflow }) =>
    strictAirflow
      ? { body: { type: "SentFDs", fds: [0] } }
      : apiError(400, "ResendLoggingFD: a file descriptor can't be handed over TCP"),

  DagFileParsingResult: () =>
    invalidRequest("DagFileParsingResult answers a DagFileParseRequest; this is a task's link"),
};

/** What a terminal message leaves with its task instance, for whatever goes on with it. */
async function factsOf(body: Body, attempt: Attempt): Promise<TaskInstanceChanges | undefined> {
  const label = optionalText(body["rendered_map_index"]);
  const changes = await factsByType(body, attempt);
  if (label === null) return changes;
  return { ...changes, renderedMapIndex: attempt.masker.maskText(label) };
}

async function factsByType(
  body: Body,
  { store, taskInstance, masker }: Attempt,
): Promise<TaskInstanceChanges | undefined> {
  switch (body["type"]) {
    case "SucceedTask": // known to the server at once: whatever becomes of the coordinator, it is done
      return { state: "success", endDate: isoOf(body["end_date"]) };
    case "DeferTask":
    case "AwaitInputTask":
      return {
        nextMethod: optionalText(body["next_method"]),
        nextKwargs: body["next_kwargs"] ?? null,
        deferral: body,
      };
    case "RescheduleTask": {
      const before = await store.taskInstances.get(taskInstance);
      return {
        rescheduleDate: isoOf(body["reschedule_date"]),
        rescheduleCount: (before?.rescheduleCount ?? 0) + 1,
        firstStartDate: before?.firstStartDate ?? before?.startDate ?? null,
      };
    }
    case "RetryTask": {
      const reason = optionalText(body["retry_reason"]);
      return {
        retryDelaySeconds: numberOf(body["retry_delay_seconds"]),
        retryReason: reason && masker.maskText(reason).slice(0, MAX_REASON_CHARACTERS),
      };
    }
    default:
      return undefined;
  }
}
