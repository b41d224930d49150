import { monotonicMs, type WireMap } from "@parlance/framing";
import { Requester } from "../client/requester.ts";
import { SupervisorClient } from "../client/supervisor-client.ts";
import { readStartupDetails } from "../context.ts";
import { attempt } from "./attempt.ts";
import type { HoldingChannel } from "./drained-loop.ts";
import { activeCarrier, flushSpans } from "./open-telemetry.ts";
import type { SessionParts } from "./session-parts.ts";
import { OUTPUT_MS, REPORT_MS, SPANS_MS, SPANS_URGENT_MS, STALL_MS } from "./session-times.ts";
import type { TaskControl } from "./task-control.ts";
import { type Outcome, terminalMessage } from "./terminal-message.ts";

/**
 * Runs one try of a task and reports how it ended.
 *
 * @returns the exit code 0, once the supervisor has confirmed the report
 * @throws what kept the report from being confirmed
 */
export async function runTask(
  body: WireMap,
  channel: HoldingChannel,
  control: TaskControl,
  parts: SessionParts,
): Promise<number> {
  const details = readStartupDetails(body, {
    signal: control.signal,
    findTimeout: (dagId, taskId) =>
      parts.bundle?.getTask(dagId, taskId)?.options.executionTimeoutMs ?? null,
  });
  const requester = new Requester(channel, {
    get carrier() {
      return activeCarrier(details.carrier);
    },
    onSlow: (request, seconds) =>
      parts.runtimeLog.warning("Still waiting for the supervisor's answer", { request, seconds }),
  });
  const client = new SupervisorClient(requester, details.context, {
    schemaVersion: details.schemaVersion,
    environment: parts.options.environment,
    warn: (event, fields) => parts.runtimeLog.warning(event, fields),
  });
  const ended = await attempt({ details, channel, requester, client, control, parts });
  await flushSpans(control.urgent === undefined ? SPANS_MS : SPANS_URGENT_MS);
  if (control.urgent?.kind === "link-lost") throw control.urgent.error;
  // Before the report: from then on stock allows 20 s, which many lines and a slow reader can use up.
  await parts.flush(control.urgent === undefined ? STALL_MS : OUTPUT_MS);

  const outcome = afterLateFault(ended, control, parts);
  const { dagId, taskId } = details.context;
  const { body: message, validate } = await terminalMessage(outcome, {
    details,
    renderedMapIndex: client.renderedMapIndex,
    outlets: client.outletEvents.toFields(),
    retryPolicy: parts.bundle?.getTask(dagId, taskId)?.options.retryPolicy,
    log: parts.runtimeLog,
    now: new Date(),
  });
  const confirmed = requester.send(message, validate, { timeoutMs: timeLeft(control, parts) });
  confirmed.catch(() => {}); // it may fail before it is awaited below
  await new Promise(setImmediate); // the message is out
  parts.whileReporting();
  await confirmed;
  return 0;
}

/** From here on a fault changes nothing and is only told; one of after the handler's end still counts. */
function afterLateFault(ended: Outcome, control: TaskControl, { log }: SessionParts): Outcome {
  const tell = (error: unknown) => log.error("An error after the end of the task", { error });
  control.onLateFault = ({ error }) => tell(error);
  const { stop } = control;
  if (stop?.kind !== "fault") return ended;
  if (ended.kind === "failed") {
    if (ended.error !== stop.error) tell(stop.error);
    return ended;
  }
  log.error("Task failed", { error: stop.error });
  return { kind: "failed", error: stop.error };
}

function timeLeft({ urgent }: TaskControl, { options }: SessionParts): number | undefined {
  if (urgent === undefined) return undefined;
  return Math.max(500, urgent.at + options.graceMs + REPORT_MS - monotonicMs());
}
