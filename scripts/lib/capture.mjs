// Commands whose output is wanted, not shown. Plain Node without dependencies.
import { spawn } from "node:child_process";

/**
 * Runs a command to its end, for `timeoutMs` at most, and gathers what it wrote.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, timeoutMs: number }} options
 * @returns `code` is null after a signal, undefined when the command could not be started;
 *   `output` is stdout and stderr as they came. Never rejects.
 */
export function runCaptured(command, args, { cwd, env, timeoutMs }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    // Not spawn's own `timeout`: its timer keeps Node alive when the command does not exist.
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    const end = (result) => {
      clearTimeout(timer);
      resolve({ stdout, ...result });
    };
    child.on("error", (error) => end({ code: undefined, signal: null, output: String(error) }));
    child.on("close", (code, signal) => end({ code, signal, output }));
  });
}
