import { inspect } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mysqlFault } from "../../dist/retry/mysql-faults.js";
import { postgresqlFault } from "../../dist/retry/postgresql-faults.js";
import { sqliteFault } from "../../dist/retry/sqlite-faults.js";

type Row = readonly [code: string | number | undefined, kind: string, name: string, flags: string];

const asIs = (text: string): string => text;
const flagsOf = (fault: { retryable: boolean; fatal: boolean }): string =>
  `${fault.retryable ? "again" : "once"}${fault.fatal ? " dead" : ""}`;

const POSTGRESQL: readonly Row[] = [
  ["08006", "connection", "OperationalError", "again dead"],
  ["57P01", "connection", "OperationalError", "again dead"],
  ["57P03", "connection", "OperationalError", "again dead"],
  ["53300", "connection", "OperationalError", "again dead"],
  ["ECONNREFUSED", "connection", "OperationalError", "again dead"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "connection", "OperationalError", "once dead"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "connection", "OperationalError", "once dead"],
  [undefined, "connection", "OperationalError", "again dead"],
  ["40001", "busy", "OperationalError", "again"],
  ["40P01", "busy", "OperationalError", "again"],
  ["55P03", "busy", "OperationalError", "again"],
  ["57014", "busy", "OperationalError", "again"],
  ["23505", "unique", "IntegrityError", "again"],
  ["23502", "schema", "ProgrammingError", "again"],
  ["23503", "other", "IntegrityError", "once"],
  ["22001", "data", "DataError", "once"],
  ["22021", "data", "DataError", "once"],
  ["42P01", "schema", "ProgrammingError", "again"],
  ["42703", "schema", "ProgrammingError", "again"],
  ["42601", "other", "ProgrammingError", "once"],
  ["42501", "privilege", "ProgrammingError", "once"],
  ["28P01", "login", "OperationalError", "once dead"],
  ["3D000", "login", "OperationalError", "once dead"],
  ["25006", "privilege", "InternalError", "again dead"],
  ["25P02", "other", "InternalError", "again"],
  ["XX000", "other", "InternalError", "again"],
  ["99999", "other", "OperationalError", "again"],
];

const MYSQL: readonly Row[] = [
  [1062, "unique", "IntegrityError", "again"],
  [1205, "busy", "OperationalError", "again"],
  [1213, "busy", "OperationalError", "again"],
  [1020, "busy", "OperationalError", "again"],
  [1406, "data", "DataError", "once"],
  [1366, "data", "DataError", "once"],
  [1153, "data", "DataError", "once dead"],
  [1146, "schema", "ProgrammingError", "again"],
  [1054, "schema", "ProgrammingError", "again"],
  [4091, "schema", "ProgrammingError", "again"],
  [1364, "schema", "ProgrammingError", "again"],
  [1064, "other", "ProgrammingError", "once"],
  [1142, "privilege", "ProgrammingError", "once"],
  [1290, "privilege", "InternalError", "again dead"],
  [1045, "login", "OperationalError", "once dead"],
  [1049, "login", "OperationalError", "once dead"],
  [1040, "connection", "OperationalError", "again dead"],
  [1053, "connection", "OperationalError", "again dead"],
  [1927, "connection", "OperationalError", "again dead"],
  [-111, "connection", "OperationalError", "again dead"],
  [undefined, "connection", "OperationalError", "again dead"],
  [3999, "other", "OperationalError", "again"],
];

const SQLITE: readonly Row[] = [
  [5, "busy", "OperationalError", "again"],
  [517, "busy", "OperationalError", "again"],
  [6, "busy", "OperationalError", "again"],
  [8, "privilege", "OperationalError", "once"],
  [10, "connection", "OperationalError", "again dead"],
  [11, "other", "DatabaseError", "once"],
  [26, "other", "DatabaseError", "once"],
  [13, "other", "OperationalError", "again"],
  [14, "connection", "OperationalError", "again dead"],
  [18, "data", "DataError", "once"],
  [787, "other", "IntegrityError", "once"],
  [1, "other", "OperationalError", "once"],
];

test("PostgreSQL's states are told apart", () => {
  for (const [code, kind, name, flags] of POSTGRESQL) {
    const fault = postgresqlFault(Object.assign(new Error("said"), { code }), asIs);
    assert.equal([fault.kind, fault.pythonName, flagsOf(fault)], [kind, name, flags], String(code));
    assert.is(fault.driverCode, code);
  }
});

test("MySQL's and MariaDB's numbers are told apart", () => {
  for (const [errno, kind, name, flags] of MYSQL) {
    const fault = mysqlFault(Object.assign(new Error("said"), { errno, code: "ER_X" }), asIs);
    assert.equal(
      [fault.kind, fault.pythonName, flagsOf(fault)],
      [kind, name, flags],
      String(errno),
    );
    assert.is(fault.driverCode, "ER_X");
  }
});

test("SQLite's codes are told apart, as each library gives them", () => {
  for (const [code, kind, name, flags] of SQLITE) {
    for (const field of ["rawCode", "errcode"]) {
      const fault = sqliteFault(Object.assign(new Error("said"), { [field]: code }), "f.db");
      assert.equal([fault.kind, fault.pythonName, flagsOf(fault)], [kind, name, flags], `${code}`);
    }
  }
  const named = (code: string, message = "said") =>
    sqliteFault(Object.assign(new Error(message), { code }), "f.db");
  assert.is(named("SQLITE_BUSY_SNAPSHOT").kind, "busy");
  assert.is(named("SQLITE_CONSTRAINT_UNIQUE", "UNIQUE constraint failed: t.x").kind, "unique");
  assert.is(named("SQLITE_ERROR", "no such table: t").kind, "schema");
  assert.is(named("SQLITE_ERROR", "no such column: x").kind, "schema");
  assert.is(named("SQLITE_ERROR", "table t has no column named x").kind, "schema");
  assert.is(named("SQLITE_ERROR", 'near "x": syntax error').kind, "other");
});

test("no value and no secret is left in what is said", () => {
  const redact = (text: string) => text.replaceAll("hunter22", "**");
  const driverError = (message: string, facts: object) => Object.assign(new Error(message), facts);
  const faults = [
    postgresqlFault(
      driverError('invalid input syntax for type integer: "s3cret"', { code: "22P02" }),
      redact,
    ),
    postgresqlFault(
      driverError("duplicate key value", { code: "23505", detail: "Key (task_id)=(s3cret)" }),
      redact,
    ),
    mysqlFault(
      driverError("Duplicate entry 's3'cret' for key 'task_id'", { errno: 1062, sql: "s3cret" }),
      redact,
    ),
    mysqlFault(
      driverError("Incorrect string value: 's3cret' for column `x`.`t`.`name` at row 1", {
        errno: 1366,
      }),
      redact,
    ),
    mysqlFault(driverError("hunter22 is wrong", { errno: 1045 }), redact),
  ];
  for (const fault of faults) {
    assert.not.match(inspect(fault, { depth: 9, showHidden: true }), /s3|cret|hunter22/);
  }
  assert.match(faults[2]?.message ?? "", "for key 'task_id'");
});

test.run();
