import { migrate, openResultStore, printTables } from "@parlance/results";
import { type DatabaseServer, requirePeer, startMariadb } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { registerDatabaseTests } from "./support/register-database-tests.ts";
import { serverStore } from "./support/server-store.ts";

let server: DatabaseServer;

if (requirePeer(test, "the database MariaDB", "mariadb") !== undefined) {
  test.before(async () => {
    server = await startMariadb();
  });
  test.after(() => server.stop());
  registerDatabaseTests(test, () => server, {
    oldTables: [
      "CREATE SEQUENCE task_id_sequence",
      "CREATE SEQUENCE taskset_id_sequence",
      `CREATE TABLE celery_taskmeta (id INTEGER NOT NULL PRIMARY KEY, task_id VARCHAR(155) UNIQUE,
         status VARCHAR(50), result BLOB, date_done DATETIME, traceback TEXT)`,
      `CREATE TABLE celery_tasksetmeta (id INTEGER NOT NULL PRIMARY KEY,
         taskset_id VARCHAR(155) UNIQUE, result BLOB, date_done DATETIME)`,
    ],
    plainUser: (name, password, database) => [
      `CREATE USER ${name}@'127.0.0.1' IDENTIFIED BY '${password}'`,
      `GRANT SELECT ON ${database}.* TO ${name}@'127.0.0.1'`,
      `GRANT INSERT, UPDATE, DELETE ON ${database}.* TO ${name}@'127.0.0.1'`,
    ],
    endConnections: `BEGIN NOT ATOMIC
      FOR c IN (SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID())
      DO KILL c.id; END FOR; END`,
    countConnections: `SELECT COUNT(*) AS n FROM information_schema.processlist
      WHERE db = DATABASE() AND id <> CONNECTION_ID()`,
    changePassword: (name, password) =>
      `ALTER USER ${name}@'127.0.0.1' IDENTIFIED BY '${password}'`,
  });
  registerTests();
}

async function put(url: string, options = {}): Promise<void> {
  const store = await openResultStore(url, options);
  for (const id of ["a", "b"]) await store.store(id, { state: "SUCCESS", result: id });
  await store.saveGroup("g", ["a"]);
  assert.is((await store.get("b")).result, "b");
  await store.close();
}

function registerTests(): void {
  test("the server says that it is MariaDB, whatever the URL says", async () => {
    const database = await server.createDatabase();
    const url = server.url(database);
    for (const one of [
      url,
      url.replace("mysql", "mariadb"),
      url.replace("db+mysql", "mysql+pymysql"),
    ]) {
      const store = await openResultStore(`${one}?charset=latin1`);
      assert.is(store.database.dialect, "mariadb");
      // The URL's charset is no reason to lose characters.
      await store.store("t", { state: "A", traceback: "naïve 🎉" });
      assert.is((await store.get("t")).traceback, "naïve 🎉");
      await store.close();
    }
  });

  test("tables of MySQL, whose ids fill themselves, are used as they are", async () => {
    const database = await server.createDatabase();
    for (const sql of printTables("mysql").statements) await server.query(database, sql);
    await put(server.url(database));
    assert.equal(await server.query(database, "SELECT id FROM celery_taskmeta ORDER BY id"), [
      { id: 1 },
      { id: 2 },
    ]);
    assert.equal((await migrate(server.url(database), { check: true })).missing, []);
  });

  test("without a sequence and without a default, a sequence after the last id", async () => {
    const database = await server.createDatabase();
    for (const sql of printTables("mariadb").statements) {
      if (!sql.includes("SEQUENCE")) await server.query(database, sql);
    }
    await server.query(database, "INSERT INTO celery_taskmeta (id, task_id) VALUES (41, 'old')");
    await put(server.url(database));
    const ids = await server.query(database, "SELECT id FROM celery_taskmeta ORDER BY id");
    assert.equal(ids, [{ id: 41 }, { id: 42 }, { id: 43 }]);
  });

  test("tables in other databases and with odd names", async () => {
    const [own, other] = [await server.createDatabase(), await server.createDatabase()];
    await put(server.url(own), {
      tableNames: { task: "my `tasks`", group: "order" },
      tableSchemas: { task: other },
    });
    assert.is((await server.query(other, "SELECT id FROM `my ``tasks```")).length, 2);
    assert.is((await server.query(own, "SELECT id FROM `order`")).length, 1);
  });

  test("a migration to LONGBLOB takes results of more than 64 KiB", async () => {
    const { database, store, query, close } = await serverStore(server);
    const large = "x".repeat(70_000);
    await store.store("before", { state: "SUCCESS", result: "small" });
    assert.is(store.database.facts.task.maxBytes.get("result"), 65_535);
    const check = await migrate(server.url(database), { check: true, largeValues: true });
    assert.equal(
      check.missing.map(({ kind, role, name }) => [kind, role, name]),
      [
        ["large-values", "task", "result, children, args, kwargs, stamps"],
        ["large-values", "group", "result"],
      ],
    );
    const { made } = await store.migrate({ largeValues: true });
    assert.is(made.length, 2);
    assert.is(store.database.facts.task.maxBytes.get("result"), undefined);
    await store.store("after", { state: "SUCCESS", result: large });
    assert.is((await store.get("after")).result, large);
    assert.is((await store.get("before")).result, "small");
    assert.equal((await store.migrate({ check: true, largeValues: true })).missing, []);
    const [session] = await query("SELECT @@lock_wait_timeout > 5 AS reset");
    assert.is(session?.["reset"], 1);
    await close();
  });
}

test.run();
