import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { runInThread } from "./sqlite-in-thread.ts";
import { StoreError, type StoreErrorCode } from "./task-store.ts";

/*
 * The one file that knows which embedded database is used. It is `libsql` 0.5.29: prebuilt, no
 * compiler, runs on Node 20 (README.md says what was measured against the others). Its sharp edges
 * are kept in here:
 *   - a bound boolean, or one lone object, aborts the whole process: only arrays of checked text,
 *     numbers and nulls reach it;
 *   - a text that is no UTF-8, in a damaged file, aborts it, too: texts are read as bytes;
 *   - text comes back cut at the first U+0000: values are JSON text, which has none, and keys with
 *     one are refused before;
 *   - statements can't be given back, so that closing takes effect late;
 *   - rows carry a field `_metadata`: columns are read by name only;
 *   - a wait for a lock blocks the whole process: the database waits for a moment only, and the
 *     longer wait is a timer here.
 */

/** What may be bound. */
export type SqlValue = string | number | null;

/** A row by column name. Integers are safe ones: the store keeps bigger numbers in JSON text. */
export type SqlRow = { readonly [column: string]: SqlValue };

/** Statements within {@link SqliteDatabase.transaction}; they are done when the call returns. */
export interface SqlTransaction {
  run(sql: string, values?: readonly SqlValue[]): number;
  all(sql: string, values?: readonly SqlValue[]): SqlRow[];
  first(sql: string, values?: readonly SqlValue[]): SqlRow | undefined;
}

/** How long the database itself may block the process when another one holds the lock. */
const BLOCKING_WAIT_MS = 20;

interface LibsqlStatement {
  run(values: readonly SqlValue[]): { changes: number };
  all(values: readonly SqlValue[]): { [column: string]: SqlValue | ArrayBuffer }[];
}

interface LibsqlDatabase {
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}

/** Selects a column of texts as {@link SqliteDatabase} reads them. */
export function asBytes(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`;
}

/** One connection to a SQLite file. Statements are prepared once and kept. */
export class SqliteDatabase {
  readonly file: string;
  readonly #database: LibsqlDatabase;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, LibsqlStatement>();
  /** Statements without the wait for a lock. */
  readonly #now: SqlTransaction = {
    run: (sql, values = []) => this.#statement(sql).run(checked(values)).changes,
    all: (sql, values = []) => this.#statement(sql).all(checked(values)).map(withTexts),
    first: (sql, values = []) => this.#now.all(sql, values)[0],
  };
  #closed = false;

  /**
   * Opens `file`, or makes it, readable and writable by its owner alone. Loads the database library
   * on first use.
   *
   * @throws StoreError `store-unavailable` or `not-a-store`.
   */
  static async open(file: string, busyTimeoutMs: number): Promise<SqliteDatabase> {
    makePrivate(file);
    const { default: Database } = (await import("libsql")) as unknown as {
      default: new (file: string, options: { timeout: number }) => LibsqlDatabase;
    };
    try {
      const opened = new Database(file, { timeout: BLOCKING_WAIT_MS });
      return new SqliteDatabase(file, opened, busyTimeoutMs);
    } catch (error) {
      throw unavailable(file, error);
    }
  }

  private constructor(file: string, database: LibsqlDatabase, busyTimeoutMs: number) {
    this.file = file;
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Runs a statement that changes something; the number of rows it changed. */
  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return this.#attempt(() => this.#now.run(sql, values));
  }

  /** As `run` of a large text, given in bytes, without holding up this thread. */
  async runLarge(sql: string, values: readonly (SqlValue | Uint8Array)[]): Promise<void> {
    this.#demandOpen();
    await runInThread({ file: this.file, busyTimeoutMs: this.#busyTimeoutMs, sql, values });
  }

  /** The large text of a column of the first row, in bytes, without holding up this thread. */
  async firstLarge(
    sql: string,
    values: readonly SqlValue[],
    column: string,
  ): Promise<Uint8Array | undefined> {
    this.#demandOpen();
    const { file } = this;
    return await runInThread({ file, busyTimeoutMs: this.#busyTimeoutMs, sql, values, column });
  }

  /** Every row of a query. Texts have to be selected {@link asBytes}. */
  async all(sql: string, values: readonly SqlValue[] = []): Promise<SqlRow[]> {
    return this.#attempt(() => this.#now.all(sql, values));
  }

  /** The first row of a query. */
  async first(sql: string, values: readonly SqlValue[] = []): Promise<SqlRow | undefined> {
    return (await this.all(sql, values))[0];
  }

  /** Statements that need no values, in one transaction: all of them or none. */
  async script(sql: string): Promise<void> {
    await this.transaction(() => this.#database.exec(sql));
  }

  /** What `work` does is done as a whole or not at all; no other statement comes between. */
  async transaction<T>(work: (statements: SqlTransaction) => T): Promise<T> {
    return await this.#attempt(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = work(this.#now);
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  /** Takes the whole file for this connection: no other one gets in, until {@link letGo} or the end of the process. */
  async hold(): Promise<void> {
    await this.#attempt(() => this.#database.exec("BEGIN EXCLUSIVE"));
  }

  /** Gives the file back. */
  letGo(): void {
    this.#rollBack();
  }

  /** The value of JSON text out of a row. @throws StoreError `not-a-store` where the file is damaged */
  readJson<Value>(text: SqlValue | undefined, parse: (text: string) => Value): Value {
    try {
      return parse(String(text));
    } catch {
      // Without the cause: an error of the parser quotes what it could not read, a password maybe.
      const message = `the store ${this.file} is damaged: a value in it can't be read`;
      throw new StoreError("not-a-store", message, { path: this.file });
    }
  }

  /** A setting of the connection, outside a transaction. */
  async pragma(text: string): Promise<void> {
    await this.#attempt(() => {
      this.#database.prepare(`PRAGMA ${text}`).all([]);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#foldLog();
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * Folds the write-ahead log into the file. SQLite would do it by itself, but libsql really closes
   * only when its statements are collected as garbage, or never, when the process ends with
   * `process.exit`. (To leave WAL mode takes a lock that such a half closed connection of another
   * process does not give away.)
   */
  #foldLog(): void {
    try {
      this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
    } catch {
      // Another process is at work: the last one does it. Or the disk is full: the next one.
    }
  }

  /** After a full disk, say, SQLite has done it by itself. */
  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // there is nothing to roll back
    }
  }

  #statement(sql: string): LibsqlStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async #attempt<T>(work: () => T): Promise<T> {
    this.#demandOpen();
    const deadline = performance.now() + this.#busyTimeoutMs;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw this.#explain(error);
      }
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }

  #demandOpen(): void {
    if (!this.#closed) return;
    const message = `the store ${this.file} is closed`;
    throw new StoreError("store-unavailable", message, { path: this.file });
  }

  #explain(error: unknown): StoreError {
    if (error instanceof StoreError) return error;
    const [ours, message] = EXPLANATIONS.get(primaryCode(error)) ?? [
      "store-failed" as const,
      String(error),
    ];
    return new StoreError(ours, `the store ${this.file}: ${message}`, {
      path: this.file,
      cause: error,
    });
  }
}

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;

const EXPLANATIONS = new Map<number, [StoreErrorCode, string]>([
  [BUSY, ["store-busy", "another process kept it locked; try again when that one is done"]],
  [8, ["store-unavailable", "it can't be written to"]],
  [10, ["store-failed", "the disk is full or failing; nothing was written"]],
  [11, ["not-a-store", "it is damaged; name another file"]],
  [13, ["store-failed", "the disk is full; nothing was written"]],
  [14, ["store-unavailable", "its files can't be opened or made"]],
  [26, ["not-a-store", "it is no SQLite database; name another file"]],
]);

/** Without blocking: to open a pipe would else hold up the whole process, signals included. */
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * Makes the file where there is none. The mode of an existing one is left alone: its owner may
 * share it on purpose.
 */
function makePrivate(file: string): void {
  try {
    const descriptor = openSync(file, OPEN_FLAGS, 0o600);
    const isFile = fstatSync(descriptor).isFile();
    closeSync(descriptor);
    if (!isFile) throw new Error("it is a device, a pipe or a socket");
  } catch (error) {
    throw unavailable(file, error);
  }
}

function unavailable(file: string, cause: unknown): StoreError {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new StoreError("store-unavailable", `the store ${file} can't be opened: ${said}`, {
    path: file,
    cause,
  });
}

function withTexts(row: { readonly [column: string]: SqlValue | ArrayBuffer }): SqlRow {
  const read: { [column: string]: SqlValue } = {};
  for (const column in row) {
    const value = row[column] ?? null;
    read[column] = value instanceof ArrayBuffer ? Buffer.from(value).toString("utf8") : value;
  }
  return read;
}

function checked(values: readonly SqlValue[]): SqlValue[] {
  return values.map((value) => {
    if (value === null || typeof value === "string") return value;
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw new TypeError(`a ${typeof value} can't be bound to a statement`);
  });
}

/** The name of many an extended code is unknown to libsql; its number always has the primary code. */
function primaryCode(error: unknown): number {
  const code = (error as { rawCode?: unknown } | null)?.rawCode;
  return typeof code === "number" ? code & 0xff : 0;
}

function isBusy(error: unknown): boolean {
  return [BUSY, LOCKED].includes(primaryCode(error));
}
