/** What may be bound to a statement. Booleans and dates are none: say what you mean. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/**
 * A row by column name. Date-times are text, as they stand in the table (`2026-06-16
 * 01:02:03.123456`, no zone); integers beyond ±(2^53-1) are bigint; binary columns are bytes. On
 * SQLite a text column that was selected by `SqlText.text` is bytes too: see `readText`.
 */
export type SqlRow = { readonly [column: string]: SqlValue };

/** What a statement gave. */
export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** How many rows were matched (not: really changed) by an UPDATE, DELETE or INSERT. */
  readonly affectedRows: number;
}

/** One connection to a database, used by one operation at a time. */
export interface SqlConnection {
  /**
   * Runs one statement; placeholders are those of the dialect (`SqlText.parameter`).
   *
   * @throws DatabaseFault
   */
  query(sql: string, values?: readonly SqlValue[]): Promise<SqlResult>;
  /** Starts a transaction; on SQLite it takes the write lock at once (`BEGIN IMMEDIATE`). */
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Never throws: a connection whose rollback fails is marked broken, and not used again. */
  rollback(): Promise<void>;
}

/** A connection as the pool sees it. */
export interface DriverConnection extends SqlConnection {
  /** The link is lost, or its state is unknown: it is closed instead of being used again. */
  readonly broken: boolean;
  /** Between `begin` and `commit` or `rollback`. */
  readonly inTransaction: boolean;
  /** A round trip that fails when the server is gone. */
  ping(): Promise<void>;
  /** Never throws; ends at once, whatever the other side does. */
  close(): Promise<void>;
}

/** Makes connections to one database. */
export interface Driver {
  /** At most so many connections can be of use at the same time (1 for SQLite). */
  readonly maxConnections: number;
  /** Whether a connection may be closed and made anew (not: in-memory SQLite, a lent handle). */
  readonly canReconnect: boolean;
  /**
   * Whether connections go over a network, and so grow old: SQLite's do not, and libsql gives the
   * descriptors of closed ones back late (2,000 were open after 2,000 short-lived operations).
   */
  readonly growsOld: boolean;
  connect(): Promise<DriverConnection>;
}
