// Counted checks for scripts that try things one after another.
import { spawn } from "node:child_process";
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
export function capture(command, args, { cwd = ROOT, env = {}, timeoutMs = 300_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        output[name] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(output.stdout);
      const said = `${output.stdout}\n${output.stderr}`.trim().slice(-6000);
      reject(new Error(`${command} ${args.join(" ")} ended with ${signal ?? code}\n${said}`));
    });
  });
}
