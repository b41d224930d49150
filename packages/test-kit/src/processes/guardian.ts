// Runs as a process of its own: `node guardian.js FOLDER`. Starts a program and ends it, with all
// that it started, when stdin ends: a parent that is killed closes its end of the pipe. Then it
// removes FOLDER. One JSON request a line on stdin, one JSON event a line on stdout.
//
// Linux only: what belongs to the program is found by its working folder, which must lie in FOLDER.
// (PostgreSQL's processes each lead a group of their own, so a signal to the group misses them.)
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** What the parent asks for. */
export type GuardianRequest =
  /** Answered by `started`, later by `ended`. */
  | ({ readonly op: "start" } & ProgramStart)
  /** To the program alone. Not answered. */
  | { readonly op: "signal"; readonly signal: NodeJS.Signals }
  /** SIGKILL to the program and all its processes, answered by `killed` when none is left. */
  | { readonly op: "kill" };

/** A program and its surroundings. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Below the guardian's folder. */
  readonly cwd: string;
  /** Appended to: stdout and stderr. */
  readonly logFile: string;
  /** Its stdin; nothing without it. */
  readonly inputFile?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** What a program that must tidy up gets at the end, before SIGKILL. */
  readonly stopSignal?: NodeJS.Signals;
}

/** What the parent is told. */
export type GuardianEvent =
  | { readonly event: "started"; readonly pid: number }
  | { readonly event: "ended"; readonly code: number | null; readonly signal: string | null }
  | { readonly event: "failed"; readonly message: string }
  | { readonly event: "killed" };

const STOP_GRACE_MS = 3_000;
const KILL_LIMIT_MS = 10_000;
const POLL_MS = 10;

const folder = process.argv[2] ?? "";
let program: ChildProcess | undefined;
let stopSignal: NodeJS.Signals | undefined;
let ending = false;

if (folder === "") throw new Error("guardian.js: give the folder to watch over");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end());
process.stdout.on("error", () => {}); // the parent is gone: stdin says so too
createInterface({ input: process.stdin })
  .on("line", (line) => void handle(JSON.parse(line) as GuardianRequest))
  .on("close", () => void end());

async function handle(request: GuardianRequest): Promise<void> {
  if (request.op === "start") start(request);
  else if (request.op === "signal") program?.kill(request.signal);
  else {
    await killAll();
    say({ event: "killed" });
  }
}

function start(request: ProgramStart): void {
  const { command, args, env, cwd, uid, gid } = request;
  stopSignal = request.stopSignal;
  const log = openSync(request.logFile, "a");
  const input = request.inputFile === undefined ? undefined : openSync(request.inputFile, "r");
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: [input ?? "ignore", log, log],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  closeSync(log);
  if (input !== undefined) closeSync(input);
  program = child;
  child.on("error", (error) => {
    if (program === child && child.pid === undefined) program = undefined; // it never ran
    say({ event: "failed", message: error.message });
  });
  child.on("exit", (code, signal) => {
    if (program === child) program = undefined;
    say({ event: "ended", code, signal });
  });
  if (child.pid !== undefined) say({ event: "started", pid: child.pid });
}

function say(event: GuardianEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  if (program !== undefined && stopSignal !== undefined) {
    program.kill(stopSignal);
    const deadline = Date.now() + STOP_GRACE_MS;
    while (program !== undefined && Date.now() < deadline) await sleep(POLL_MS);
  }
  await killAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
}

/** Until no process of the folder is left, or the limit has passed. */
async function killAll(): Promise<void> {
  const deadline = Date.now() + KILL_LIMIT_MS;
  program?.kill("SIGKILL");
  for (;;) {
    const left = processesIn(folder);
    if ((left.length === 0 && program === undefined) || Date.now() > deadline) return;
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // ended by itself
      }
    }
    await sleep(POLL_MS);
  }
}

function processesIn(root: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`);
      } catch {
        return false; // gone, or another user's
      }
    });
}
