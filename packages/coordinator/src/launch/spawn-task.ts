import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Readable } from "node:stream";

/** How often a program that is "busy" is tried: another process's fork may hold it for a moment. */
const BUSY_TRIES = 5;
const BUSY_PAUSE_MS = 20;

/** Descriptors that a start needs at its height, its helper's start and a look at /proc included. */
const NEEDED_DESCRIPTORS = 12;

/** @see spawnTask */
export interface SpawnTaskOptions {
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string | undefined;
}

/** A child that has certainly been started. */
export interface SpawnedTask {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/**
 * Starts a program without a shell, its stdin at /dev/null, its stdout and stderr on pipes, as
 * leader of a process group and session of its own (not on Windows).
 *
 * Stock Airflow lets the child inherit stdin. Ours reads end of file at once: a task can't eat
 * the input of the terminal or service that the coordinator runs in, and, being outside the
 * terminal's foreground group, would be stopped if it tried. That the child is outside also means
 * that Ctrl-C does not reach it by itself: the caller passes it on.
 *
 * @throws the system's error, with `code` (`ENOENT`, `EACCES`, …)
 */
export async function spawnTask(options: SpawnTaskOptions): Promise<SpawnedTask> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await spawnOnce(options);
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === "ETXTBSY";
      if (!isBusy || attempt >= BUSY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS * attempt));
    }
  }
}

function spawnOnce({ argv, env, cwd }: SpawnTaskOptions): Promise<SpawnedTask> | SpawnedTask {
  const [program = "", ...args] = argv;
  demandDescriptors();
  const child = spawn(program, args, {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ["ignore", "pipe", "pipe"],
    shell: false,
    detached: process.platform !== "win32", // there it would open a console window
    windowsHide: true,
  });
  const { pid, stdout, stderr } = child;
  if (pid !== undefined && stdout !== null && stderr !== null) {
    child.on("error", () => {}); // of a signal that could not be sent; the start went well
    return { child, pid, stdout, stderr };
  }
  return new Promise((_resolve, reject) => {
    child.once("error", (error) => {
      stdout?.destroy();
      stderr?.destroy();
      reject(error);
    });
  });
}

/**
 * Node gives the pipes of a process that it could not start for want of descriptors never back (seen
 * with 20.20 and 24), so that each try would leave us fewer. So we see first whether there are enough.
 *
 * @throws the system's error EMFILE or ENFILE
 */
function demandDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_DESCRIPTORS) opened.push(openSync(devNull, "r"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
