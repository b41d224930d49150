import { spawn } from "node:child_process";
import { CliError, ExitCode } from "../errors.ts";

/** How a tool is run. */
export interface ToolOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Default none. */
  readonly timeoutMs?: number;
}

/** How a tool has ended; `why` is empty when it did its work. */
export interface ToolEnd {
  readonly why: string;
  readonly stdout: string;
  /** The last of it. */
  readonly stderr: string;
}

const MAX_OUTPUT_CHARACTERS = 64 * 1024;

/**
 * Runs a program that helps in packing. That it fails, or can't be started, is no error here.
 *
 * @throws CliError `interrupted` (1)
 */
export async function runTool(argv: readonly string[], options: ToolOptions): Promise<ToolEnd> {
  const { cwd, env, signal, timeoutMs = 0 } = options;
  const [command = "", ...args] = argv;
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const kill = () => void child.kill("SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  if (signal?.aborted === true) kill();
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] = (output[name] + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
  }
  const why = await new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, end) => resolve(code === 0 ? "" : (end ?? `exit code ${code}`)));
  });
  signal?.removeEventListener("abort", kill);
  if (signal?.aborted === true) {
    throw new CliError("interrupted", "Interrupted; nothing was written.", ExitCode.failed);
  }
  return { why, ...output };
}
