import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findPeer } from "../peers/find-peer.ts";
import type {
  CeleryDump,
  CeleryGroup,
  CeleryOptions,
  CeleryOutcome,
  CelerySchema,
  CelerySend,
  CeleryTask,
  CeleryWrite,
  PeerError,
} from "./celery-types.ts";
import { openRequest } from "./open-request.ts";

/** Options of the client of a peer. */
export interface CeleryPeerOptions extends CeleryOptions {
  /** A worker's, to send it tasks. */
  readonly brokerFolder?: string;
  /** For each request that says no other; 60 000. */
  readonly deadlineMs?: number;
}

type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string; readonly trace: string };

const SCRIPT = fileURLToPath(new URL("../../peers/celery/celery_peer.py", import.meta.url));
const DEADLINE_MS = 240_000;
const EXIT_GRACE_MS = 2_000;
const STDERR_CHARACTERS = 3_000;

/**
 * Starts a Python process that drives the result backend of the real Celery 5.7.0: half a second.
 *
 * The tables are made (as Celery does at set-up) by the first operation. The process ends with this
 * one at the latest: its stdin is a pipe.
 *
 * @param url - with `db+`, and a driver where it is not SQLite: `server.celeryUrl(database)`
 */
export async function startCeleryPeer(
  url: string,
  options: CeleryPeerOptions = {},
): Promise<CeleryPeer> {
  const found = findPeer("celery-5.7.0");
  if ("missing" in found) throw new Error(`celery-5.7.0: ${found.missing}`);
  const peer = new CeleryPeer(found.path, options.deadlineMs ?? DEADLINE_MS);
  try {
    await peer.request(openRequest(url, options, options.brokerFolder));
    return peer;
  } catch (error) {
    await peer.close();
    throw error;
  }
}

/** A client of that process. Requests are answered one after the other. */
export class CeleryPeer {
  readonly #process: ChildProcess;
  readonly #deadlineMs: number;
  readonly #waiting: ((reply: Reply) => void)[] = [];
  #stderr = "";

  /** Use `startCeleryPeer`. */
  constructor(python: string, deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    const child = spawn(python, ["-u", SCRIPT], { stdio: ["pipe", "pipe", "pipe"] });
    this.#process = child;
    // A test that failed and did not close it shall still end; a request's timer keeps it alive.
    child.unref();
    for (const pipe of child.stdio) (pipe as Socket | null)?.unref();
    child.stdin.on("error", () => {}); // told by the end
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-STDERR_CHARACTERS);
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      this.#waiting.shift()?.(JSON.parse(line) as Reply);
    });
    child.on("error", (error) => this.#failAll(error.message));
    child.on("close", (code, signal) => this.#failAll(`it ended with ${signal ?? code}`));
  }

  /** One outcome a write: a raised error is `{ error }`, no rejection. */
  async write(items: readonly CeleryWrite[]): Promise<readonly (PeerError | object)[]> {
    return (await this.request({ op: "write", items })) as readonly (PeerError | object)[];
  }

  /** As `write`, but an error rejects. */
  async mustWrite(...items: readonly CeleryWrite[]): Promise<void> {
    const errors = (await this.write(items)).filter((outcome) => "error" in outcome);
    if (errors.length > 0) throw new Error(`Celery did not write: ${JSON.stringify(errors)}`);
  }

  async readTask(id: string): Promise<CeleryTask> {
    const { tasks } = await this.read({ ids: [id] });
    return this.#orThrow(tasks[id], id) as CeleryTask;
  }

  /** null when there is none. */
  async readGroup(id: string): Promise<CeleryGroup | null> {
    const { groups } = await this.read({ groups: [id] });
    return this.#orThrow(groups[id], id) as CeleryGroup | null;
  }

  /** By id; a read that raises is `{ error }`. */
  async read(what: {
    readonly ids?: readonly string[];
    readonly groups?: readonly string[];
  }): Promise<{
    readonly tasks: Readonly<Record<string, CeleryTask | PeerError>>;
    readonly groups: Readonly<Record<string, CeleryGroup | PeerError | null>>;
  }> {
    return (await this.request({ op: "read", ...what })) as Awaited<ReturnType<CeleryPeer["read"]>>;
  }

  /** The raw rows of both tables. */
  async dump(): Promise<CeleryDump> {
    return (await this.request({ op: "dump" })) as CeleryDump;
  }

  /** Removes what is older; the configured `result_expires` without a number. */
  async cleanup(expiresSeconds?: number): Promise<void> {
    await this.request({ op: "cleanup", expires: expiresSeconds });
  }

  async schema(): Promise<CelerySchema> {
    return (await this.request({ op: "ddl" })) as CelerySchema;
  }

  /** Sends tasks to a worker; gives the id and the tuple form of each result. */
  async send(
    ...tasks: readonly CelerySend[]
  ): Promise<readonly { readonly id: string; readonly tuple: unknown }[]> {
    return (await this.request({ op: "send", tasks })) as Awaited<ReturnType<CeleryPeer["send"]>>;
  }

  /** `AsyncResult(id).get(timeout)`; `id` may be a tuple as `send` gives it. */
  async wait(id: unknown, timeoutSeconds: number, intervalSeconds = 0.05): Promise<CeleryOutcome> {
    const request = { op: "wait", id, timeout: timeoutSeconds, interval: intervalSeconds };
    return (await this.request(request)) as CeleryOutcome;
  }

  /**
   * Any request of `celery_peer.py`.
   *
   * @throws Error when it raised, when the process ended, or at the deadline (which ends it)
   */
  async request(request: Readonly<Record<string, unknown>>): Promise<unknown> {
    const label = `celery_peer.py ${String(request["op"])}`;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
      throw new Error(`${label}: the process has ended\n${this.#stderr}`);
    }
    let timer: NodeJS.Timeout | undefined;
    const reply = await new Promise<Reply>((resolve) => {
      this.#waiting.push(resolve);
      timer = setTimeout(() => {
        this.#failAll(`no answer within ${this.#deadlineMs} ms`);
        this.#process.kill("SIGKILL");
      }, this.#deadlineMs);
      this.#process.stdin?.write(`${JSON.stringify(request)}\n`);
    });
    clearTimeout(timer);
    if (reply.ok) return reply.value;
    throw new Error(`${label}: ${reply.error}\n${reply.trace}`);
  }

  /** Ends the process. May be called twice. */
  async close(): Promise<void> {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.ref();
    child.stdin?.end();
    await Promise.race([exited, sleep(EXIT_GRACE_MS, undefined, { ref: true })]);
    child.kill("SIGKILL");
    await exited;
  }

  #orThrow(value: unknown, id: string): unknown {
    if (value !== null && typeof value === "object" && "error" in value) {
      throw new Error(`Celery could not read ${id}: ${JSON.stringify(value.error)}`);
    }
    return value;
  }

  #failAll(reason: string): void {
    for (const settle of this.#waiting.splice(0)) {
      settle({ ok: false, error: reason, trace: this.#stderr });
    }
  }
}
