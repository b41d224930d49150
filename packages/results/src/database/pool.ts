import type { Driver, DriverConnection } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { throwIfAborted } from "../retry/with-retries.ts";

/** How a pool keeps its connections; see `DatabaseOptions`. */
export interface PoolOptions {
  readonly size: number;
  readonly timeoutMs: number;
  readonly recycleMs: number;
  readonly prePingIdleMs: number | false;
  readonly shortLived: boolean;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

interface Member {
  readonly connection: DriverConnection;
  readonly madeAt: number;
  idleSince: number;
}

interface Waiter {
  readonly wake: () => void;
  readonly fail: (error: ResultsError) => void;
}

/** How long a sign of life may take; a link through a firewall that forgot it never answers. */
const PING_TIMEOUT_MS = 5_000;

/**
 * The connections of one store. The one that was used last is taken first, so that a store with
 * little to do keeps few of them busy; who has to wait is served in order.
 */
export class ConnectionPool {
  readonly #driver: Driver;
  readonly #options: PoolOptions;
  readonly #now: () => number;
  readonly #idle: Member[] = [];
  readonly #used = new Map<DriverConnection, Member>();
  readonly #waiters: Waiter[] = [];
  /** Connections that are used, or being made, or handed over. */
  #taken = 0;
  #closed = false;
  #drained: (() => void) | undefined;

  constructor(driver: Driver, options: PoolOptions) {
    this.#driver = driver;
    this.#options = { ...options, size: Math.min(options.size, driver.maxConnections) };
    this.#now = options.now ?? (() => performance.now());
  }

  /** Connections that are there, idle or in use. */
  get size(): number {
    return this.#idle.length + this.#taken;
  }

  /**
   * A connection for one operation; {@link release} takes it back.
   *
   * @throws DatabaseFault where none could be made; ResultsError `pool-timeout`, `aborted`, `closed`
   */
  async acquire(signal?: AbortSignal): Promise<DriverConnection> {
    throwIfAborted(signal);
    this.#throwIfClosed();
    if (this.#taken < this.#options.size) this.#taken++;
    else await this.#wait(signal);
    try {
      const member = (await this.#fromIdle()) ?? (await this.#connect());
      this.#used.set(member.connection, member);
      return member.connection;
    } catch (error) {
      this.#giveUp();
      throw error;
    }
  }

  /**
   * The connection that {@link acquire} would give if it had to wait for nothing, or undefined. Nearly
   * every operation gets one so, and a turn of promises is a tenth of what reading a row of SQLite takes.
   */
  take(signal?: AbortSignal): DriverConnection | undefined {
    const member = this.#idle.at(-1);
    if (member === undefined || this.#closed || signal?.aborted === true) return undefined;
    if (this.#taken >= this.#options.size) return undefined;
    if (this.#driver.canReconnect && this.#health(member) !== "good") return undefined;
    this.#idle.pop();
    this.#taken++;
    this.#used.set(member.connection, member);
    return member.connection;
  }

  /** Takes a connection back, whatever became of it. */
  release(connection: DriverConnection): void {
    const member = this.#used.get(connection);
    if (member === undefined) return;
    this.#used.delete(connection);
    if (connection.broken || connection.inTransaction || this.#closed || this.#endsNow()) {
      // Nobody waits for the goodbye; close() of the pool does not need it either.
      void connection.close();
    } else {
      member.idleSince = this.#now();
      this.#idle.push(member);
    }
    this.#giveUp();
  }

  /** Closes what is idle: a link was lost, and so may others be that nobody has told us of. */
  dropIdle(): void {
    if (!this.#driver.canReconnect) return;
    for (const { connection } of this.#idle.splice(0)) void connection.close();
  }

  /** Closes what is idle, waits for what is in use, and lets nobody in any more. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.fail(closedError());
    await this.#closeIdle();
    if (this.#taken > 0) {
      await new Promise<void>((resolve) => {
        const before = this.#drained;
        this.#drained = () => {
          before?.();
          resolve();
        };
      });
    }
    await this.#closeIdle();
  }

  async #closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  #endsNow(): boolean {
    return this.#options.shortLived && this.#driver.growsOld;
  }

  /** The place of a connection is free: the next one who waits gets it. */
  #giveUp(): void {
    const next = this.#waiters.shift();
    if (next !== undefined) {
      next.wake();
      return;
    }
    this.#taken--;
    if (this.#closed && this.#taken === 0) this.#drained?.();
  }

  async #fromIdle(): Promise<Member | undefined> {
    for (let member = this.#idle.pop(); member !== undefined; member = this.#idle.pop()) {
      if (!this.#driver.canReconnect || (await this.#isAlive(member))) return member;
      void member.connection.close();
    }
    return undefined;
  }

  /** What is known of an idle connection without asking it. */
  #health({ connection, madeAt, idleSince }: Member): "good" | "bad" | "unknown" {
    const { recycleMs, prePingIdleMs } = this.#options;
    if (connection.broken) return "bad";
    const now = this.#now();
    if (this.#driver.growsOld && recycleMs > 0 && now - madeAt > recycleMs) return "bad";
    return prePingIdleMs === false || now - idleSince <= prePingIdleMs ? "good" : "unknown";
  }

  async #isAlive(member: Member): Promise<boolean> {
    const health = this.#health(member);
    if (health !== "unknown") return health === "good";
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, PING_TIMEOUT_MS, false);
    });
    const answer = member.connection.ping().then(
      () => true,
      () => false,
    );
    const isAlive = await Promise.race([answer, silence]);
    clearTimeout(timer);
    return isAlive && !member.connection.broken;
  }

  async #connect(): Promise<Member> {
    const connection = await this.#driver.connect();
    const now = this.#now();
    return { connection, madeAt: now, idleSince: now };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { size, timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const fail = (error: unknown): void => {
        settle();
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        reject(error);
      };
      const waiter: Waiter = {
        wake: () => {
          settle();
          resolve();
        },
        fail,
      };
      const onAbort = (): void => {
        try {
          throwIfAborted(signal);
        } catch (error) {
          fail(error);
        }
      };
      const timer = setTimeout(() => {
        const message =
          `No connection to the results database became free within ${timeoutMs} ms: all ${size} ` +
          "are in use. Raise poolSize or poolTimeoutMs, or ask for less at the same time.";
        fail(new ResultsError("pool-timeout", message));
      }, timeoutMs);
      signal?.addEventListener("abort", onAbort);
      this.#waiters.push(waiter);
    });
  }

  #throwIfClosed(): void {
    if (this.#closed) throw closedError();
  }
}

function closedError(): ResultsError {
  return new ResultsError("closed", "The result store is closed; open another one.");
}
