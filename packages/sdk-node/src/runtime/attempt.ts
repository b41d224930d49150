import type { RegisteredTask } from "../bundle.ts";
import type { Requester } from "../client/requester.ts";
import type { SupervisorClient } from "../client/supervisor-client.ts";
import type { StartupDetails } from "../context.ts";
import { errorText } from "../logs/error-detail.ts";
import { isTaskRemoved } from "../outcomes/task-error.ts";
import { isTaskOutcome } from "../outcomes/task-outcome.ts";
import { callHandler } from "./call-handler.ts";
import type { HoldingChannel } from "./drained-loop.ts";
import { KillCallbacks } from "./kill-callbacks.ts";
import type { SessionParts } from "./session-parts.ts";
import type { TaskControl } from "./task-control.ts";
import type { Outcome } from "./terminal-message.ts";

/** What one try works with. */
export interface AttemptParts {
  readonly details: StartupDetails;
  readonly channel: HoldingChannel;
  readonly requester: Requester;
  readonly client: SupervisorClient;
  readonly control: TaskControl;
  readonly parts: SessionParts;
}

/** One try, with its end logged. Never rejects. */
export async function attempt(all: AttemptParts): Promise<Outcome> {
  const { details, control, parts } = all;
  const { dagId, taskId } = details.context;
  const task = parts.bundle?.getTask(dagId, taskId);
  const [fault] = parts.faults ?? []; // it may be that of this task's Dag
  if (task === undefined && parts.bundle !== undefined && fault === undefined) {
    const known = parts.bundle.list().map(([dag, tasks]) => `${dag}: ${tasks.join(", ")}`);
    parts.log.error("This program has no handler for the task", { dagId, taskId, known });
    return { kind: "removed" };
  }
  try {
    if (task === undefined) throw fault ?? (await control.stopped).error;
    await runToItsEnd(task, all);
    return { kind: "success" };
  } catch (thrown) {
    return await endOf(readable(thrown), all);
  }
}

/** The handler's work, and the faults that are told only after it. */
async function runToItsEnd(task: RegisteredTask, all: AttemptParts): Promise<void> {
  const { control, parts } = all;
  const kill = new KillCallbacks(parts.log);
  try {
    await untilStopped(callHandler(task, all, kill), kill, control, parts);
  } finally {
    await new Promise(setImmediate); // an unhandled rejection of this turn is told only after it
  }
  if (control.stop !== undefined) throw control.stop.error;
}

/** What a try that did not succeed is reported as. */
async function endOf(thrown: unknown, all: AttemptParts): Promise<Outcome> {
  const { control, parts, details, requester } = all;
  const { log } = parts;
  if (control.stop === undefined) {
    if (isTaskRemoved(thrown)) {
      log.error("Task removed", { error: thrown });
      return { kind: "removed" };
    }
    if (isTaskOutcome(thrown)) {
      try {
        const { announce } = await import("./announce-outcome.ts");
        await announce(thrown.facts, { details, requester, log });
        return { kind: "outcome", facts: thrown.facts };
      } catch (error) {
        log.error("Task failed", { error });
        return { kind: "failed", error };
      }
    }
  }
  // What stopped the task is its reason, whatever the handler made of it.
  const error = control.stop === undefined ? thrown : readable(control.stop.error);
  const more = thrown === error ? {} : { handler_error: errorText(thrown) };
  log.error("Task failed", { error: asError(error), ...more });
  return { kind: "failed", error };
}

/** Waits for the work; when the task is stopped, only as long as it has for cleaning up. */
async function untilStopped(
  work: Promise<void>,
  kill: KillCallbacks,
  control: TaskControl,
  { options }: SessionParts,
): Promise<void> {
  const stop = await Promise.race([work.then(() => undefined), control.stopped]);
  if (stop === undefined) return;
  work.catch(() => {}); // it may still fail, when nobody looks any more
  // After a fault the handler is not waited for; what it left to be cleaned up is.
  const cleanUp = [kill.isEmpty ? undefined : kill.run(stop.error)];
  if (stop.kind !== "fault") cleanUp.push(work.catch(() => {}));
  if (stop.kind !== "fault" || cleanUp[0] !== undefined) {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, options.graceMs);
    });
    await Promise.race([Promise.all(cleanUp), grace, control.hurried]);
    clearTimeout(timer);
  }
  throw stop.error;
}

/** What was thrown, unless it throws itself when it is looked at, as some proxies do. */
function readable(thrown: unknown): unknown {
  try {
    isTaskOutcome(thrown);
    errorText(thrown);
    return thrown;
  } catch (cause) {
    return new Error("what was thrown cannot be read", { cause });
  }
}

/** A thrown value that is no Error would be shown without its kind. */
function asError(thrown: unknown): Error {
  if (isTaskOutcome(thrown)) {
    const message =
      "skip(…), reschedule(…), defer(…) or awaitInput(…) was called where nobody waits for it; await the call that it is in";
    return new Error(message, { cause: thrown });
  }
  if (thrown instanceof Error) return thrown;
  const error = new Error(errorText(thrown));
  error.name = `thrown ${thrown === null ? "null" : typeof thrown}`;
  error.stack = "";
  return error;
}
