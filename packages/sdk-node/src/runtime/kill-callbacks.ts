import type { Logger } from "../logs/logger.ts";
import { kindOf } from "../outcomes/check-arguments.ts";
import type { KillCallback } from "../task-handler.ts";

/** What a handler wants done when it is ended before it is through: the `onKill` of its arguments. */
export class KillCallbacks {
  readonly #log: Logger;
  readonly #callbacks: KillCallback[] = [];
  #reason: { readonly error: unknown } | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#callbacks.length === 0;
  }

  /** The `onKill` of the handler's arguments; needs no `this`. */
  readonly add = (callback: KillCallback): void => {
    if (typeof callback !== "function") {
      throw new TypeError(`onKill(…) got ${kindOf(callback)}, expected a function`);
    }
    if (this.#reason === undefined) this.#callbacks.push(callback);
    else void this.#call(callback, this.#reason.error); // the task has been ended already
  };

  /** Calls them, last one first, each once. Their errors are logged. Never rejects. */
  async run(reason: unknown): Promise<void> {
    this.#reason = { error: reason };
    for (let next = this.#callbacks.pop(); next !== undefined; next = this.#callbacks.pop()) {
      await this.#call(next, reason);
    }
  }

  async #call(callback: KillCallback, reason: unknown): Promise<void> {
    try {
      await callback(reason);
    } catch (error) {
      this.#log.error("An onKill callback failed", { error });
    }
  }
}
