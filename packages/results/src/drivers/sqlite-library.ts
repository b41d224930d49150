import type { SqlRow, SqlValue } from "./driver.ts";
import { loadPeer } from "./load-peer.ts";

/*
 * The one file that knows which SQLite library is used: libsql 0.5.29 by default (prebuilt, Node 20),
 * or the handle that the user lends: better-sqlite3, node:sqlite, libsql. Edges of libsql that are
 * kept in here:
 *   - a bound boolean, or one lone object, aborts the whole process: only arrays of checked values;
 *   - numbers are bound as REAL: whole ones go as bigint;
 *   - integers above 2^53 are rounded unless safe integers are asked for;
 *   - blobs come back as ArrayBuffer; a text that is no UTF-8 aborts the process and one with a
 *     U+0000 is cut there: `SqlText.text` selects texts as blobs;
 *   - an error when opening has no code.
 */

/** A SQLite handle, whichever library it comes from. Every call blocks until it is done. */
export interface SqliteHandle {
  all(sql: string, values: readonly SqlValue[]): SqlRow[];
  /** The number of rows that changed. */
  run(sql: string, values: readonly SqlValue[]): number;
  close(): void;
}

interface Statement {
  all(...values: unknown[]): { [column: string]: unknown }[];
  run(...values: unknown[]): { changes: number | bigint };
  safeIntegers?(on: boolean): unknown;
  setReadBigInts?(on: boolean): unknown;
}

interface Library {
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a file (or memory) with libsql. Never waits for a lock itself: that would block the process. */
export async function openLibsql(file: string | undefined): Promise<SqliteHandle> {
  const { default: Database } = (await loadPeer("libsql", "SQLite", () => import("libsql"))) as {
    default: new (file: string, options: { timeout: number }) => unknown;
  };
  return new CheckedHandle(new Database(file ?? ":memory:", { timeout: 0 }) as Library);
}

/** A handle that was lent: of better-sqlite3, libsql or `node:sqlite`. Undefined for anything else. */
export function lentHandle(value: object): SqliteHandle | undefined {
  const { prepare, close } = value as Partial<Library>;
  if (typeof prepare !== "function" || typeof close !== "function") return undefined;
  return new CheckedHandle(value as Library);
}

/** Statements kept prepared; libsql can't give one back, so the least used ones are just dropped. */
const MAX_STATEMENTS = 100;

class CheckedHandle implements SqliteHandle {
  readonly #library: Library;
  readonly #statements = new Map<string, Statement>();

  constructor(library: Library) {
    this.#library = library;
  }

  all(sql: string, values: readonly SqlValue[]): SqlRow[] {
    const statement = this.#statement(sql);
    const rows = statement.setReadBigInts
      ? statement.all(...values.map(bound))
      : statement.all(values.map(bound));
    return rows.map(rowOf);
  }

  run(sql: string, values: readonly SqlValue[]): number {
    const statement = this.#statement(sql);
    const { changes } = statement.setReadBigInts
      ? statement.run(...values.map(bound))
      : statement.run(values.map(bound));
    return Number(changes);
  }

  close(): void {
    this.#statements.clear();
    this.#library.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#library.prepare(sql);
    if (statement.setReadBigInts) statement.setReadBigInts(true);
    else statement.safeIntegers?.(true);
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

function bound(value: SqlValue): string | number | bigint | Buffer | null {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value instanceof Uint8Array) {
    return Buffer.isBuffer(value)
      ? value
      : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  throw new TypeError(`a ${typeof value} can't be bound to a statement`);
}

function rowOf(row: { [column: string]: unknown }): SqlRow {
  const read: { [column: string]: SqlValue } = {};
  for (const column in row) {
    const value = row[column];
    if (typeof value === "bigint") {
      const number = Number(value);
      read[column] = Number.isSafeInteger(number) ? number : value;
    } else if (value instanceof ArrayBuffer) {
      read[column] = Buffer.from(value);
    } else {
      read[column] = value as SqlValue;
    }
  }
  return read;
}
