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
  all(...values: unknown[]): RawRow[];
  get(...values: unknown[]): RawRow | null | undefined;
  run(...values: unknown[]): { changes: number | bigint };
  safeIntegers?(on: boolean): unknown;
  setReadBigInts?(on: boolean): unknown;
  readonly reader?: boolean;
  raw?(on: boolean): unknown;
  columns?(): readonly { readonly name: string }[];
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

interface Prepared {
  readonly statement: Statement;
  /** `node:sqlite` takes values one by one; the others an array. */
  readonly takesSpread: boolean;
  /** The names of the columns where rows come as arrays, which are quicker to make than objects. */
  readonly columns: readonly string[] | undefined;
  /** It ends in LIMIT 1. `get` costs libsql a third of `all`, which makes ready for 100 rows. */
  readonly isSingle: boolean;
}

type RawRow = { [column: string]: unknown } | readonly unknown[];

class CheckedHandle implements SqliteHandle {
  readonly #library: Library;
  readonly #prepared = new Map<string, Prepared>();

  constructor(library: Library) {
    this.#library = library;
  }

  all(sql: string, values: readonly SqlValue[]): SqlRow[] {
    const { statement, takesSpread, columns, isSingle } = this.#prepare(sql, true);
    const given = boundAll(values);
    if (isSingle) {
      const row = takesSpread ? statement.get(...given) : statement.get(given);
      return row === undefined || row === null ? [] : [rowOf(row, columns)];
    }
    const rows = takesSpread ? statement.all(...given) : statement.all(given);
    return rows.map((row) => rowOf(row, columns));
  }

  run(sql: string, values: readonly SqlValue[]): number {
    const { statement, takesSpread } = this.#prepare(sql, false);
    const given = boundAll(values);
    const { changes } = takesSpread ? statement.run(...given) : statement.run(given);
    return Number(changes);
  }

  close(): void {
    this.#prepared.clear();
    this.#library.close();
  }

  #prepare(sql: string, givesRows: boolean): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#library.prepare(sql);
    const takesSpread = statement.setReadBigInts !== undefined;
    if (statement.setReadBigInts) statement.setReadBigInts(true);
    else statement.safeIntegers?.(true);
    let columns: readonly string[] | undefined;
    // A PRAGMA that sets something looks like one that gives rows.
    const isReader = givesRows && statement.reader === true;
    if (isReader && statement.raw !== undefined && statement.columns !== undefined) {
      statement.raw(true);
      columns = statement.columns().map(({ name }) => name);
    }
    const prepared = { statement, takesSpread, columns, isSingle: / limit 1$/i.test(sql) };
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function boundAll(values: readonly SqlValue[]): unknown[] {
  const given: unknown[] = [];
  for (const value of values) given.push(typeof value === "string" ? value : bound(value));
  return given;
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

function rowOf(row: RawRow, columns: readonly string[] | undefined): SqlRow {
  const read: { [column: string]: SqlValue } = {};
  if (columns === undefined) {
    for (const [column, value] of Object.entries(row)) read[column] = sqlValue(value);
    return read;
  }
  const values = row as readonly unknown[];
  for (let at = 0; at < columns.length; at++) read[columns[at] as string] = sqlValue(values[at]);
  return read;
}

function sqlValue(value: unknown): SqlValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  return value instanceof ArrayBuffer ? Buffer.from(value) : (value as SqlValue);
}
