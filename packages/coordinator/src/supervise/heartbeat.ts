/** How an attempt tells a server that it is alive. */
export interface Heartbeat {
  /**
   * One beat. `gone` means that the server has ended the task (404, 409 or 410): the process is
   * ended and the final state is `SERVER_TERMINATED`. A rejection is a failed beat.
   */
  beat(signal: AbortSignal): Promise<"running" | "gone">;
  /** From the end of one beat to the next. Default 5,000, at least 10. */
  readonly intervalMs?: number;
  /** So many failed beats in a row end the process. Default 3. */
  readonly maxFailures?: number;
}

/** Why the beats want the process ended. */
export type HeartbeatVerdict = "gone" | "failing";

/** A wait of zero would spin while a beat is overdue. */
const MIN_INTERVAL_MS = 10;

/**
 * Beats at once and then at intervals, until {@link HeartbeatLoop.stop} or a verdict. A good beat
 * forgives the failures before it. A beat that hangs delays the next one and nothing else.
 */
export class HeartbeatLoop {
  readonly #heartbeat: Heartbeat;
  readonly #onVerdict: (verdict: HeartbeatVerdict) => void;
  readonly #abort = new AbortController();
  readonly #intervalMs: number;
  readonly #maxFailures: number;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(heartbeat: Heartbeat, onVerdict: (verdict: HeartbeatVerdict) => void) {
    this.#heartbeat = heartbeat;
    this.#onVerdict = onVerdict;
    const { intervalMs = 5_000 } = heartbeat;
    this.#intervalMs = Math.max(intervalMs || 0, MIN_INTERVAL_MS); // NaN is no interval either
    this.#maxFailures = heartbeat.maxFailures ?? 3;
  }

  start(): void {
    void this.#beat();
  }

  /** No further beat; one that is under way is aborted. Calling it twice is fine. */
  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  async #beat(): Promise<void> {
    let answer: "running" | "gone" | "failed";
    try {
      answer = await this.#heartbeat.beat(this.#abort.signal);
    } catch {
      answer = "failed";
    }
    if (this.#abort.signal.aborted) return;
    this.#failures = answer === "failed" ? this.#failures + 1 : 0;
    if (answer === "gone") return this.#end("gone");
    if (this.#failures >= this.#maxFailures) return this.#end("failing");
    this.#timer = setTimeout(() => void this.#beat(), this.#intervalMs);
  }

  #end(verdict: HeartbeatVerdict): void {
    this.stop();
    this.#onVerdict(verdict);
  }
}
