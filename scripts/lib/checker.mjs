// Counted checks for scripts that try things one after another.
import { runCaptured } from "./capture.mjs";
import { ROOT } from "./workspace.mjs";

/** Runs named checks, prints each outcome to stderr and counts them. */
export function checker() {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  return {
    totals,
    async check(name, body) {
      try {
        await body();
        totals.passed++;
        console.error(`ok   ${name}`);
      } catch (error) {
        totals.failed++;
        console.error(`FAIL ${name}\n${error.message}`);
      }
    },
    /** Under CI a missing peer is a failure. */
    skip(name, reason) {
      const ci = process.env.CI === "true";
      totals[ci ? "failed" : "skipped"]++;
      console.error(`${ci ? "FAIL" : "skip"} ${name}: ${reason}`);
    },
  };
}

/** Runs a command to its end and gives its stdout; any other exit code than 0 rejects with its output. */
export async function capture(command, args, options = {}) {
  const { cwd = ROOT, env = {}, timeoutMs = 300_000 } = options;
  const run = await runCaptured(command, args, { cwd, env: { ...process.env, ...env }, timeoutMs });
  if (run.code === 0) return run.stdout;
  const how =
    run.code === undefined ? "could not be started" : `ended with ${run.signal ?? run.code}`;
  const said = run.output.trim().slice(-6000);
  throw new Error(`${command} ${args.join(" ")} ${how}\n${said}`);
}
