/**
 * Keeps stdout and stderr of this process open a little longer than the process itself, by a
 * helper that sleeps. Stock Airflow then sees the process gone before its last channel ends, and
 * is not late (up to 5 s otherwise, in about 2 of 100 tasks). Costs a process; does nothing where
 * it cannot be started.
 */
export function holdStderr(milliseconds: number): void {
  // Not imported: nobody else needs it, and it must not cost start-up time.
  const childProcess = process.getBuiltinModule?.("node:child_process");
  if (childProcess === undefined) return;
  const helper = childProcess.spawn("sleep", [String(milliseconds / 1000)], {
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  helper.on("error", () => {});
  helper.unref();
}
