import { spawn } from "node:child_process";

/** What a script left. */
export interface ShellRun {
  /** Null for a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script in a POSIX shell that ends at its first failing command. */
export function runShell(
  script: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly flags?: string },
): Promise<ShellRun> {
  const { cwd, env, flags = "-e" } = options;
  const child = spawn("sh", [flags, "-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      output[name] += piece;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...output }));
  });
}
