import type { Kysely } from "kysely";
import type { SqlConnection } from "../drivers/driver.ts";
import type { DatabaseFault } from "../retry/database-fault.ts";
import type { SqlText } from "../schema/sql-text.ts";
import type { ResultTables, SchemaFacts } from "../schema/tables.ts";
import type { ResultsUrl } from "../url/results-url.ts";
import type { DatabaseOptions } from "./options.ts";

/** How one operation is run. */
export interface RunOptions {
  /** Ends waiting for a connection and between attempts: ResultsError `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** The task or group, for the error. */
  readonly id?: string | undefined;
  /** Whether to try again after this fault; default `fault.retryable`. */
  readonly retryable?: ((fault: DatabaseFault) => boolean) | undefined;
}

/** A pool of connections to the two tables. */
export interface Database {
  /** With the password masked when printed. */
  readonly url: ResultsUrl;
  /** `mariadb` and `mysql` are told apart by the server, once there was a connection. */
  readonly dialect: "sqlite" | "postgresql" | "mysql" | "mariadb";
  /** Quoting, placeholders and so on. */
  readonly sql: SqlText;
  /** For building (`.compile()`) and running statements; `task` and `group` are the tables. */
  readonly kysely: Kysely<ResultTables>;
  /** What the tables look like. Valid inside `run`; @throws ResultsError before the first connect */
  readonly facts: SchemaFacts;
  /**
   * Runs one operation on a connection of the pool: set-up first where it is due, then `work`, which
   * is called again (on a new connection where the old one died) while faults are retryable. A
   * transaction that `work` left open is rolled back.
   *
   * @param operation `store` and `get` fail with `store-failed` and `get-failed`, others with `operation-failed`
   * @throws ResultsError with the last DatabaseFault as `cause`; what else `work` throws passes unchanged
   */
  run<T>(
    operation: string,
    work: (connection: SqlConnection) => Promise<T>,
    options?: RunOptions,
  ): Promise<T>;
  /** Waits for running operations; idempotent. */
  close(): Promise<void>;
}

/**
 * Opens a database: reads the URL, loads the driver, and (by default) makes what is missing.
 *
 * @throws ResultsError
 */
export declare function openDatabase(
  url: string | undefined,
  options?: DatabaseOptions,
): Promise<Database>;
