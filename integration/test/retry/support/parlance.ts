import { type ChildProcess, execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../../../packages/cli/bin/parlance.js", import.meta.url));

/** How a command line ended. */
export interface CliRun {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs the built `parlance` in a process of its own; `watch` is given that process. */
export function parlance(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  watch: (child: ChildProcess) => void = () => {},
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const options = { encoding: "buffer", env: { ...process.env, ...env } } as const;
    const child = execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code !== "number") return reject(error);
      resolve({ code, stdout, stderr: stderr.toString("utf8") });
    });
    watch(child);
  });
}
