import { monotonicMs, RequestTimeoutError, type WireMap } from "@parlance/framing";
import { errorText } from "../logs/error-detail.ts";
import { HoldingChannel } from "./drained-loop.ts";
import { answerParseRequest } from "./parse-request.ts";
import { runTask } from "./run-task.ts";
import type { SessionParts } from "./session-parts.ts";
import { OUTPUT_MS, REPORT_MS } from "./session-times.ts";
import { TaskControl } from "./task-control.ts";

/**
 * Runs what the first frame asks for, once, and reports it. Never rejects.
 *
 * @returns the exit code: 0 when the supervisor confirmed the report, else 1
 */
export async function runSession(parts: SessionParts): Promise<number> {
  const { comm, links = [], monitor, options } = parts;
  const channel = new HoldingChannel(comm, links, options);
  const control = new TaskControl(monitor, channel);
  void control.pressed.then(({ kind, at }) => {
    // Whatever hangs: this process must not outlive a supervisor that has gone, or that will kill.
    const code = kind === "signal" ? 143 : 1;
    const left = at + options.graceMs + REPORT_MS + OUTPUT_MS - monotonicMs();
    setTimeout(() => monitor.exit(code), left).unref(); // an event loop that is through ends the process sooner
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
    return control.urgent?.kind === "signal" ? 143 : 1;
  }
}

async function firstBody(
  channel: HoldingChannel,
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
  const signalled = control.pressed.then((stop) => {
    // Not for faults: they are reported, once it is known for which task.
    return stop.kind === "signal" ? Promise.reject(stop.error) : first;
  });
  const frame = await Promise.race([first, signalled]);
  if (frame.body === null) throw new Error("the first frame has no body, expected StartupDetails");
  return frame.body;
}
