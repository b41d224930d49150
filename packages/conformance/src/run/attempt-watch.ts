import { readFileSync } from "node:fs";
import { type LogRecord, SUPERVISOR_LOGGER } from "@parlance/coordinator";
import type { ConformanceCase } from "../case/case-types.ts";
import { isSignalledByNumber } from "./launch-argv.ts";

const MAX_RECORDS = 50_000;

/** Takes the records of an attempt, sends its signals, and ends it when its time is over. */
export class AttemptWatch {
  readonly records: LogRecord[] = [];
  readonly supervisor: LogRecord[] = [];
  readonly terminate: AbortController = new AbortController();
  readonly kill: AbortController = new AbortController();
  readonly pidFile: string;
  late = false;
  #signalledAt: number | undefined;
  readonly #wanted: ConformanceCase;
  readonly #deadline: NodeJS.Timeout;
  readonly #stopFollowing: () => void;
  #slow: Promise<void> | undefined;

  constructor(wanted: ConformanceCase, pidFile: string, signal: AbortSignal | undefined) {
    this.#wanted = wanted;
    this.pidFile = pidFile;
    this.#deadline = setTimeout(() => {
      this.late = true;
      this.terminate.abort();
    }, wanted.deadlineSeconds * 1_000);
    const end = (): void => this.kill.abort();
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    this.#stopFollowing = () => signal?.removeEventListener("abort", end);
  }

  async write(record: LogRecord): Promise<void> {
    const { slowLogsMs, signal } = this.#wanted;
    const own = record.logger === SUPERVISOR_LOGGER;
    const list = own ? this.supervisor : this.records;
    if (list.length < MAX_RECORDS) list.push(record);
    if (!own && signal?.afterLog !== undefined && record.event === signal.afterLog) this.#signal();
    if (slowLogsMs === undefined || own) return;
    this.#slow ??= new Promise((resolve) => setTimeout(resolve, slowLogsMs));
    await this.#slow;
  }

  /** Both connections are there. */
  onConnect(): void {
    if (this.#wanted.signal?.afterConnect) this.#signal();
  }

  /** A request of this type has come. */
  onRequest(type: string): void {
    if (this.#wanted.signal?.afterRequest === type) this.#signal();
  }

  /** From the moment that the case is about: a cut, else a signal. Undefined where there was neither. */
  secondsSince(cutAt: number | undefined): number | undefined {
    const from = cutAt ?? this.#signalledAt;
    return from === undefined ? undefined : (performance.now() - from) / 1_000;
  }

  stop(): void {
    clearTimeout(this.#deadline);
    this.#stopFollowing();
  }

  /** Once, however often its moment comes. */
  #signal(): void {
    const { signal } = this.#wanted;
    if (signal === undefined || this.#signalledAt !== undefined) return;
    this.#signalledAt = performance.now();
    if (signal.name === "SIGKILL") this.kill.abort();
    else if (isSignalledByNumber(this.#wanted))
      this.#signalByNumber(signal.name, signal.times ?? 1);
    else this.terminate.abort();
  }

  #signalByNumber(name: "SIGTERM" | "SIGINT", times: number): void {
    try {
      process.kill(Number(readFileSync(this.pidFile, "utf8")), name);
    } catch {
      return; // it has ended: the case shows by what
    }
    // Apart, or the system would make one of them.
    if (times > 1) setTimeout(() => this.#signalByNumber(name, times - 1), 50);
  }
}
