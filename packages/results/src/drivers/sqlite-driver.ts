import { type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ResultsError } from "../errors.ts";
import { DatabaseFault, FAULTS } from "../retry/database-fault.ts";
import { sqliteFault } from "../retry/sqlite-faults.ts";
import { waitMs } from "../retry/with-retries.ts";
import type { Driver, DriverConnection, SqlResult, SqlValue } from "./driver.ts";
import { type DriverConfig, secondsParameter } from "./driver-config.ts";
import { lentHandle, openLibsql, type SqliteHandle } from "./sqlite-library.ts";

/** As Python's `sqlite3`. */
const DEFAULT_BUSY_TIMEOUT_MS = 5_000;

/**
 * SQLite. One connection only: a second one of this process would wait for the first while blocking
 * it. The journal mode of the file is left as it is, since Celery opens the same file.
 */
export function createSqliteDriver({ url, options }: DriverConfig): Driver {
  const busyTimeoutMs =
    options.busyTimeoutMs ?? secondsParameter(url, "timeout") ?? DEFAULT_BUSY_TIMEOUT_MS;
  if (options.sqlite !== undefined) {
    const handle = lentHandle(options.sqlite);
    if (handle === undefined) {
      const message =
        "The option sqlite is no open database of better-sqlite3, libsql or node:sqlite (it has no prepare and close).";
      throw new ResultsError("bad-option", message, { facts: { field: "sqlite" } });
    }
    const lent = { ...handleOf(handle), close: () => {} };
    return single(
      async () => new SqliteConnection(lent, "lent database", undefined, busyTimeoutMs),
    );
  }
  if (url.database === undefined) {
    return single(async () => {
      const handle = handleOf(await openLibsql(undefined));
      return new SqliteConnection(handle, ":memory:", undefined, busyTimeoutMs);
    });
  }
  // Now, not at the first connect: the working directory may change.
  const file = resolve(url.database);
  return {
    maxConnections: 1,
    canReconnect: true,
    growsOld: false,
    async connect() {
      checkFile(file);
      let handle: SqliteHandle;
      try {
        handle = await openLibsql(file);
      } catch (error) {
        if (error instanceof ResultsError) throw error;
        throw cannotOpen(file, "SQLite can't open it");
      }
      return new SqliteConnection(handle, file, identityOf(file), busyTimeoutMs);
    },
  };
}

function single(connect: Driver["connect"]): Driver {
  return { maxConnections: 1, canReconnect: false, growsOld: false, connect };
}

function handleOf(handle: SqliteHandle): SqliteHandle {
  return {
    all: (sql, values) => handle.all(sql, values),
    run: (sql, values) => handle.run(sql, values),
    close: () => handle.close(),
  };
}

const NO_VALUES: readonly SqlValue[] = [];

/** Statements that give rows; the libraries want to know before. */
const GIVES_ROWS = /^\s*(?:select|pragma|with|explain)\b|\breturning\b/i;

class SqliteConnection implements DriverConnection {
  readonly #handle: SqliteHandle;
  readonly #name: string;
  readonly #identity: string | undefined;
  readonly #busyTimeoutMs: number;
  #broken = false;
  #closed = false;
  #inTransaction = false;

  constructor(
    handle: SqliteHandle,
    name: string,
    identity: string | undefined,
    busyTimeoutMs: number,
  ) {
    this.#handle = handle;
    this.#name = name;
    this.#identity = identity;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  get broken(): boolean {
    return this.#broken;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  async query(sql: string, values: readonly SqlValue[] = NO_VALUES): Promise<SqlResult> {
    let deadline: number | undefined;
    for (;;) {
      const fault = this.#attempt(sql, values);
      if (!(fault instanceof DatabaseFault)) return fault;
      deadline ??= performance.now() + this.#busyTimeoutMs;
      if (fault.kind !== "busy" || performance.now() > deadline) {
        if (fault.fatal) this.#broken = true;
        throw fault;
      }
      // The lock of another process: it is waited for here, where nothing else is held up.
      await waitMs(1 + Math.random() * 15, undefined);
    }
  }

  async begin(): Promise<void> {
    await this.query("BEGIN IMMEDIATE");
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    await this.query("COMMIT");
    this.#inTransaction = false;
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false;
    // After a full disk, say, SQLite has done it by itself.
    const fault = this.#attempt("ROLLBACK", NO_VALUES);
    if (fault instanceof DatabaseFault && fault.fatal) this.#broken = true;
  }

  /** A file that was removed or replaced would still take rows, which nobody ever sees. */
  async ping(): Promise<void> {
    if (this.#identity === undefined) return;
    if (identityOf(this.#name) !== this.#identity) {
      throw cannotOpen(this.#name, "it was removed or replaced");
    }
  }

  async close(): Promise<void> {
    this.#broken = true;
    if (this.#closed) return;
    this.#closed = true;
    this.#handle.close();
  }

  #attempt(sql: string, values: readonly SqlValue[]): SqlResult | DatabaseFault {
    try {
      if (GIVES_ROWS.test(sql)) {
        const rows = this.#handle.all(sql, values);
        return { rows, affectedRows: rows.length };
      }
      return { rows: [], affectedRows: this.#handle.run(sql, values) };
    } catch (error) {
      if (error instanceof TypeError) throw error;
      return sqliteFault(error, this.#name);
    }
  }
}

function checkFile(file: string): void {
  const stats = lookAt(file, file);
  if (stats === undefined) {
    const folder = dirname(file);
    const isFolder = lookAt(folder, file)?.isDirectory() === true;
    if (!isFolder) throw cannotOpen(file, `there is no folder ${folder}`);
  } else if (!stats.isFile()) {
    throw cannotOpen(file, "it is no regular file");
  }
}

/** Undefined for what is not there; not to be let look at is a fault like any other of opening. */
function lookAt(path: string, file: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotOpen(file, (error as Error).message); // ENOTDIR, EACCES, ELOOP
  }
}

/** Not tried again: a folder that is missing stays so. */
function cannotOpen(file: string, why: string): DatabaseFault {
  const message = `unable to open database file ${file}: ${why}`;
  return new DatabaseFault(message, { ...FAULTS.connection, retryable: false }, "SQLITE_CANTOPEN");
}

function identityOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.dev}:${stats.ino}`;
}
