/** What the hook before each connect is told. */
export interface ConnectTarget {
  readonly dialect: "sqlite" | "postgresql" | "mysql";
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly database: string | undefined;
}

/** What the hook before each connect may change. */
export interface ConnectChanges {
  readonly user?: string | undefined;
  /** A token that is valid for this connect (AWS IAM, Vault, Azure AD). Never logged. */
  readonly password?: string | undefined;
  /** As `ssl` of pg or mysql2. */
  readonly ssl?: boolean | { readonly [option: string]: unknown } | undefined;
}

/** A name for each table; what is left out keeps its default. */
export interface TableNames {
  readonly task?: string | undefined;
  readonly group?: string | undefined;
}

/** How the database is opened and used. Every option has a default. */
export interface DatabaseOptions {
  /** Names of the tables: `celery_taskmeta`, `celery_tasksetmeta`. At most 63 characters. */
  readonly tableNames?: TableNames | undefined;
  /** The schemas they are in (in MySQL: databases); the sequences go along. Never created. */
  readonly tableSchemas?: TableNames | undefined;
  /**
   * When missing tables, columns and indexes are made: when opening (`at-setup`), before the first
   * operation (`lazily`) or never. Default `at-setup`.
   */
  readonly createTables?: "at-setup" | "lazily" | "never" | undefined;
  /** The most connections at once. Default 5; always 1 for SQLite. */
  readonly poolSize?: number | undefined;
  /** How long an operation waits for a connection. Default 30,000. */
  readonly poolTimeoutMs?: number | undefined;
  /** A connection older than this is replaced; 0 for never. Default 3,600. */
  readonly recycleSeconds?: number | undefined;
  /**
   * A connection that idled for longer is asked for a sign of life before it is used; `false` for
   * never. Default 1,000: a server that ends properly is noticed without (its sockets close).
   */
  readonly prePingIdleMs?: number | false | undefined;
  /** A new connection for every operation. Default false. */
  readonly shortLived?: boolean | undefined;
  /**
   * Ends the opening: ResultsError `aborted`. Without, a server that is not there is given up after
   * about 2 seconds (11 tries), a SQLite file that another process keeps locked after a minute (11
   * times `busyTimeoutMs`), a server that never answers after 2 minutes (11 times `connectTimeoutMs`).
   * What can't succeed (no folder, schema or right, a wrong password) fails at once.
   */
  readonly signal?: AbortSignal | undefined;
  /** How long a connect may take. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * How long SQLite waits for another process's lock (without blocking this one), each of the four times
   * that an operation is tried. Default 5,000.
   */
  readonly busyTimeoutMs?: number | undefined;
  /** Called before each connect; what it gives replaces what the URL says. */
  readonly beforeConnect?:
    | ((target: ConnectTarget) => ConnectChanges | undefined | Promise<ConnectChanges | undefined>)
    | undefined;
  /** Further options for the driver (`pg.Client` or mysql2's connection), as `connect_args`. */
  readonly driverOptions?: { readonly [option: string]: unknown } | undefined;
  /** An open SQLite handle (better-sqlite3, `node:sqlite`, libsql) to use; it is not closed. */
  readonly sqlite?: object | undefined;
  /** Whether an operation that failed in a way that may pass is tried again. Default true. */
  readonly alwaysRetry?: boolean | undefined;
  /** How often it is tried again. Default 3. */
  readonly maxRetries?: number | undefined;
  /** Told of what went wrong without making anything fail: a column that could not be added. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Told of every statement, without its values (stock: `echo`). */
  readonly onStatement?: ((sql: string) => void) | undefined;
}
