import type { Socket } from "node:net";
import { type ConnectionEnds, toEndpoint } from "../ownership/endpoint.ts";
import type { OwnershipChecker, RootProcess } from "../ownership/ownership-checker.ts";

/** How often a connection without an owner is looked up again, in milliseconds (as stock). */
const RETRY_MS = 50;
/** How long a connection may stay without an owner, in milliseconds (as stock). */
const GIVE_UP_MS = 1_000;
/** How long a first connection waits for its companion, to be checked by the same walk. */
const COMPANION_WAIT_MS = 3;
/** At most one thorough walk (a scan of all processes) in this time. */
const THOROUGH_EVERY_MS = 250;
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
  #timer: NodeJS.Timeout | undefined;
  #timerDueAt = 0;
  #isChecking = false;
  #thoroughAt = 0;
  #checkedAt = 0;
  #checkTookMs = 0;
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
   * Judges the connection, later and exactly once (never after {@link close}).
   *
   * @param hasCompanion another connection is expected at about the same time
   */
  add(socket: Socket, hasCompanion: boolean, judge: (verdict: OwnershipVerdict) => void): void {
    const ends = endsOf(socket);
    if (ends === undefined) {
      judge("gone"); // reset before we could look at it
      return;
    }
    if (this.#waiting.size >= MAX_WAITING) this.#makeRoom();
    const giveUpAt = performance.now() + GIVE_UP_MS;
    this.#waiting.add({ socket, ends, judge, giveUpAt, checks: 0 });
    const fresh = [...this.#waiting].filter(({ checks }) => checks === 0).length;
    this.#checkIn(Math.max(hasCompanion && fresh < 2 ? COMPANION_WAIT_MS : 0, this.#restMs()));
  }

  /** Stops checking; connections that still wait are destroyed without a verdict. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
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
    if (this.#timer !== undefined && this.#timerDueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#timerDueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#check(this.#root as RootProcess);
    }, delayMs);
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
    this.#checkTookMs = this.#checkedAt - startedAt;
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

  /** Half of the time at most goes into walks, whatever strangers do. */
  #restMs(): number {
    return Math.max(0, this.#checkedAt + this.#checkTookMs - performance.now());
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
