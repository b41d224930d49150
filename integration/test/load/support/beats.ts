import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Heartbeat } from "@parlance/coordinator";

/** Beats that measure how late they come. */
export class Beats implements Heartbeat {
  readonly intervalMs: number;
  count = 0;
  /** The longest time between two beats, beyond the interval. */
  worstDelayMs = 0;
  #lastAt: number | undefined;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
  }

  async beat(): Promise<"running"> {
    const now = performance.now();
    if (this.#lastAt !== undefined) {
      this.worstDelayMs = Math.max(this.worstDelayMs, now - this.#lastAt - this.intervalMs);
    }
    this.#lastAt = now;
    this.count += 1;
    return "running";
  }
}

/**
 * A thread that does nothing but look at the clock: how late it comes is what the machine holds
 * everybody up for, and no fault of the thread beside it.
 */
export class Witness {
  readonly #thread: Worker;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  static async start(intervalMs: number): Promise<Witness> {
    const code = `
      const { parentPort } = require("node:worker_threads");
      let last = performance.now();
      let worst = 0;
      const look = () => {
        const now = performance.now();
        worst = Math.max(worst, now - last - ${intervalMs});
        last = now;
      };
      const timer = setInterval(look, ${intervalMs});
      parentPort.once("message", () => {
        clearInterval(timer);
        look();
        parentPort.postMessage(Math.round(worst));
      });
      parentPort.postMessage("up");`;
    const thread = new Worker(code, { eval: true });
    await once(thread, "message");
    return new Witness(thread);
  }

  /** Ends the thread. @returns how late it was at most, in milliseconds */
  async stop(): Promise<number> {
    const said = once(this.#thread, "message");
    const gone = once(this.#thread, "exit");
    this.#thread.postMessage("stop");
    const [worstMs] = (await said) as [number];
    await gone;
    return worstMs;
  }
}
