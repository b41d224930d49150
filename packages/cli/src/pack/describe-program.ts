import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { buildChildEnvironment } from "@parlance/coordinator";
import { CliError, ExitCode } from "../errors.ts";

/** What a program says of itself: its SDK, and its Dags and tasks in order of registration. */
export interface ProgramDescription {
  readonly sdk: { readonly name: string; readonly version: string; readonly language: string };
  readonly dags: readonly (readonly [dagId: string, taskIds: readonly string[]])[];
  /** Ids of those among them that were made with `dag()`. */
  readonly native: readonly string[];
}

/** How the program is run to describe itself. */
export interface DescribeOptions {
  /** The environment to choose from; the program gets the same allow-list as a task. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** How long its last output may take to arrive, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** The descriptor that the program writes its description to: stdout and stderr stay its own. */
const DESCRIPTION_FD = 3;

/**
 * Runs a program once with `--describe-fd=3` and reads which Dags and tasks it serves.
 *
 * @throws CliError (65) `describe-timeout`, `describe-failed` (it ended with an error, or
 * without saying anything: serve() was not called), `describe-output` (more than 1 MiB), `bad-description`, `no-tasks`; `interrupted` (1)
 */
export async function describeProgram(
  argv: readonly string[],
  options: DescribeOptions,
): Promise<ProgramDescription> {
  const { timeoutMs = 30_000, signal } = options;
  const isInterrupted = (): boolean => signal?.aborted === true;
  if (isInterrupted()) throw interrupted();
  const [command = "", ...args] = argv;
  const child = spawn(command, [...args, `--describe-fd=${DESCRIPTION_FD}`], {
    cwd: options.cwd,
    env: buildChildEnvironment({ parent: options.env }),
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: process.platform !== "win32", // own group: a timeout ends what it started, too
  });
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
    } catch {
      // gone already
    }
  };
  let late = false;
  let tooMuch = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  const endNoise = () => {
    tooMuch = true;
    end();
  };
  const description = collect(child.stdio[DESCRIPTION_FD] as Readable, endNoise);
  const output = collect(child.stderr as Readable, endNoise);
  collect(child.stdout as Readable, endNoise);
  try {
    const ended = await new Promise<string>((resolve, reject) => {
      child.on("error", (cause) => {
        reject(failure("describe-failed", `could not be started: ${cause.message}.`, "", cause));
      });
      child.on("exit", () => {
        // What it has left in the background may hold its pipes for ever.
        const cut = () => child.stdio.forEach((stream) => void stream?.destroy());
        setTimeout(cut, LAST_OUTPUT_MS).unref();
      });
      child.on("close", (code, signalName) => resolve(signalName ?? `exit code ${code}`));
    });
    if (isInterrupted()) throw interrupted();
    if (late) {
      throw failure("describe-timeout", `did not end within ${timeoutMs / 1000} s.`, output());
    }
    if (tooMuch) {
      const limit = `wrote more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB before serve(bundle) had ended it.`;
      throw failure("describe-output", limit, output());
    }
    if (ended !== "exit code 0") throw failure("describe-failed", `ended with ${ended}.`, output());
    return parseDescription(description());
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Gathers a stream as text; too much of it ends the program. */
function collect(stream: Readable, end: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_OUTPUT_BYTES) end();
    else chunks.push(chunk);
  });
  stream.on("error", () => {});
  return () => Buffer.concat(chunks).toString("utf8");
}

function parseDescription(text: string): ProgramDescription {
  if (text === "") {
    throw failure(
      "describe-failed",
      "ended without naming its tasks: does the entry call serve(bundle)?",
      "",
    );
  }
  let value: { sdk?: unknown; order?: unknown; native?: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch (cause) {
    throw failure("bad-description", "wrote a description that is not JSON.", "", cause);
  }
  const { sdk, order, native = [] } = value;
  if (!isSdk(sdk) || !isOrder(order)) {
    throw failure("bad-description", "wrote a description without sdk and order.", "");
  }
  if (order.every(([, taskIds]) => taskIds.length === 0)) {
    throw failure("no-tasks", "registers no task: call bundle.task(dagId, taskId, handler).", "");
  }
  const isNative = (id: unknown): id is string => typeof id === "string";
  return { sdk, dags: order, native: Array.isArray(native) ? native.filter(isNative) : [] };
}

function isSdk(value: unknown): value is ProgramDescription["sdk"] {
  const sdk = value as Record<string, unknown> | null;
  return (
    typeof sdk === "object" &&
    ["name", "version", "language"].every((k) => typeof sdk?.[k] === "string")
  );
}

function isOrder(value: unknown): value is ProgramDescription["dags"] {
  return (
    Array.isArray(value) &&
    value.every(
      (entry) =>
        Array.isArray(entry) &&
        typeof entry[0] === "string" &&
        Array.isArray(entry[1]) &&
        entry[1].every((taskId) => typeof taskId === "string"),
    )
  );
}

function interrupted(): CliError {
  const message = "Interrupted while the program was run for its Dags and tasks.";
  return new CliError("interrupted", message, ExitCode.failed);
}

/** Lines of an uncaught error's print that say nothing about the program: calls inside Node, its version. */
const NODES_OWN_LINES = /^ +at (?:.*\()?(?:node:internal\/|\[eval\]).*\n|^Node\.js v.*\n?/gm;

/** The same of the SDK: the place in it that refused something, where the author's own is what counts. */
const SDK_LINES =
  /^.*\/(?:@parlance|packages)\/sdk-node\/(?:src|dist)\/.*:\d+\n.*\n *\^+\n+|^ +at .*\/(?:@parlance|packages)\/sdk-node\/(?:src|dist)\/.*\n/gm;

function failure(code: string, what: string, stderr: string, cause?: unknown): CliError {
  const said = stderr.replace(NODES_OWN_LINES, "").replace(SDK_LINES, "").trim().slice(-4000);
  const message = `The program was run once to learn its Dags and tasks; it ${what}`;
  return new CliError(
    code,
    said === "" ? message : `${message} It wrote to stderr:\n${said}`,
    ExitCode.badInput,
    said === "" ? {} : { stderr: said },
    cause === undefined ? undefined : { cause },
  );
}
