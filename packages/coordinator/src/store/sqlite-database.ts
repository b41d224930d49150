import { closeSync, openSync } from "node:fs";
import { StoreError, type StoreErrorCode } from "./task-store.ts";

/*
 * The one file that knows which embedded database is used. It is `libsql` 0.5.29: prebuilt, no
 * compiler, runs on Node 20 (README.md says what was measured against the others). Its sharp edges
 * are kept in here:
 *   - a bound boolean, or one lone object, aborts the whole process: only arrays of checked text,
 *     numbers and nulls reach it;
 *   - text comes back cut at the first U+0000: values are JSON text, which has none, and keys with
 *     one are refused before;
 *   - rows carry a field `_metadata`: columns are read by name only;
 *   - a wait for a lock blocks the whole process: the database waits for a moment only, and the
 *     longer wait is a timer here.
 */

/** What may be bound. */
export type SqlValue = string | number | null;

/** A row by column name. Integers are safe ones: the store keeps bigger numbers in JSON text. */
export type SqlRow = { readonly [column: string]: SqlValue };

/** How long the database itself may block the process when another one holds the lock. */
const BLOCKING_WAIT_MS = 20;

interface LibsqlStatement {
  run(values: readonly SqlValue[]): { changes: number };
  all(values: readonly SqlValue[]): SqlRow[];
}

interface LibsqlDatabase {
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}

/** One connection to a SQLite file. Statements are prepared once and kept. */
export class SqliteDatabase {
  readonly file: string;
  readonly #database: LibsqlDatabase;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, LibsqlStatement>();
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
      throw new StoreError("store-unavailable", `the store ${file} can't be opened: ${error}`, {
        path: file,
        cause: error,
      });
    }
  }

  private constructor(file: string, database: LibsqlDatabase, busyTimeoutMs: number) {
    this.file = file;
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Runs a statement that changes something; the number of rows it changed. */
  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return this.#attempt(() => this.#statement(sql).run(checked(values)).changes);
  }

  /** Every row of a query. */
  async all(sql: string, values: readonly SqlValue[] = []): Promise<SqlRow[]> {
    return this.#attempt(() => this.#statement(sql).all(checked(values)));
  }

  /** The first row of a query. */
  async first(sql: string, values: readonly SqlValue[] = []): Promise<SqlRow | undefined> {
    return (await this.all(sql, values))[0];
  }

  /** Statements that need no values, in one transaction: all of them or none. */
  async script(sql: string): Promise<void> {
    await this.#attempt(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        this.#database.exec(sql);
        this.#database.exec("COMMIT");
      } catch (error) {
        this.#database.exec("ROLLBACK");
        throw error;
      }
    });
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
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): LibsqlStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async #attempt<T>(work: () => T): Promise<T> {
    if (this.#closed) {
      throw new StoreError("store-unavailable", `the store ${this.file} is closed`, {
        path: this.file,
      });
    }
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

  #explain(error: unknown): StoreError {
    if (error instanceof StoreError) return error;
    const code = errorCode(error);
    const [ours, message] = EXPLANATIONS.get(code) ?? ["store-failed" as const, String(error)];
    return new StoreError(ours, `the store ${this.file}: ${message}`, {
      path: this.file,
      cause: error,
    });
  }
}

const EXPLANATIONS = new Map<string, [StoreErrorCode, string]>([
  [
    "SQLITE_BUSY",
    ["store-busy", "another process kept it locked; try again when that one is done"],
  ],
  ["SQLITE_NOTADB", ["not-a-store", "it is no SQLite database; name another file"]],
  ["SQLITE_CORRUPT", ["not-a-store", "it is damaged; name another file"]],
  ["SQLITE_READONLY", ["store-unavailable", "it can't be written to"]],
]);

/** The mode of an existing file is left alone: its owner may share it on purpose. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new StoreError("store-unavailable", `the store ${file} can't be opened: ${error}`, {
      path: file,
      cause: error,
    });
  }
}

function checked(values: readonly SqlValue[]): SqlValue[] {
  return values.map((value) => {
    if (value === null || typeof value === "string") return value;
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw new TypeError(`a ${typeof value} can't be bound to a statement`);
  });
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code.replace(/^(SQLITE_[A-Z]+)_.*$/, "$1") : "";
}

function isBusy(error: unknown): boolean {
  return ["SQLITE_BUSY", "SQLITE_LOCKED"].includes(errorCode(error));
}
