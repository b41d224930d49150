import { inspect } from "node:util";
import type { Kysely } from "kysely";
import type { DriverConnection, SqlConnection } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { OPERATION_BACKOFF, SET_UP_BACKOFF, SET_UP_RETRIES } from "../retry/backoff.ts";
import type { DatabaseFault } from "../retry/database-fault.ts";
import {
  AttemptsFailed,
  throwIfAborted,
  untilAborted,
  withRetries,
} from "../retry/with-retries.ts";
import type { SchemaChange } from "../schema/plan-changes.ts";
import {
  checkOnce,
  type KnownSchema,
  type ServerDialect,
  type SetUpOptions,
  setUpOnce,
  warningOf,
} from "../schema/set-up.ts";
import type { SqlText } from "../schema/sql-text.ts";
import type { ResultTableNames } from "../schema/table-names.ts";
import type { ResultTables, SchemaFacts } from "../schema/tables.ts";
import type { ResultsUrl } from "../url/results-url.ts";
import { operationError, setUpError } from "./errors.ts";
import type { FailedChange, MigrateOptions, MigrationReport } from "./migration.ts";
import { aResultStoreBelongsToItsThread_openOneInEachThread } from "./not-cloneable.ts";
import type { ConnectionPool } from "./pool.ts";

/** How one operation is run. */
export interface RunOptions {
  /** Ends waiting for a connection and between attempts: ResultsError `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** The task or group, for the error. */
  readonly id?: string | undefined;
  /** Whether to try again after this fault; default `fault.retryable`. */
  readonly retryable?: ((fault: DatabaseFault) => boolean) | undefined;
}

/** What a database is made from; `openDatabase` does it. */
export interface DatabaseParts {
  readonly url: ResultsUrl;
  readonly sql: SqlText;
  readonly pool: ConnectionPool;
  readonly names: ResultTableNames;
  readonly setUp: Omit<SetUpOptions, "onChange" | "onFailure">;
  readonly onWarning: (message: string) => void;
  readonly maxRetries: number;
  /** Whether a refused login is worth another try: a hook may give another token. */
  readonly retryLogin: boolean;
}

/** A pool of connections to the two tables. */
export class Database {
  /** Not a thing to use: makes copying into another thread fail, as the first of its properties. */
  readonly thread: () => void = aResultStoreBelongsToItsThread_openOneInEachThread;
  /** With the password masked when printed. */
  readonly url: ResultsUrl;
  /** Quoting, placeholders and so on. */
  readonly sql: SqlText;
  readonly #parts: DatabaseParts;
  #known: KnownSchema | undefined;
  #settingUp: Promise<KnownSchema> | undefined;
  #isStale = false;
  #kysely: Promise<Kysely<ResultTables>> | undefined;

  /** @internal use `openDatabase` */
  constructor(parts: DatabaseParts) {
    this.url = parts.url;
    this.sql = parts.sql;
    this.#parts = parts;
  }

  /**
   * Kysely over the same connections, for statements of your own: `task` and `group` are the tables.
   * They are not tried again. Loaded at the first call: reading and storing do without, and Kysely
   * takes longer to load than all the rest.
   *
   * @throws ResultsError `database-unreachable`, `set-up-failed`, `closed`, `aborted`
   */
  async kysely(signal?: AbortSignal): Promise<Kysely<ResultTables>> {
    await this.setUp(signal);
    this.#kysely ??= import("./kysely-dialect.ts").then(({ createKysely }) =>
      createKysely(this.url.dialect, this.#parts.pool, this.#parts.names),
    );
    return this.#kysely;
  }

  /** `mariadb` and `mysql` are told apart by the server, once there was a connection. */
  get dialect(): ServerDialect {
    return this.#known?.dialect ?? this.url.dialect;
  }

  /** What the tables look like; there inside `run`. @throws ResultsError `set-up-failed` before */
  get facts(): SchemaFacts {
    if (this.#known === undefined) {
      const message = "The tables of the results database were not looked at yet.";
      throw new ResultsError("set-up-failed", message);
    }
    return this.#known.facts;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#parts.pool.size;
  }

  /**
   * Connects, looks at the tables and makes what is missing, unless that was done. Tried again up to
   * 10 times.
   *
   * @throws ResultsError `database-unreachable`, `set-up-failed`, `closed`, `aborted`
   */
  async setUp(signal?: AbortSignal): Promise<void> {
    if (this.#known !== undefined && !this.#isStale) return;
    throwIfAborted(signal);
    // One for all who wait for it: it goes on when one of them gives up.
    this.#settingUp ??= this.#setUp().finally(() => {
      this.#settingUp = undefined;
    });
    await untilAborted(this.#settingUp, signal);
  }

  async #setUp(): Promise<KnownSchema> {
    const { setUp, onWarning } = this.#parts;
    const options: SetUpOptions = {
      ...setUp,
      onChange: () => {},
      onFailure: (change, fault) => onWarning(warningOf(change, fault)),
    };
    return this.#know(undefined, (connection) => setUpOnce(connection, options));
  }

  /**
   * Makes what the tables lack, or (`check`) only says what that is. A table that can't be made is an
   * error; what else can't be is in the report.
   *
   * @throws ResultsError `database-unreachable`, `set-up-failed`, `closed`, `aborted`
   */
  async migrate(options: MigrateOptions = {}): Promise<MigrationReport> {
    const { check = false, largeValues = false, onChange, signal } = options;
    const made: SchemaChange[] = [];
    const failed = new Map<string, FailedChange>();
    const setUp: SetUpOptions = {
      ...this.#parts.setUp,
      create: true,
      largeValues,
      onChange: (change) => {
        made.push(change);
        onChange?.(change);
      },
      onFailure: (change, fault) =>
        failed.set(change.name, { change, reason: warningOf(change, fault) }),
    };
    const work = check ? checkOnce : setUpOnce;
    const known = await this.#know(signal, (connection) => work(connection, setUp));
    const missing = "missing" in known ? (known.missing as readonly SchemaChange[]) : [];
    return { dialect: known.dialect, missing, made, failed: [...failed.values()] };
  }

  async #know<Known extends KnownSchema>(
    signal: AbortSignal | undefined,
    work: (connection: DriverConnection) => Promise<Known>,
  ): Promise<Known> {
    try {
      const known = await withRetries(
        {
          retries: SET_UP_RETRIES,
          backoff: SET_UP_BACKOFF,
          retryable: (fault) => this.#isRetryable(fault),
          signal,
        },
        () => this.#attempt(work, signal),
      );
      this.#known = known;
      this.#isStale = false;
      return known;
    } catch (error) {
      throw error instanceof AttemptsFailed ? setUpError(this.url, error) : error;
    }
  }

  /**
   * Runs one operation on a connection of the pool: set-up first where it is due, then `work`, which
   * is called again (on a new connection where the old one died) while faults are retryable. A
   * transaction that `work` leaves open, or fails in, is rolled back.
   *
   * @param operation `store` and `get` fail with `store-failed` and `get-failed`, others with
   * `operation-failed`
   * @throws ResultsError with the last DatabaseFault as `cause`; what else `work` throws passes
   * unchanged
   */
  async run<T>(
    operation: string,
    work: (connection: SqlConnection) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const { signal, id, retryable = (fault: DatabaseFault) => this.#isRetryable(fault) } = options;
    try {
      return await withRetries(
        {
          retries: this.#parts.maxRetries,
          backoff: OPERATION_BACKOFF,
          retryable,
          signal,
          beforeRetry: (fault) => {
            // A table was dropped, or a column: what was read of them is looked at again.
            if (fault.kind === "schema") this.#isStale = true;
            if (fault.kind === "connection") this.#parts.pool.dropIdle();
          },
        },
        () => {
          if (this.#known !== undefined && !this.#isStale) return this.#attempt(work, signal);
          return this.setUp(signal).then(() => this.#attempt(work, signal));
        },
      );
    } catch (error) {
      if (!(error instanceof AttemptsFailed)) throw error;
      throw operationError(this.url, operation, id, error, this.#known?.facts);
    }
  }

  async #attempt<T>(
    work: (connection: DriverConnection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { pool } = this.#parts;
    const connection = pool.take(signal) ?? (await pool.acquire(signal));
    try {
      return await work(connection);
    } finally {
      if (connection.inTransaction) await connection.rollback();
      pool.release(connection);
    }
  }

  #isRetryable(fault: DatabaseFault): boolean {
    return fault.retryable || (fault.kind === "login" && this.#parts.retryLogin);
  }

  /** Waits for operations that run, and closes every connection; again does nothing. */
  async close(): Promise<void> {
    await this.#parts.pool.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  toJSON(): string {
    return this.url.masked;
  }
}

Object.defineProperty(Database.prototype, inspect.custom, {
  value(this: Database): string {
    return `Database(${this.url.masked})`;
  },
});
