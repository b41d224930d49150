/** Set by Parlance's own coordinator, which hears of an exit at once. */
const PARLANCE_MARK = "PARLANCE_TASK_PROCESS";

/** Waits for the end of its standard input, which is the end of this process, and 10 ms more. */
const HOLDER = "read _; sleep 0.01";

/** Whether a holder is of use under the supervisor that started this process. */
export function needsExitHolder(env: NodeJS.ProcessEnv): boolean {
  return env[PARLANCE_MARK] === undefined && process.platform !== "win32";
}

/**
 * Starts a helper that holds stdout and stderr of this process a moment longer than the process
 * itself lives.
 *
 * Stock Airflow looks for the exit when one of the four channels ends, once. The channels of a
 * process end a few microseconds before it can be waited for, and when that look comes too early
 * the supervisor sleeps for the rest of its heartbeat interval, 5 s. With a helper the last
 * channel ends when the process has gone for sure. Does nothing where it cannot be started.
 */
export function startExitHolder(): void {
  // Not imported: it would cost every program start-up time.
  const childProcess = process.getBuiltinModule?.("node:child_process");
  if (childProcess === undefined) return;
  const helper = childProcess.spawn("/bin/sh", ["-c", HOLDER], {
    stdio: ["pipe", "inherit", "inherit"],
    detached: true, // a signal to our group must not end it first
    env: {},
  });
  helper.on("error", () => {});
  helper.stdin.on("error", () => {});
  helper.unref();
}
