import type { Requester } from "../client/requester.ts";
import type { StartupDetails } from "../context.ts";
import { TaskStoppedError } from "../errors.ts";
import type { SessionParts } from "./session-parts.ts";
import { OUTPUT_MS, REPORT_MS } from "./session-times.ts";
import type { TaskControl } from "./task-control.ts";

/**
 * Ends the task when its handler takes too long. A process that is busy in a loop hears no timer: the
 * supervisor of a newer Airflow is told to end it, for an older one a thread watches.
 *
 * @returns takes the limit away
 */
export async function startExecutionTimeout(
  { context, schemaVersion }: StartupDetails,
  requester: Requester,
  control: TaskControl,
  { runtimeLog, options }: SessionParts,
): Promise<() => void> {
  const { executionTimeoutMs } = context;
  if (executionTimeoutMs === null) return () => {};
  const seconds = executionTimeoutMs / 1000;
  if (schemaVersion !== "2026-06-16") {
    const { validate } = await import(
      "@parlance/protocol/validators/2026-10-30/SetExecutionTimeout.js"
    );
    const body = { type: "SetExecutionTimeout", timeout_seconds: seconds };
    requester.send(body, validate).catch((error: unknown) => {
      runtimeLog.warning("The supervisor does not know of the execution timeout", { error });
    });
  }
  const endWatch =
    schemaVersion === "2026-06-16"
      ? (await import("./watch-busy-loop.ts")).watchBusyLoop(
          executionTimeoutMs + options.graceMs + REPORT_MS + OUTPUT_MS,
        )
      : () => {};
  const timer = setTimeout(() => {
    const message = `the task took longer than its execution timeout of ${seconds} s`;
    control.end("timeout", new TaskStoppedError("execution-timeout", message));
  }, executionTimeoutMs);
  timer.unref(); // a handler that waits for nothing else is told so at once
  return () => {
    clearTimeout(timer);
    endWatch();
  };
}
