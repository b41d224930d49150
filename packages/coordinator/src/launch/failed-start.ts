import { type DiagnoseOptions, diagnoseEarlyExit } from "./diagnose-start.ts";
import type { StartErrorDetails } from "./start-error.ts";
import { DEFAULT_STARTUP_TIMEOUT_MS, type StartTaskProcessOptions } from "./start-options.ts";
import type { TaskProcess } from "./task-process.ts";

/** How long the output of a process that ended early may take to arrive, in milliseconds. */
const LAST_OUTPUT_MS = 250;

/** Why the wait for the two connections is over without them. */
export type StartFailure = "exited" | "timeout" | "aborted";

/**
 * Ends everything that was started, and says what happened.
 *
 * @param sawStrangers - connections were refused as foreign, which points to the process tree
 */
export async function endFailedStart(
  options: StartTaskProcessOptions,
  task: TaskProcess,
  failure: StartFailure,
  { sawStrangers }: { readonly sawStrangers: boolean },
): Promise<Omit<StartErrorDetails, "argv">> {
  if (failure === "exited") await task.killTree();
  else await task.terminate();
  await Promise.all([
    task.stdout.finishWithin(LAST_OUTPUT_MS),
    task.stderr.finishWithin(LAST_OUTPUT_MS),
  ]);
  const seen = {
    pid: task.pid,
    stdoutTail: task.stdout.tail,
    stderrTail: task.stderr.tail,
  };
  if (failure === "aborted") return { code: "aborted", happened: "aborted by the caller", ...seen };
  if (failure === "timeout") {
    const seconds = (options.startupTimeoutMs ?? DEFAULT_STARTUP_TIMEOUT_MS) / 1000;
    return {
      code: "startup-timeout",
      happened: `not both channels were connected within ${seconds} s`,
      hint: sawStrangers
        ? "the process that connects must stay below the launched one (no double fork), " +
          "run as our user, and its program must be readable for us"
        : "connect first and load user code afterwards, or raise the start-up time-out",
      ...seen,
    };
  }
  const exitCode = task.exitStatus?.exitCode;
  return {
    code: "exited-before-connect",
    happened: "ended before both channels were connected",
    exitCode,
    hint:
      exitCode === 0
        ? "the launched process must stay until the worker that it starts has ended: " +
          "no daemon, no background job; exec the worker, or wait for it"
        : await diagnoseEarlyExit(programOf(options)),
    ...seen,
  };
}

/** What a diagnosis needs to find the program as the system looks for it. */
export function programOf({ argv, cwd, env }: StartTaskProcessOptions): DiagnoseOptions {
  return { argv, cwd: cwd ?? process.cwd(), path: env["PATH"] ?? "/bin:/usr/bin" };
}
