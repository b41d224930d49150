import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import {
  type RequestOptions,
  type ResponseFrame,
  TaskChannel,
  type TaskChannelOptions,
} from "@parlance/framing";

/**
 * The channel of a task's process that lets the process end when nothing but the link itself would
 * keep it: then the handler waits for something that can never come.
 *
 * The link holds the process except while a handler runs and no request of it is under way.
 */
export class HoldingChannel extends TaskChannel {
  readonly #comm: Socket;
  readonly #links: readonly Socket[];
  /** Whether comm holds the process. */
  #isHeld = true;
  #mayLetGo = false;

  /** @param links - comm and what else must not hold the process on its own; none: nothing is watched */
  constructor(comm: Socket, links: readonly Socket[], options: TaskChannelOptions) {
    super(comm, options);
    this.#comm = comm;
    this.#links = links;
    if (links.length > 0) comm.on("data", () => this.#letGoWhenIdle()); // after the answers
  }

  override request(body: unknown, options?: RequestOptions): Promise<ResponseFrame> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      this.#comm.ref();
    }
    return super.request(body, options);
  }

  /**
   * Watches while a handler runs.
   *
   * @param onDrained - called at most once, when nothing is left that could wake the handler
   * @returns ends the watch
   */
  watch(signal: AbortSignal, onDrained: () => void): () => void {
    if (this.#links.length === 0) return () => {};
    const onBeforeExit = (): void => {
      if (!this.#mayLetGo) return;
      stop();
      // Who listens to the signal may well wait for nothing else: it comes from outside.
      if (getEventListeners(signal, "abort").length === 0) onDrained();
    };
    const stop = (): void => {
      this.#mayLetGo = false;
      process.off("beforeExit", onBeforeExit);
      this.#isHeld = true;
      for (const link of this.#links) link.ref();
    };
    this.#mayLetGo = true;
    for (const link of this.#links) if (link !== this.#comm) link.unref();
    process.on("beforeExit", onBeforeExit);
    this.#letGoWhenIdle();
    return stop;
  }

  #letGoWhenIdle(): void {
    if (!this.#mayLetGo || !this.#isHeld || this.pendingRequests > 0) return;
    this.#isHeld = false;
    this.#comm.unref();
  }
}
