import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findPeer } from "../peers/find-peer.ts";
import { GuardedProgram } from "../processes/guarded-program.ts";
import { type CeleryPeer, type CeleryPeerOptions, startCeleryPeer } from "./celery-peer.ts";
import type { CeleryOptions } from "./celery-types.ts";
import { peerOptions } from "./open-request.ts";

/** Options of a worker. */
export interface CeleryWorkerOptions extends CeleryOptions {
  /** `solo` runs tasks in the worker itself, `prefork` in two forked processes; solo. */
  readonly pool?: "solo" | "prefork";
}

const FOLDER = fileURLToPath(new URL("../../peers/celery/", import.meta.url));
const READY = / ready\.$/m;
const READY_LIMIT_MS = 240_000;
const POLL_MS = 20;
const PREFORK_PROCESSES = 2;

/**
 * Starts a real Celery 5.7.0 worker with a broker that consists of folders and the tasks of
 * `peers/celery/worker_app.py`. One to two seconds.
 *
 * It ends with this process at the latest, however that ends, and leaves no file.
 */
export async function startCeleryWorker(
  url: string,
  options: CeleryWorkerOptions = {},
): Promise<CeleryWorker> {
  const peer = findPeer("celery-5.7.0");
  if ("missing" in peer) throw new Error(`celery-5.7.0: ${peer.missing}`);
  const program = new GuardedProgram("celery", { keepUser: true });
  try {
    const worker = new CeleryWorker(program, url, options);
    await startProgram(program, peer.path, url, options, worker.brokerFolder);
    return worker;
  } catch (error) {
    await program.close();
    throw error;
  }
}

async function startProgram(
  program: GuardedProgram,
  python: string,
  url: string,
  options: CeleryWorkerOptions,
  brokerFolder: string,
): Promise<void> {
  const { folder } = program;
  const settings = join(folder, "settings.json");
  writeFileSync(settings, JSON.stringify(peerOptions(url, options, brokerFolder)), { mode: 0o600 });
  for (const name of ["queue", "control"]) mkdirSync(join(brokerFolder, name), { recursive: true });
  const { pool = "solo" } = options;
  const processes = pool === "prefork" ? ["--concurrency", String(PREFORK_PROCESSES)] : [];
  await program.start({
    command: python,
    args: [
      ...["-m", "celery", "-A", "worker_app", "worker", "--pool", pool, ...processes],
      ...["--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"],
    ],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      LANG: "C.UTF-8",
      PYTHONPATH: FOLDER,
      PYTHONDONTWRITEBYTECODE: "1",
      CELERY_PEER_SETTINGS: settings,
      C_FORCE_ROOT: "1",
    },
  });
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!READY.test(readFileSync(program.logFile, "utf8"))) {
    if (!program.isRunning || Date.now() > deadline) {
      throw new Error(`the Celery worker did not get ready:\n${program.logTail()}`);
    }
    await sleep(POLL_MS);
  }
}

/** A worker that runs. */
export class CeleryWorker {
  readonly #program: GuardedProgram;
  readonly #url: string;
  readonly #options: CeleryOptions;

  /** Use `startCeleryWorker`. */
  constructor(program: GuardedProgram, url: string, options: CeleryOptions) {
    this.#program = program;
    this.#url = url;
    this.#options = options;
  }

  get brokerFolder(): string {
    return join(this.#program.folder, "broker");
  }

  /** For files that tasks wait for; removed with the worker. */
  get folder(): string {
    return this.#program.folder;
  }

  /** A client with the worker's own settings, to send it tasks. */
  async client(options: CeleryPeerOptions = {}): Promise<CeleryPeer> {
    const { brokerFolder } = this;
    return await startCeleryPeer(this.#url, { ...this.#options, ...options, brokerFolder });
  }

  /** The end of its log. */
  logTail(): string {
    return this.#program.logTail();
  }

  /** Ends it at once, tasks included, and removes its files. May be called twice. */
  async stop(): Promise<void> {
    await this.#program.close();
  }
}
