import type { LiveInstance } from "./live-instance.ts";

/** The longest delay a timer of Node can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const WAITING: ReadonlySet<string | null> = new Set(["up_for_retry", "up_for_reschedule"]);

/** Wakes a run when the next of its waits is over. */
export class WaitClock {
  readonly #now: () => Date;
  readonly #onDue: (taskId: string) => void;
  readonly #waiting = new Set<LiveInstance>();
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => Date, onDue: (taskId: string) => void) {
    this.#now = now;
    this.#onDue = onDue;
  }

  /** Whether something waits for its time. */
  get isWaiting(): boolean {
    this.#forget();
    return this.#waiting.size > 0;
  }

  /** Watches an instance, if it waits. */
  add(one: LiveInstance): void {
    if (!WAITING.has(one.state) || one.dueMs === undefined) return;
    this.#waiting.add(one);
    this.#set();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #set(): void {
    clearTimeout(this.#timer);
    this.#forget();
    let next = Infinity;
    for (const { dueMs } of this.#waiting) next = Math.min(next, dueMs ?? Infinity);
    if (next === Infinity) return;
    const delayMs = Math.max(0, next - this.#now().getTime());
    this.#timer = setTimeout(() => this.#wake(), Math.min(delayMs, MAX_TIMER_MS));
  }

  #wake(): void {
    const now = this.#now().getTime();
    for (const one of this.#waiting) {
      if ((one.dueMs ?? 0) > now) continue;
      this.#waiting.delete(one);
      this.#onDue(one.ref.taskId);
    }
    this.#set();
  }

  /** Those that have been started meanwhile, or were told not to wait. */
  #forget(): void {
    for (const one of this.#waiting) {
      if (!WAITING.has(one.state) || one.dueMs === undefined) this.#waiting.delete(one);
    }
  }
}
