import { DatabaseFault, FAULTS, type FaultFacts, messageOf } from "./database-fault.ts";

/** Primary result codes (sqlite.org/rescode.html) by number and by name. */
const BY_CODE: readonly (readonly [code: number, name: string, facts: FaultFacts])[] = [
  [3, "SQLITE_PERM", FAULTS.privilege],
  [5, "SQLITE_BUSY", FAULTS.busy],
  [6, "SQLITE_LOCKED", FAULTS.busy],
  [8, "SQLITE_READONLY", FAULTS.privilege],
  [10, "SQLITE_IOERR", FAULTS.connection],
  [11, "SQLITE_CORRUPT", FAULTS.damaged],
  [13, "SQLITE_FULL", FAULTS.operational],
  [14, "SQLITE_CANTOPEN", FAULTS.connection],
  [17, "SQLITE_SCHEMA", FAULTS.schema],
  [18, "SQLITE_TOOBIG", FAULTS.data],
  [19, "SQLITE_CONSTRAINT", FAULTS.integrity],
  [20, "SQLITE_MISMATCH", FAULTS.data],
  [23, "SQLITE_AUTH", FAULTS.privilege],
  [26, "SQLITE_NOTADB", FAULTS.damaged],
];

/** Constraint violations that mean "there is such a row": of a unique and of a primary key. */
const UNIQUE = /UNIQUE constraint failed/;

/** No table, no column: what SQLite says with its general error. */
const MISSING = /no such (table|column)|has no column named|already exists|duplicate column/;

/**
 * An error of libsql, better-sqlite3 or `node:sqlite` in the words of {@link DatabaseFault}: they
 * give the number as `rawCode`, not at all, or as `errcode`; the first two have the name as `code`.
 */
export function sqliteFault(error: unknown, file: string): DatabaseFault {
  if (error instanceof DatabaseFault) return error;
  const said = (error ?? {}) as { rawCode?: unknown; errcode?: unknown; code?: unknown };
  const name = typeof said.code === "string" ? said.code : undefined;
  const number = [said.rawCode, said.errcode].find((value) => typeof value === "number");
  const text = messageOf(error);
  const row =
    typeof number === "number"
      ? BY_CODE.find(([code]) => code === (number & 0xff))
      : BY_CODE.find(([, prefix]) => name?.startsWith(prefix));
  const facts = UNIQUE.test(text)
    ? FAULTS.unique
    : (row?.[2] ?? (MISSING.test(text) ? FAULTS.schema : FAULTS.programming));
  // Python's sqlite3 has no ProgrammingError for what is wrong in a statement.
  const shown: FaultFacts =
    facts.pythonName === "ProgrammingError" ? { ...facts, pythonName: "OperationalError" } : facts;
  const driverCode = name?.startsWith("SQLITE_") ? name : (row?.[1] ?? "SQLITE_ERROR");
  return new DatabaseFault(`${text} (${file})`, shown, driverCode);
}
