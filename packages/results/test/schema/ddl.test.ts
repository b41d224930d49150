import { readFileSync } from "node:fs";
import { printTables } from "@parlance/results";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

function golden(
  name: string,
): { [key: string]: { statements: string[] } } & { statements: string[] } {
  const file = new URL(`../../test/data/golden/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

const offline = golden("ddl_offline");
const expected: readonly [dialect: string, statements: string[] | undefined][] = [
  ["sqlite", golden("ddl_sqlite").statements],
  ["postgresql", golden("ddl_postgresql").statements],
  ["mariadb", golden("ddl_mariadb").statements],
  ["mysql", offline["mysql"]?.statements],
  ["oracle", offline["oracle"]?.statements],
  ["mssql", offline["mssql"]?.statements],
];

const words = (statement: string): string => statement.replace(/\s+/g, " ").trim();

for (const [dialect, statements] of expected) {
  test(`the statements for ${dialect} are those of Celery`, () => {
    assert.ok(statements !== undefined && statements.length >= 4);
    assert.equal(printTables(dialect).statements.map(words), statements.map(words));
  });
}

test("a URL stands for its dialect, also where nothing else can be done with it", () => {
  assert.is(printTables("db+mysql://u:p@h/x").dialect, "mysql");
  assert.is(printTables("mariadb+pymysql://h/x").dialect, "mariadb");
  assert.is(printTables("db+oracle://u:p@h/x").dialect, "oracle");
  assert.is(printTables("mssql+pyodbc://dsn").dialect, "mssql");
  throws(() => printTables("access"), "unknown-dialect");
  throws(() => printTables("access://x"), "unknown-dialect");
  throws(() => printTables(undefined), "missing-url");
});

test("renamed tables have their names and schemas in every statement, sequences theirs only", () => {
  const options = {
    tableNames: { task: "myapp_taskmeta", group: "My Groups" },
    tableSchemas: { task: "celery_a", group: 'o"dd' },
  };
  const { statements } = printTables("postgresql", options);
  assert.equal(
    statements.map((statement) => words(statement).replace(/ \( ?id .*/, "")),
    [
      "CREATE SEQUENCE celery_a.task_id_sequence",
      "CREATE TABLE celery_a.myapp_taskmeta",
      "CREATE INDEX ix_celery_taskmeta_date_done ON celery_a.myapp_taskmeta (date_done)",
      'CREATE SEQUENCE "o""dd".taskset_id_sequence',
      'CREATE TABLE "o""dd"."My Groups"',
      'CREATE INDEX ix_celery_tasksetmeta_date_done ON "o""dd"."My Groups" (date_done)',
    ],
  );
  assert.match(
    printTables("mysql", options).statements[2] ?? "",
    'CREATE TABLE `o"dd`.`My Groups`',
  );
  assert.match(
    printTables("sqlite", options).statements[1] ?? "",
    "CREATE INDEX celery_a.ix_celery_taskmeta_date_done ON myapp_taskmeta",
  );
});

test("words that are reserved are quoted", () => {
  for (const name of ["order", "group", "current_user", "Camel", "a-b", "1st_table"]) {
    const [statement] = printTables("sqlite", { tableNames: { task: name } }).statements;
    assert.match(statement ?? "", `CREATE TABLE "${name}"`);
  }
});

test("names that are none are refused", () => {
  const bad: unknown[] = ["", "x".repeat(64), "ä".repeat(32), "a\0b", "a\nb", "a\ud800", 7, null];
  for (const task of bad.slice(0, -1)) {
    throws(() => printTables("sqlite", { tableNames: { task: task as string } }), "bad-table-name");
    throws(
      () => printTables("sqlite", { tableSchemas: { task: task as string } }),
      "bad-table-name",
    );
  }
  throws(() => printTables("sqlite", { tableNames: { tasks: "x" } as object }), "bad-table-name");
  throws(() => printTables("sqlite", { tableNames: "x" as unknown as object }), "bad-table-name");
  throws(() => printTables("sqlite", { tableNames: { task: "x", group: "x" } }), "bad-table-name");
  assert.is(printTables("sqlite", { tableNames: { task: "x".repeat(63) } }).statements.length, 4);
});

test.run();
