import { migrate, openResultStore, printTables } from "@parlance/results";
import { type DatabaseServer, rejects, requirePeer, startPostgresql } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { registerDatabaseTests } from "./support/register-database-tests.ts";
import { serverStore } from "./support/server-store.ts";

let server: DatabaseServer;

if (requirePeer(test, "the database PostgreSQL", "postgresql") !== undefined) {
  test.before(async () => {
    server = await startPostgresql();
  });
  test.after(() => server.stop());
  registerDatabaseTests(test, () => server, {
    oldTables: [
      "CREATE SEQUENCE task_id_sequence",
      "CREATE SEQUENCE taskset_id_sequence",
      `CREATE TABLE celery_taskmeta (id INTEGER NOT NULL PRIMARY KEY, task_id VARCHAR(155) UNIQUE,
         status VARCHAR(50), result BYTEA, date_done TIMESTAMP, traceback TEXT)`,
      `CREATE TABLE celery_tasksetmeta (id INTEGER NOT NULL PRIMARY KEY,
         taskset_id VARCHAR(155) UNIQUE, result BYTEA, date_done TIMESTAMP)`,
    ],
    plainUser: (name, password) => [
      `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
      "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`,
    ],
    endConnections: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    countConnections: `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    changePassword: (name, password) => `ALTER ROLE ${name} PASSWORD '${password}'`,
  });
  registerTests();
}

async function put(url: string, options = {}): Promise<void> {
  const store = await openResultStore(url, options);
  for (const id of ["a", "b"]) await store.store(id, { state: "SUCCESS", result: id });
  await store.saveGroup("g", ["a"], { replace: true });
  assert.is((await store.get("b")).result, "b");
  await store.close();
}

function registerTests(): void {
  test("tables in schemas and with odd names, the sequences with them; a missing schema fails", async () => {
    const database = await server.createDatabase();
    const options = {
      tableNames: { task: 'My "tasks"', group: "order" },
      tableSchemas: { task: "celery_a", group: "Celery B" },
    };
    await rejects(openResultStore(server.url(database), options), "set-up-failed");
    for (const schema of ["celery_a", '"Celery B"']) {
      await server.query(database, `CREATE SCHEMA ${schema}`);
    }
    await put(server.url(database), options);
    const found = await server.query(
      database,
      `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname ILIKE 'celery%' AND c.relkind IN ('r', 'S', 'i') AND c.relname !~ '_(key|pkey)$'`,
    );
    assert.equal(found.map(({ name }) => name).sort(), [
      "Celery B.ix_celery_tasksetmeta_date_done",
      "Celery B.order",
      "Celery B.taskset_id_sequence",
      'celery_a.My "tasks"',
      "celery_a.ix_celery_taskmeta_date_done",
      "celery_a.task_id_sequence",
    ]);
  });

  test("a second pair of tables in one schema shares the sequence and gets indexes of its own", async () => {
    const database = await server.createDatabase();
    await put(server.url(database));
    await put(server.url(database), { tableNames: { task: "other_tasks", group: "other_groups" } });
    const ids = await server.query(database, "SELECT id FROM other_tasks ORDER BY id");
    assert.equal(ids, [{ id: 3 }, { id: 4 }]);
  });

  test("options of the URL count: search_path, application_name, sslmode", async () => {
    const database = await server.createDatabase();
    await server.query(database, "CREATE SCHEMA elsewhere");
    const url = server.url(database);
    await put(`${url}?options=-csearch_path%3Delsewhere&sslmode=prefer`);
    const [row] = await server.query(
      database,
      "SELECT count(*) AS n FROM elsewhere.celery_taskmeta",
    );
    assert.is(row?.["n"], 2);
    for (const mode of ["disable", "allow"]) await put(`${url}?sslmode=${mode}`);
    const error = await rejects(openResultStore(`${url}?sslmode=require`), "database-unreachable");
    assert.match(error.message, "does not support SSL");
    await rejects(openResultStore(`${url}?sslmode=full`), "bad-url");
    // The first host answers nothing; the second is the server.
    const { port, user, password } = server;
    await put(`postgresql://${user}:${password}@/${database}?host=127.0.0.1:1,127.0.0.1:${port}`);
  });

  test("without a sequence, the column's own default; without that, a sequence after the last id", async () => {
    const tables = printTables("postgresql").statements.filter(
      (sql) => !/SEQUENCE|INDEX/.test(sql),
    );
    const serial = await server.createDatabase();
    for (const sql of tables) {
      await server.query(serial, sql.replace("id INTEGER NOT NULL", "id SERIAL"));
    }
    await put(server.url(serial));
    assert.equal(await server.query(serial, "SELECT id FROM celery_taskmeta ORDER BY id"), [
      { id: 1 },
      { id: 2 },
    ]);
    const none = await server.createDatabase();
    for (const sql of tables) await server.query(none, sql);
    await server.query(none, "INSERT INTO celery_taskmeta (id, task_id) VALUES (41, 'old')");
    await put(server.url(none));
    const ids = await server.query(none, "SELECT id FROM celery_taskmeta ORDER BY id");
    assert.equal(ids, [{ id: 41 }, { id: 42 }, { id: 43 }]);
  });

  test("a sequence that is dropped while a store is open is noticed", async () => {
    const { store, query, close } = await serverStore(server);
    await store.store("a", { state: "SUCCESS" });
    await query("DROP SEQUENCE task_id_sequence");
    assert.is((await store.store("b", { state: "SUCCESS" })).written, true);
    await close();
  });

  test("an index is built while others write; one that could not be ended is begun anew", async () => {
    const { database, store, query, close } = await serverStore(server);
    await query("DROP INDEX ix_celery_taskmeta_date_done");
    // A transaction that wrote keeps CREATE INDEX CONCURRENTLY waiting; 5 s, then it gives up.
    let release: (() => void) | undefined;
    const held = store.database.run("x", async (connection) => {
      await connection.begin();
      await connection.query("INSERT INTO celery_tasksetmeta (id, taskset_id) VALUES (77, 'held')");
      await connection.query("LOCK TABLE celery_taskmeta IN ROW EXCLUSIVE MODE");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const migrating = migrate(server.url(database));
    for (let at = 0; at < 20; at++) await store.store(`w-${at}`, { state: "SUCCESS" });
    const { failed, made } = await migrating;
    assert.equal([failed.length, made.length], [1, 0]);
    assert.match(failed[0]?.reason ?? "", "lock timeout");
    release?.();
    await held;
    const valid = `SELECT indisvalid::text AS is FROM pg_index
      WHERE indexrelid = 'ix_celery_taskmeta_date_done'::regclass`;
    assert.equal(await query(valid), [{ is: "false" }]);
    const again = await migrate(server.url(database));
    assert.equal(
      again.made.map(({ kind }) => kind),
      ["index"],
    );
    assert.equal(await query(valid), [{ is: "true" }]);
    const [settings] = await query("SHOW lock_timeout");
    assert.is(settings?.["lock_timeout"], "0");
    await close();
  });
}

test.run();
