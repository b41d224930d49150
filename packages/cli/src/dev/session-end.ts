import type { DagRunnerApi } from "@parlance/coordinator/dag-run";
import type { DevServer } from "@parlance/dev";
import type { CommandIo } from "../io.ts";

/**
 * Ends all runs: tasks get SIGTERM, and SIGKILL with a second Ctrl-C. They are left as runs that can
 * be taken up again.
 */
export async function endRuns(runner: DagRunnerApi, io: CommandIo): Promise<void> {
  const kill = () => {
    for (const run of runner.active()) run.kill().catch(() => {}); // close() hears of it, too
  };
  if (io.killSignal?.aborted === true) kill();
  io.killSignal?.addEventListener("abort", kill, { once: true });
  const count = runner.active().length;
  if (count > 0) io.stderr.write(`ending ${count} ${count === 1 ? "run" : "runs"}\n`);
  try {
    await runner.close();
  } finally {
    io.killSignal?.removeEventListener("abort", kill);
  }
}

/** Prints a new address for each Enter: one opens a single session. */
export function addressKey(io: CommandIo, server: DevServer): () => void {
  const { stdin } = io;
  const onData = () => void io.stdout.write(`${server.freshUrl()}\n`);
  stdin.on("data", onData);
  return () => {
    stdin.off("data", onData);
    stdin.pause();
  };
}
