import { ExitCode } from "./errors.ts";
import type { CommandIo } from "./io.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Two signals within this time, in milliseconds, are one: npm passes a Ctrl-C on that the terminal
 * has sent to everybody already.
 */
const SAME_SIGNAL_MS = 500;

/** How long the last output of an interrupted run may take to be read, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

/**
 * This process as a command sees it, and its end: neither a signal nor an output that can't be
 * written ends the process while a command has something to clear up.
 *
 * The first Ctrl-C, SIGTERM or SIGHUP aborts `signal`, the second `killSignal`; the third ends
 * the process as if nobody had listened.
 */
export class ProcessIo {
  readonly io: Omit<CommandIo, "setExitCode">;
  readonly #controllers = [new AbortController(), new AbortController()];
  #signals = 0;
  #lastSignalAt = Number.NEGATIVE_INFINITY;
  /** The output is incomplete, though somebody was there to read it. */
  #hasLostOutput = false;

  constructor() {
    const [first, second] = this.#controllers.map(({ signal }) => signal);
    this.io = {
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      env: process.env,
      cwd: process.cwd(),
      signal: first as AbortSignal,
      killSignal: second,
    };
    for (const name of SIGNALS) process.on(name, this.#onSignal);
    process.stdout.on("error", (error: NodeJS.ErrnoException) => this.#onLostOutput(error));
    process.stderr.on("error", () => {}); // there is nobody left to tell
  }

  /** Sets the exit code; the process ends by itself once its output is read. */
  end(code: number): void {
    process.exitCode = code === ExitCode.ok && this.#hasLostOutput ? ExitCode.failed : code;
    // Who was interrupted does not wait for ever for a reader that stands still.
    if (this.#signals > 0) setTimeout(() => process.exit(), LAST_OUTPUT_MS).unref();
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - this.#lastSignalAt < SAME_SIGNAL_MS) return;
    this.#lastSignalAt = now;
    this.#controllers[this.#signals]?.abort(name);
    this.#signals += 1;
    if (this.#signals < this.#controllers.length) return;
    for (const each of SIGNALS) process.off(each, this.#onSignal);
  };

  #onLostOutput({ code, message }: NodeJS.ErrnoException): void {
    if (code === "EPIPE" || this.#hasLostOutput) return; // a reader that has had enough
    this.#hasLostOutput = true;
    process.stderr.write(`parlance: [cannot-write] stdout: ${message}\n`);
    process.exitCode ||= ExitCode.failed;
  }
}
