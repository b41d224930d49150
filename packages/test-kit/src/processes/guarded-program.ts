import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { GuardianEvent, GuardianRequest, ProgramStart } from "./guardian.ts";
import { openFolder, type ProgramUser, programUser } from "./program-user.ts";

/** How a program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

const GUARDIAN = fileURLToPath(new URL("./guardian.js", import.meta.url));
const START_LIMIT_MS = 60_000;
const KILL_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 60_000;
const LOG_TAIL_CHARACTERS = 3_000;

/**
 * A program with a temporary folder of its own, both watched over by a guardian process: when this
 * process ends, however it does, the program and all it started is killed and the folder removed.
 *
 * It does not keep this process alive. Started by root, the program runs as `nobody`, who owns the
 * folder. Linux only.
 */
export class GuardedProgram {
  /** Only its user (and root) can read it. */
  readonly folder: string;
  /** Where stdout and stderr of all starts go. */
  readonly logFile: string;
  readonly #user: ProgramUser;
  readonly #guardian: ChildProcess;
  readonly #waiting = new Map<string, (event: GuardianEvent) => void>();
  #isRunning = false;
  /** Of the program that was started last; it may have come before `start` was through. */
  #end: Promise<ProgramEnd> | undefined;

  /**
   * @param label - part of the folder's name
   * @param options - `keepUser`: as the user of this process also when that is root
   */
  constructor(label: string, options: { readonly keepUser?: boolean } = {}) {
    this.#user = options.keepUser === true ? {} : programUser();
    this.folder = mkdtempSync(join(openFolder(this.#user), `parlance-${label}-`));
    this.logFile = join(this.folder, "output.log");
    if ("uid" in this.#user) chownSync(this.folder, this.#user.uid, this.#user.gid);
    // A session of its own: what ends the test's process group must not end the guardian.
    this.#guardian = spawn(process.execPath, [GUARDIAN, this.folder], {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#guardian.unref();
    const { stdin, stdout } = this.#guardian;
    if (stdin === null || stdout === null) throw new Error("unreachable: both are pipes");
    for (const pipe of [stdin, stdout]) (pipe as unknown as Socket).unref();
    stdin.on("error", () => {}); // told by the guardian's end
    createInterface({ input: stdout }).on("line", (line) => {
      const event = JSON.parse(line) as GuardianEvent;
      this.#waiting.get(event.event)?.(event);
    });
  }

  /** Whether the program that was started last still runs. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Starts it; a program at a time. `env` is all that it gets. Gives its process id. */
  async start(program: Omit<ProgramStart, "logFile" | "cwd" | "uid" | "gid">): Promise<number> {
    if (this.#isRunning) throw new Error(`${program.command} is running already`);
    const ended = this.#event("ended");
    const started = this.#event("started", "failed");
    const { folder: cwd, logFile } = this;
    this.#send({ op: "start", ...program, ...this.#user, cwd, logFile });
    const first = await withLimit(started, START_LIMIT_MS, `starting ${program.command}`);
    if (first.event === "failed") {
      throw new Error(`${program.command} could not be started: ${first.message}`);
    }
    this.#isRunning = true;
    this.#end = ended.then(({ code, signal }) => {
      this.#isRunning = false;
      return { code, signal };
    });
    return first.pid;
  }

  /** Waits for the end of the program that was started last, `limitMs` at most. */
  async ended(limitMs: number): Promise<ProgramEnd> {
    if (this.#end === undefined) throw new Error("no program was started");
    return await withLimit(this.#end, limitMs, "the program's end");
  }

  /** Sends a signal to the program, not to what it started. */
  signal(signal: NodeJS.Signals): void {
    this.#send({ op: "signal", signal });
  }

  /** SIGKILL for the program and all that it started; resolves when none of it is left. */
  async kill(): Promise<void> {
    const killed = this.#event("killed");
    const ended = this.#isRunning ? this.#end : undefined;
    this.#send({ op: "kill" });
    await withLimit(Promise.all([killed, ended]), KILL_LIMIT_MS, "killing the program");
  }

  /** Ends everything and removes the folder. May be called twice. */
  async close(): Promise<void> {
    const guardian = this.#guardian;
    if (guardian.exitCode !== null || guardian.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => guardian.once("exit", () => resolve()));
    guardian.stdin?.end();
    await withLimit(exited, CLOSE_LIMIT_MS, "the guardian's end");
  }

  /** The end of what the program wrote. */
  logTail(): string {
    try {
      return readFileSync(this.logFile, "utf8").slice(-LOG_TAIL_CHARACTERS).trim();
    } catch {
      return "";
    }
  }

  #send(request: GuardianRequest): void {
    this.#guardian.stdin?.write(`${JSON.stringify(request)}\n`);
  }

  /** The next event of one of these names. */
  #event<Name extends GuardianEvent["event"]>(...names: Name[]): Promise<EventOf<Name>> {
    return new Promise((resolve) => {
      const settle = (event: GuardianEvent): void => {
        for (const name of names) this.#waiting.delete(name);
        resolve(event as EventOf<Name>);
      };
      for (const name of names) this.#waiting.set(name, settle);
    });
  }
}

type EventOf<Name> = Extract<GuardianEvent, { readonly event: Name }>;

/** The timer also keeps this process alive while it waits. */
async function withLimit<Value>(
  promise: Promise<Value>,
  limitMs: number,
  what: string,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`${what} took longer than ${limitMs} ms`);
    timer = setTimeout(() => reject(error), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
