import type { Socket } from "node:net";
import { type ConnectionEnds, toEndpoint } from "../ownership/endpoint.ts";
import type { OwnershipChecker, RootProcess } from "../ownership/ownership-checker.ts";

/** How often a connection without an owner is looked up again, in milliseconds (as stock). */
const RETRY_MS = 50;
/** How long a connection may stay without an owner, in milliseconds (as stock). */
const GIVE_UP_MS = 1_000;
/** At most one thorough walk (a scan of all processes) in this time. */
const THOROUGH_EVERY_MS = 250;
/** How long a lone connection waits for the other channel's, to be looked up together with it. */
const PAIR_MS = 1;
/** More connections than this wait for no second look: those already refused once go first. */
const MAX_WAITING = 128;

/** What becomes of a connection. */
export type OwnershipVerdict = "owned" | "foreign" | "gone";

interface Waiting {
  readonly socket: Socket;
  readonly ends: ConnectionEnds;
  readonly judge: (verdict: OwnershipVerdict) => void;
  readonly giveUpAt: number;
  checks: number;
}

/**
 * Connections that wait for the answer whose they are. All waiting ones are looked up by one walk,
 * so strangers, however many and however often they connect, neither hold up the launched process
 * nor cost a walk each.
 */
export class OwnershipQueue {
  readonly #checker: OwnershipChecker;
  readonly #waiting = new Set<Waiting>();
  #root: RootProcess | undefined;
  /** Takes back the next look; undefined when none is planned. */
  #cancel: (() => void) | undefined;
  #dueAt = 0;
  #isChecking = false;
  #thoroughAt = 0;
  #checkedAt = 0;
  #lastTookMs = 0;
  #isClosed = false;

  constructor(checker: OwnershipChecker) {
    this.#checker = checker;
  }

  /** Names the launched process; nothing is checked before. */
  start(root: RootProcess): void {
    this.#root = root;
    if (this.#waiting.size > 0) this.#checkIn(0);
  }

  /**
   * Judges the connection, later and exactly once (never after {@link close}). It is looked up as
   * soon as there are two, at the latest after a millisecond: a runtime opens both channels at once,
   * and a process that ends soon after it has connected can only be recognised while it is there.
   */
  add(socket: Socket, judge: (verdict: OwnershipVerdict) => void): void {
    const ends = endsOf(socket);
    if (ends === undefined) {
      judge("gone"); // reset before we could look at it
      return;
    }
    if (this.#waiting.size >= MAX_WAITING) this.#makeRoom();
    const giveUpAt = performance.now() + GIVE_UP_MS;
    this.#waiting.add({ socket, ends, judge, giveUpAt, checks: 0 });
    this.#checkIn(Math.max(this.#restMs(), this.#waiting.size === 1 ? PAIR_MS : 0));
  }

  /** Stops checking; connections that still wait are destroyed without a verdict. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const { socket } of this.#waiting) socket.destroy();
    this.#waiting.clear();
  }

  #makeRoom(): void {
    for (const entry of this.#waiting) {
      if (entry.checks === 0) continue;
      this.#settle(entry, "foreign");
      return;
    }
  }

  #checkIn(delayMs: number): void {
    if (this.#isChecking || this.#isClosed || this.#root === undefined) return;
    const dueAt = performance.now() + delayMs;
    if (this.#cancel !== undefined && this.#dueAt <= dueAt) return;
    this.#cancel?.();
    this.#dueAt = dueAt;
    const run = (): void => {
      this.#cancel = undefined;
      void this.#check(this.#root as RootProcess);
    };
    if (delayMs <= 0) {
      const immediate = setImmediate(run);
      this.#cancel = () => clearImmediate(immediate);
    } else {
      const timer = setTimeout(run, delayMs);
      this.#cancel = () => clearTimeout(timer);
    }
  }

  async #check(root: RootProcess): Promise<void> {
    const entries = [...this.#waiting];
    const startedAt = performance.now();
    const thorough =
      entries.some(({ checks }) => checks > 0) && startedAt - this.#thoroughAt > THOROUGH_EVERY_MS;
    if (thorough) this.#thoroughAt = startedAt;
    this.#isChecking = true;
    let owned: readonly boolean[];
    try {
      owned = await this.#checker.check(
        root,
        entries.map(({ ends }) => ends),
        { thorough },
      );
    } catch {
      owned = []; // nothing could be looked up: the same as not found, tried again
    }
    this.#isChecking = false;
    this.#checkedAt = performance.now();
    this.#lastTookMs = owned.includes(true) ? 0 : this.#checkedAt - startedAt;
    if (this.#isClosed) return;
    for (const [index, entry] of entries.entries()) {
      entry.checks += 1;
      if (owned[index] === true) this.#settle(entry, "owned");
      else if (performance.now() >= entry.giveUpAt) this.#settle(entry, "foreign");
      else if (entry.socket.destroyed) this.#settle(entry, "gone");
    }
    if (this.#waiting.size === 0) return;
    const hasFresh = [...this.#waiting].some(({ checks }) => checks === 0);
    this.#checkIn(hasFresh ? this.#restMs() : RETRY_MS);
  }

  /** Between walks that find strangers only, we rest for as long as the last one took. */
  #restMs(): number {
    return Math.max(0, this.#checkedAt + this.#lastTookMs - performance.now());
  }

  #settle(entry: Waiting, verdict: OwnershipVerdict): void {
    if (this.#waiting.delete(entry)) entry.judge(verdict);
  }
}

/** Both ends of an accepted connection; undefined when it was reset already. */
export function endsOf(socket: Socket): ConnectionEnds | undefined {
  const peer = toEndpoint([socket.remoteAddress, socket.remotePort]);
  const local = toEndpoint([socket.localAddress, socket.localPort]);
  return peer === null || local === null ? undefined : { peer, local };
}
