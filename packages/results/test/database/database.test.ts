import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { migrate } from "@parlance/results";
import { rejects, temporaryFolder, throws } from "@parlance/test-kit";
import Libsql from "libsql";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openDatabase } from "../../dist/database/open-database.js";
import type { DatabaseOptions } from "../../dist/database/options.js";
import { readText } from "../../dist/schema/sql-text.js";

const folder = temporaryFolder();
let files = 0;

function newFile(): string {
  return join(folder, `${++files}.db`);
}

function open(file: string, options: DatabaseOptions = {}) {
  return openDatabase(`db+sqlite:///${file}`, options);
}

function script(file: string, sql: string): void {
  const database = new Libsql(file);
  database.exec(sql);
  database.close();
}

function columnsOf(file: string, table = "celery_taskmeta"): string[] {
  const rows = new Libsql(file).prepare(`PRAGMA table_info("${table}")`).all();
  return rows.map((row) => (row as { name: string }).name);
}

const OLD_TABLES = `
  CREATE TABLE celery_taskmeta (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, task_id VARCHAR(155),
    status VARCHAR(50), result BLOB, date_done DATETIME, traceback TEXT, UNIQUE (task_id));
  CREATE TABLE celery_tasksetmeta (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, taskset_id VARCHAR(155),
    result BLOB, date_done DATETIME, UNIQUE (taskset_id));`;

test("makes the tables when it opens, once, or later, or never", async () => {
  const file = newFile();
  const database = await open(file);
  assert.is(columnsOf(file).length, 14);
  await database.close();
  await (await open(file)).close();

  const lazy = newFile();
  const later = await open(lazy, { createTables: "lazily" });
  throws(() => later.facts, "set-up-failed");
  await later.run("get", async () => {});
  assert.is(columnsOf(lazy).length, 14);
  await later.close();

  const none = newFile();
  const never = await open(none, { createTables: "never" });
  assert.is(never.facts.task.exists, false);
  const error = await rejects(
    never.run("get", (connection) => connection.query("SELECT * FROM celery_taskmeta")),
    "tables-missing",
  );
  assert.match(error.message, "migrate");
  assert.equal(columnsOf(none), []);
  await never.close();
});

test("opening a locked file ends when its signal says so, at once", async () => {
  const file = newFile();
  const other = new Libsql(file);
  other.exec("BEGIN EXCLUSIVE");
  const startedAt = performance.now();
  const error = await rejects(open(file, { signal: AbortSignal.timeout(50) }), "aborted");
  assert.is((error.cause as Error).name, "TimeoutError");
  assert.ok(performance.now() - startedAt < 2_000);
  await rejects(open(file, { signal: AbortSignal.abort() }), "aborted");
  await rejects(open(file, { signal: true as unknown as AbortSignal }), "bad-option");
  other.close();
});

test("every statement is told of, and an old table gets the columns one by one, and both indexes", async () => {
  const file = newFile();
  script(file, OLD_TABLES);
  const statements: string[] = [];
  const database = await open(file, { onStatement: (sql) => statements.push(sql) });
  const changes = statements.filter((sql) => /^(ALTER|CREATE)/.test(sql));
  assert.equal(changes, [
    ...[
      "children BLOB",
      "name VARCHAR(155)",
      "args BLOB",
      "kwargs BLOB",
      "worker VARCHAR(155)",
    ].map(alter),
    ...["retries INTEGER", "queue VARCHAR(155)", "stamps BLOB"].map(alter),
    "CREATE INDEX ix_celery_taskmeta_date_done ON celery_taskmeta (date_done)",
    "CREATE INDEX ix_celery_tasksetmeta_date_done ON celery_tasksetmeta (date_done)",
  ]);
  assert.is(database.facts.task.columns.size, 14);
  assert.is(database.facts.task.hasDateDoneIndex, true);
  await database.close();
});

function alter(definition: string): string {
  const [name, type] = definition.split(" ");
  return `ALTER TABLE celery_taskmeta ADD COLUMN "${name}" ${type}`;
}

test("what can't be added is a warning, said once, and is worked without", async () => {
  const file = newFile();
  // A view takes no columns and no index.
  script(
    file,
    `CREATE TABLE t (id INTEGER PRIMARY KEY, task_id TEXT, status TEXT, result BLOB, date_done TEXT);
     CREATE VIEW celery_taskmeta AS SELECT * FROM t`,
  );
  const warnings: string[] = [];
  const database = await open(file, { onWarning: (message) => warnings.push(message) });
  assert.is(warnings.length, 10);
  assert.match(warnings[0] ?? "", /celery_taskmeta lacks the column traceback.*ALTER TABLE/s);
  assert.equal(
    [...database.facts.task.columns],
    ["id", "task_id", "status", "result", "date_done"],
  );
  await rejects(database.run("x", (connection) => connection.query("SELECT nope FROM t")));
  assert.is(warnings.length, 10);
  await database.close();
});

test("migrate says what is missing, then makes it, then has nothing to say", async () => {
  const file = newFile();
  const url = `sqlite:///${file}`;
  const empty = await migrate(url, { check: true });
  assert.equal(
    empty.missing.map(({ kind, table }) => [kind, table]),
    [
      ["table", "celery_taskmeta"],
      ["table", "celery_tasksetmeta"],
    ],
  );
  assert.equal(columnsOf(file), []);
  script(file, OLD_TABLES);
  const check = await migrate(url, { check: true });
  assert.is(check.missing.length, 10);
  assert.equal(check.made, []);
  const { made, failed, missing } = await migrate(url);
  assert.equal(made, check.missing);
  assert.equal([failed, missing], [[], []]);
  assert.equal((await migrate(url, { check: true })).missing, []);
});

test("renamed tables live beside the usual ones, each with its index", async () => {
  const file = newFile();
  const options = {
    tableNames: { task: 'my "tasks"', group: "order" },
    tableSchemas: { task: "main" },
  };
  await (await open(file)).close();
  const database = await open(file, options);
  assert.is(columnsOf(file, 'my ""tasks""').length, 14);
  const { task, group } = database.facts;
  assert.equal([task.hasDateDoneIndex, group.hasDateDoneIndex], [true, true]);
  const kysely = await database.kysely();
  await kysely
    .insertInto("task")
    .values({ task_id: "a", status: "SUCCESS" } as never)
    .execute();
  const row = await kysely
    .selectFrom("task")
    .where("task.task_id", "=", "a")
    .select("task.status")
    .executeTakeFirst();
  assert.is(row?.status, "SUCCESS");
  assert.equal(
    (await database.run("get", (c) => c.query(`SELECT id FROM ${database.sql.task}`))).rows,
    [{ id: 1 }],
  );
  await database.close();
  const later = newFile(); // the usual ones come second, and find the names of their indexes taken
  await (await open(later, options)).close();
  const usual = await open(later);
  assert.ok(usual.facts.task.hasDateDoneIndex && usual.facts.group.hasDateDoneIndex);
  await usual.close();
});

test("tables that were dropped are made again, and a column that is gone is noticed", async () => {
  const file = newFile();
  const database = await open(file);
  script(file, "DROP TABLE celery_taskmeta");
  const count = "SELECT count(*) AS n FROM celery_taskmeta";
  const { rows } = await database.run("get", (connection) => connection.query(count));
  assert.equal(rows, [{ n: 0 }]);
  await database.close();
});

test("a file that was removed is not written to", async () => {
  const file = newFile();
  const database = await open(file, { prePingIdleMs: 0 });
  rmSync(file);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await database.run("store", (c) => c.query("INSERT INTO celery_taskmeta (task_id) VALUES ('a')"));
  assert.is(columnsOf(file).length, 14);
  await database.close();
});

test("the lock of somebody else is waited for without holding up the process", async () => {
  const file = newFile();
  const database = await open(file);
  const other = new Libsql(file);
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  setTimeout(() => other.exec("COMMIT"), 120);
  await database.run("store", async (connection) => {
    await connection.begin();
    await connection.query("INSERT INTO celery_taskmeta (task_id) VALUES (?)", ["a"]);
    await connection.commit();
  });
  clearInterval(ticking);
  assert.ok(ticks >= 5, `${ticks} ticks`);
  await database.close();

  other.exec("BEGIN IMMEDIATE");
  const impatient = await open(file, { busyTimeoutMs: 20, maxRetries: 1 });
  const error = await rejects(
    impatient.run("store", (connection) => connection.begin()),
    "store-failed",
  );
  assert.match(error.message, /OperationalError SQLITE_BUSY: .*\(tried 2 times\)/);
  other.exec("ROLLBACK");
  other.close();
  await impatient.close();
});

test("what work leaves open, or fails in, is rolled back", async () => {
  const database = await openDatabase("sqlite://");
  const insert = "INSERT INTO celery_taskmeta (task_id) VALUES ('a')";
  await database.run("store", async (connection) => {
    await connection.begin();
    await connection.query(insert);
  });
  const own = new RangeError("mine");
  const failing = database.run("store", async (connection) => {
    await connection.begin();
    await connection.query(insert);
    throw own;
  });
  assert.is(await rejects(failing), own);
  const left = await database.run("get", (c) =>
    c.query("SELECT count(*) AS n FROM celery_taskmeta"),
  );
  assert.equal(left.rows, [{ n: 0 }]);
  await database.close();
  await rejects(
    database.run("get", async () => {}),
    "closed",
  );
});

test("values come back as they went: bytes, big integers, texts with every trap of the library", async () => {
  const database = await openDatabase("sqlite://");
  const values = [
    "a\0b",
    Buffer.from([0, 255]),
    2 ** 53 - 1,
    2n ** 62n,
    1.5,
    null,
    new Uint8Array(0),
  ];
  const { rows } = await database.run("x", (connection) =>
    connection.query(
      "SELECT CAST(? AS BLOB) AS t, ? AS b, ? AS i, ? AS big, ? AS f, ? AS n, ? AS e, typeof(?) AS kind",
      [...values, 7],
    ),
  );
  const row = rows[0] ?? {};
  assert.is(readText(row["t"]), "a\0b");
  assert.equal([row["b"], row["e"]], [Buffer.from([0, 255]), Buffer.alloc(0)]);
  assert.equal([row["i"], row["big"], row["f"], row["n"]], [2 ** 53 - 1, 2n ** 62n, 1.5, null]);
  assert.is(row["kind"], "integer");
  for (const bad of [true, undefined, {}, new Date()]) {
    const work = database.run("x", (connection) => connection.query("SELECT ?", [bad as never]));
    assert.instance(await rejects(work), TypeError);
  }
  const broken = await database.run("x", (c) =>
    c.query(`SELECT ${database.sql.text("x")} FROM (SELECT CAST(x'ff61' AS TEXT) AS x)`),
  );
  assert.is(readText(broken.rows[0]?.["x"]), "\uFFFDa");
  await database.close();
});

test("a lent handle is used and left open; what is none is refused", async () => {
  const handle = new Libsql(":memory:");
  const database = await openDatabase("sqlite://", { sqlite: handle });
  await database.run("x", (c) =>
    c.query("INSERT INTO celery_taskmeta (task_id) VALUES (?)", ["a"]),
  );
  await database.close();
  assert.is(handle.prepare("SELECT task_id FROM celery_taskmeta").all().length, 1);
  await rejects(openDatabase("sqlite://", { sqlite: {} }), "bad-option");
});

test("a database that can't be opened says so", async () => {
  const missing = await rejects(open(join(folder, "no/such/x.db")), "database-unreachable");
  assert.match(missing.message, /there is no folder/);
  await rejects(open(folder), "database-unreachable");
  const text = newFile();
  writeFileSync(text, "This is no database, but long enough to be taken for one: ".repeat(20));
  const damaged = await rejects(open(text), "set-up-failed");
  assert.match(damaged.message, /DatabaseError SQLITE_NOTADB/);
});

test("nothing that is printed has a secret, and nothing can be sent to another thread", async () => {
  const database = await openDatabase("postgresql://u:s3cret@h/x", { createTables: "lazily" });
  const printed = [
    inspect(database, { showHidden: true }),
    JSON.stringify(database),
    String(database.url),
  ];
  for (const text of printed) assert.not.match(text, "s3cret");
  const error = throws(() => structuredClone(database));
  assert.match(error.message, "aResultStoreBelongsToItsThread_openOneInEachThread");
  await database.close();
});

test("options are checked", async () => {
  const bad: readonly [name: string, value: unknown][] = [
    ["createTables", true],
    ["poolSize", 0],
    ["poolSize", 1.5],
    ["poolTimeoutMs", -1],
    ["poolTimeoutMs", 2 ** 31],
    ["recycleSeconds", Number.NaN],
    ["prePingIdleMs", true],
    ["shortLived", "yes"],
    ["maxRetries", -1],
    ["maxRetries", null],
    ["beforeConnect", "x:y"],
    ["onWarning", 1],
  ];
  for (const [name, value] of bad) {
    const error = await rejects(openDatabase("sqlite://", { [name]: value }), "bad-option");
    assert.match(error.message, name);
  }
  await rejects(openDatabase("sqlite://", null as never), "bad-option");
});

test.run();
