import { RequestTimeoutError, TaskChannel, type WireMap } from "@parlance/framing";
import type { RegisteredTask } from "../bundle.ts";
import { Requester } from "../client/requester.ts";
import { SupervisorClient } from "../client/supervisor-client.ts";
import { readStartupDetails, type StartupDetails } from "../context.ts";
import { resolveInputs } from "../inputs/resolve-inputs.ts";
import { errorText } from "../logs/error-detail.ts";
import { answerParseRequest } from "./parse-request.ts";
import type { SessionParts } from "./session-parts.ts";
import { TaskControl } from "./task-control.ts";
import { type Outcome, terminalMessage } from "./terminal-message.ts";

/**
 * What remains after the handler's grace: 1.3 s for the report, 0.4 s for the output. With the
 * default grace that ends at 4.7 s, and stock kills 5 s after its SIGTERM.
 */
const REPORT_MS = 1300;
const OUTPUT_MS = 400;
/** A reader that takes nothing for so long is taken for dead. */
const STALL_MS = 30_000;

/**
 * Runs what the first frame asks for, once, and reports it. Never rejects.
 *
 * @returns the exit code: 0 when the supervisor confirmed the report, else 1
 */
export async function runSession(parts: SessionParts): Promise<number> {
  const { comm, monitor, options } = parts;
  const channel = new TaskChannel(comm, options);
  const control = new TaskControl(monitor, channel);
  void control.stopped.then(({ kind, at }) => {
    // Whatever hangs: this process must not outlive a supervisor that has gone, or that will kill.
    const code = kind === "signal" ? 143 : 1;
    const left = at + options.graceMs + REPORT_MS + OUTPUT_MS - performance.now();
    if (kind !== "fault") setTimeout(() => monitor.exit(code), left);
  });
  try {
    const body = await firstBody(channel, control, parts);
    if (body["type"] === "StartupDetails") return await runTask(body, channel, control, parts);
    if (body["type"] === "DagFileParseRequest") {
      return await answerParseRequest(body, channel, control, parts);
    }
    throw new Error(
      `the first frame has the type ${JSON.stringify(body["type"] ?? null)}, expected StartupDetails`,
    );
  } catch (error) {
    parts.runtimeLog.critical("The task could not be reported", { error });
    process.stderr.write(`parlance: the task could not be reported: ${errorText(error)}\n`);
    return control.stop?.kind === "signal" ? 143 : 1;
  }
}

async function firstBody(
  channel: TaskChannel,
  control: TaskControl,
  { options, comm }: SessionParts,
): Promise<WireMap> {
  const timeoutMs = options.firstFrameTimeoutMs;
  const first = channel.first({ timeoutMs }).catch((cause: unknown) => {
    const reason = comm.errored ?? cause;
    const message =
      cause instanceof RequestTimeoutError
        ? `no first frame came within ${timeoutMs / 1000} s: the supervisor took the connection but sent no startup details`
        : `the connection to the supervisor ended before its first frame, the startup details (${errorText(reason)})`;
    throw new Error(message, { cause });
  });
  const signalled = control.stopped.then((stop) => {
    // Not for faults: they are reported, once it is known for which task.
    return stop.kind === "signal" ? Promise.reject(stop.error) : first;
  });
  const frame = await Promise.race([first, signalled]);
  if (frame.body === null) throw new Error("the first frame has no body, expected StartupDetails");
  return frame.body;
}

async function runTask(
  body: WireMap,
  channel: TaskChannel,
  control: TaskControl,
  parts: SessionParts,
): Promise<number> {
  const details = readStartupDetails(body, {
    signal: control.signal,
    findTimeout: (dagId, taskId) =>
      parts.bundle?.getTask(dagId, taskId)?.options?.executionTimeoutMs ?? null,
  });
  const requester = new Requester(channel, {
    carrier: details.carrier,
    onSlow: (request, seconds) =>
      parts.runtimeLog.warning("Still waiting for the supervisor's answer", { request, seconds }),
  });
  const client = new SupervisorClient(requester, details.context);
  const outcome = await attempt(details, client, control, parts);
  if (control.stop?.kind === "link-lost") throw control.stop.error;

  const { body: message, validate } = terminalMessage(outcome, {
    shouldRetry: details.context.shouldRetry,
    now: new Date(),
  });
  // Before the report: from then on stock allows 20 s, which many lines and a slow reader can use up.
  await parts.flush(control.stop === undefined ? STALL_MS : OUTPUT_MS);
  control.onLateFault = (fault) =>
    parts.log.error("An error after the end of the task", { error: fault.error });
  const confirmed = requester.send(message, validate, { timeoutMs: timeLeft(control, parts) });
  confirmed.catch(() => {}); // it may fail before it is awaited below
  await new Promise(setImmediate); // the message is out
  parts.whileReporting();
  await confirmed;
  return 0;
}

function timeLeft({ stop }: TaskControl, { options }: SessionParts): number | undefined {
  if (stop === undefined || stop.kind === "fault") return undefined;
  return Math.max(500, stop.at + options.graceMs + REPORT_MS - performance.now());
}

/** One try, with its failure logged. Never rejects. */
async function attempt(
  details: StartupDetails,
  client: SupervisorClient,
  control: TaskControl,
  parts: SessionParts,
): Promise<Outcome> {
  const { dagId, taskId } = details.context;
  const task = parts.bundle?.getTask(dagId, taskId);
  if (task === undefined && parts.bundle !== undefined) {
    const known = parts.bundle.list().map(([dag, tasks]) => `${dag}: ${tasks.join(", ")}`);
    parts.log.error("This program has no handler for the task", { dagId, taskId, known });
    return { kind: "removed" };
  }
  try {
    if (task === undefined) throw (await control.stopped).error;
    await untilStopped(runHandler(task, details, client, control, parts), control, parts);
    await new Promise(setImmediate); // an unhandled rejection of this turn is told only after it
    if (control.stop !== undefined) throw control.stop.error;
    return { kind: "success" };
  } catch (thrown) {
    // What stopped the task is its reason, whatever the handler made of it.
    const error = control.stop === undefined ? thrown : control.stop.error;
    const more = thrown === error ? {} : { handler_error: errorText(thrown) };
    parts.log.error("Task failed", { error: asError(error), ...more });
    return { kind: "failed", error };
  }
}

/** Clears what an earlier try left, runs the handler and pushes its result. */
async function runHandler(
  { handler, inputs: declarations }: RegisteredTask,
  { context, xcomKeysToClear, bindings }: StartupDetails,
  client: SupervisorClient,
  { signal, stop }: TaskControl,
  { log }: SessionParts,
): Promise<void> {
  if (stop !== undefined) throw stop.error;
  for (const key of xcomKeysToClear) await client.deleteXCom({ key });
  const inputs = await resolveInputs({ declarations, bindings, client, context, log });
  const value = await onItsOwn(async function parlanceCallsHandler() {
    return handler({ context, client, log, signal, inputs, onKill: () => {}, resumed: null });
  });
  if (value !== undefined && value !== null) await client.setResult(value);
}

/** Calls from an empty stack: what the handler throws has but two calls of ours in its trace. */
function onItsOwn<Value>(call: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      call().then(
        (value) => resolve(value),
        (error: unknown) => reject(error),
      );
    });
  });
}

/** Waits for the work; when the task is stopped, only as long as it has for cleaning up. */
async function untilStopped(
  work: Promise<void>,
  control: TaskControl,
  { options }: SessionParts,
): Promise<void> {
  const stop = await Promise.race([work.then(() => undefined), control.stopped]);
  if (stop === undefined) return;
  work.catch(() => {}); // it may still fail, when nobody looks any more
  if (stop.kind !== "fault") {
    const grace = new Promise<void>((resolve) => {
      setTimeout(resolve, options.graceMs);
    });
    await Promise.race([work, grace, control.hurried]);
  }
  throw stop.error;
}

/** A thrown value that is no Error would be shown without its kind. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const error = new Error(errorText(thrown));
  error.name = `thrown ${thrown === null ? "null" : typeof thrown}`;
  error.stack = "";
  return error;
}
