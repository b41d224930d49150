import { DatabaseFault } from "../retry/database-fault.ts";
import type { DriverConnection, SqlResult, SqlValue } from "./driver.ts";
import { CLOSE_TIMEOUT_MS } from "./driver-config.ts";

/** The little that a driver over a socket has to do itself. */
export interface Link {
  /** Calls back when the link is lost, also while it is idle. */
  onLost(lost: () => void): void;
  /** @throws DatabaseFault */
  query(sql: string, values: readonly SqlValue[]): Promise<SqlResult>;
  ping(): Promise<void>;
  /** Says goodbye. */
  end(): Promise<unknown>;
  /** Drops the socket. */
  destroy(): void;
}

const NO_VALUES: readonly SqlValue[] = [];

/** A connection to a server: transactions, and knowing when it is of no use any more. */
export class SocketConnection implements DriverConnection {
  readonly #link: Link;
  #broken = false;
  #inTransaction = false;

  constructor(link: Link) {
    this.#link = link;
    link.onLost(() => {
      this.#broken = true;
    });
  }

  get broken(): boolean {
    return this.#broken;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  async query(sql: string, values: readonly SqlValue[] = NO_VALUES): Promise<SqlResult> {
    try {
      return await this.#link.query(sql, values);
    } catch (error) {
      if (!(error instanceof DatabaseFault) || error.fatal) this.#broken = true;
      throw error;
    }
  }

  async begin(): Promise<void> {
    this.#inTransaction = true;
    await this.query("BEGIN");
  }

  async commit(): Promise<void> {
    await this.query("COMMIT");
    this.#inTransaction = false;
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    if (this.#broken) return;
    try {
      await this.query("ROLLBACK");
    } catch {
      this.#broken = true;
    }
  }

  ping(): Promise<void> {
    return this.#link.ping();
  }

  async close(): Promise<void> {
    const wasBroken = this.#broken;
    this.#broken = true;
    if (!wasBroken) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
      await Promise.race([this.#link.end().catch(() => {}), patience]);
      clearTimeout(timer);
    }
    this.#link.destroy();
  }
}
