import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findPeer } from "../peers/find-peer.ts";
import { GuardedProgram } from "../processes/guarded-program.ts";
import type { AirflowVersion } from "./run-harness.ts";

const FOLDER = fileURLToPath(new URL("../../peers/python-runner/", import.meta.url));
const POLL_MS = 25;

/** What a {@link WarmRunner} runs. */
export interface WarmRunnerOptions {
  readonly version: AirflowVersion;
  /** The launcher that tasks are run by: `launcher.py` of the example. */
  readonly launcher: string;
}

/**
 * Starts a process that has Airflow imported already (2 s) and forks for each task: a task takes 0.3 s
 * then, not 1.6 s. The process, its tasks and its folder end with this one, however it ends. Linux only.
 *
 * @throws Error when the peer is missing, or the import fails
 */
export async function startWarmRunner(options: WarmRunnerOptions): Promise<WarmRunner> {
  const peer = findPeer(`airflow-${options.version}`);
  if ("missing" in peer) throw new Error(`startWarmRunner: ${peer.missing}`);
  const program = new GuardedProgram("warm", { keepUser: true });
  const runner = new WarmRunner(peer.path, program);
  try {
    mkdirSync(runner.home);
    const { HOME = program.folder, LANG = "C.UTF-8", PATH = "" } = process.env;
    await program.start({
      command: peer.path,
      args: [
        join(FOLDER, "warm_runner.py"),
        ...["--launcher", options.launcher],
        ...["--socket", runner.socket],
      ],
      env: { HOME, LANG, PATH, AIRFLOW_HOME: runner.home, AIRFLOW__CORE__LOAD_EXAMPLES: "False" },
    });
    while (!existsSync(runner.socket)) {
      // How long the import takes is the machine's business: seconds, or a minute beside others.
      if (!program.isRunning) throw new Error(`warm_runner.py did not start: ${program.logTail()}`);
      await sleep(POLL_MS);
    }
    return runner;
  } catch (error) {
    await program.close();
    throw error;
  }
}

/** @see startWarmRunner */
export class WarmRunner {
  /** Python of the peer. */
  readonly python: string;
  /** What tasks should get as AIRFLOW_HOME. */
  readonly home: string;
  readonly socket: string;
  readonly #program: GuardedProgram;

  /** Use {@link startWarmRunner}. */
  constructor(python: string, program: GuardedProgram) {
    this.python = python;
    this.#program = program;
    this.home = join(program.folder, "home");
    this.socket = join(program.folder, "socket");
  }

  /**
   * The command in whose place a coordinator would start `python launcher.py`.
   *
   * @param args - further arguments of the launcher: `--dags`, `--bundle`
   * @param recordFile - takes what crosses the comm link: for each piece one byte (0 to the task, 1 to
   *   the supervisor), its length (u32be), and the piece; for one attempt at a time
   */
  command(args: readonly string[], recordFile?: string): readonly string[] {
    const record = recordFile === undefined ? [] : ["--record", recordFile];
    return [
      this.python,
      "-I",
      "-S",
      join(FOLDER, "warm_launcher.py"),
      this.socket,
      ...record,
      ...args,
    ];
  }

  /** Ends the process and every task. May be called twice. */
  async close(): Promise<void> {
    await this.#program.close();
  }
}
