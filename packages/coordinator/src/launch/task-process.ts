import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { RootProcess } from "../ownership/ownership-checker.ts";
import { readProcessStat } from "../ownership/process-stat.ts";
import { createProcessTable } from "../ownership/process-table.ts";
import { within } from "../time-limit.ts";
import type { ExitStatus } from "./exit-status.ts";
import { toExitStatus } from "./exit-status.ts";
import { guardian } from "./guardian.ts";
import { OutputBuffer } from "./output-buffer.ts";
import { FAMILY_VARIABLE, ProcessFamily } from "./process-family.ts";
import { type SpawnedTask, spawnTask } from "./spawn-task.ts";

/** How long the exit event of a process that is gone may take, in milliseconds. */
const EXIT_EVENT_MS = 1_000;

/** @see TaskProcess.spawn */
export interface TaskProcessOptions {
  readonly argv: readonly string[];
  /** The complete environment. */
  readonly env: { readonly [name: string]: string };
  readonly cwd?: string | undefined;
  /** From SIGTERM to SIGKILL, in milliseconds. */
  readonly killGraceMs: number;
  /** Aborting is {@link TaskProcess.killTree}. */
  readonly killSignal?: AbortSignal | undefined;
}

/** A launched process: its output, its end, and the end of everything it started. */
export class TaskProcess {
  readonly pid: number;
  readonly spawnedAtMs: number;
  /** Undefined where the system does not tell it cheaply (not Linux). */
  readonly startTime: number | undefined;
  readonly stdout: OutputBuffer;
  readonly stderr: OutputBuffer;
  /** Settles in the same turn as the exit event; never rejects. */
  readonly exited: Promise<ExitStatus>;
  readonly #family: ProcessFamily;
  readonly #killGraceMs: number;
  #exitStatus: ExitStatus | undefined;

  private constructor(
    spawned: SpawnedTask,
    details: { spawnedAtMs: number; mark: string } & TaskProcessOptions,
  ) {
    const { child, pid, stdout, stderr } = spawned;
    this.pid = pid;
    this.spawnedAtMs = details.spawnedAtMs;
    // Not reaped before the event loop turns, so this number can't be somebody else's yet.
    this.startTime = startTimeOf(pid);
    this.stdout = new OutputBuffer(stdout);
    this.stderr = new OutputBuffer(stderr);
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#exitStatus = toExitStatus(code, signal);
        resolve(this.#exitStatus);
      });
    });
    this.#killGraceMs = details.killGraceMs;
    this.#family = new ProcessFamily({
      leader: { pid, startTime: this.startTime },
      hasOwnGroup: process.platform !== "win32",
      mark: details.mark,
      processes: createProcessTable(),
      isReaped: () => this.#exitStatus !== undefined,
    });
    const kill = (): void => void this.killTree();
    if (details.killSignal?.aborted === true) kill();
    else details.killSignal?.addEventListener("abort", kill, { once: true });
  }

  /** Starts it. @throws the system's error, with `code` (`ENOENT`, `EACCES`, …) */
  static async spawn(options: TaskProcessOptions): Promise<TaskProcess> {
    const mark = randomUUID();
    const outer = process.env[FAMILY_VARIABLE]; // we may be part of a task ourselves
    const env = {
      ...options.env,
      [FAMILY_VARIABLE]: outer === undefined ? mark : `${outer} ${mark}`,
    };
    const spawnedAtMs = performance.now();
    const spawned = await spawnTask({ argv: options.argv, env, cwd: options.cwd });
    guardian.watch(spawned.pid, mark);
    return new TaskProcess(spawned, { ...options, spawnedAtMs, mark });
  }

  /** Undefined while it runs. */
  get exitStatus(): ExitStatus | undefined {
    return this.#exitStatus;
  }

  /** For the ownership check. */
  get root(): RootProcess {
    return { pid: this.pid, startTime: this.startTime };
  }

  /** @see StartedTask.kill */
  async kill(signal: NodeJS.Signals): Promise<void> {
    await this.#family.signal(signal);
  }

  /** @see StartedTask.terminate */
  async terminate(): Promise<ExitStatus> {
    const deadline = performance.now() + this.#killGraceMs;
    await this.#family.signal("SIGTERM");
    await within(this.#killGraceMs, this.exited);
    for (let pauseMs = 5; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 100)) {
      const members = await this.#family.members();
      if (members.length === 0 && this.#exitStatus !== undefined) break;
      await sleep(Math.min(pauseMs, deadline - performance.now()));
    }
    await this.killTree();
    // Stuck in the kernel it may still be there; it is as good as killed.
    return (await within(EXIT_EVENT_MS, this.exited)) ?? { exitCode: -constants.signals.SIGKILL };
  }

  /** @see StartedTask.killTree */
  async killTree(): Promise<readonly number[]> {
    const left = await this.#family.kill();
    if (left.length === 0) guardian.forget(this.pid);
    return left;
  }
}

function startTimeOf(pid: number): number | undefined {
  try {
    return readProcessStat("/proc", pid)?.startTime;
  } catch {
    return undefined; // no descriptor is left: the number alone must do
  }
}
