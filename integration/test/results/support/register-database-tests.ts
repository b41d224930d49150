import { readdirSync } from "node:fs";
import { inspect } from "node:util";
import { migrate, openResultStore, type ResultStoreOptions } from "@parlance/results";
import { type DatabaseServer, rejects } from "@parlance/test-kit";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { openAtOnce } from "./open-at-once.ts";
import { serverStore } from "./server-store.ts";

/** What differs between the servers. */
export interface ServerWords {
  /** A table as Celery made it before it had children and the extended columns. */
  readonly oldTables: readonly string[];
  /** Makes a user of that name and password who may use the tables, but make and change none. */
  readonly plainUser: (name: string, password: string, database: string) => readonly string[];
  /** Ends every other connection to the database. */
  readonly endConnections: string;
  readonly countConnections: string;
  readonly changePassword: (name: string, password: string) => string;
}

const COLUMNS = ["children", "name", "args", "kwargs", "worker", "retries", "queue", "stamps"];

const EXTENDED = {
  state: "SUCCESS",
  result: 1,
  children: [{ kind: "task", id: "c", parent: null }],
  request: { task: "t", args: [1], kwargs: {}, hostname: "w", retries: 1, queue: "q" },
  stamps: { customer: "x" },
} as const;

/** What every server has to stand: opening it, losing it, being allowed little. */
export function registerDatabaseTests(
  test: Test,
  server: () => DatabaseServer,
  words: ServerWords,
): void {
  async function script(database: string, statements: readonly string[]): Promise<void> {
    for (const statement of statements) await server().query(database, statement);
  }

  async function oldDatabase(): Promise<string> {
    const database = await server().createDatabase();
    await script(database, words.oldTables);
    return database;
  }

  function urlOf(database: string, user: string, password: string): string {
    const url = new URL(server().url(database));
    url.username = user;
    url.password = password;
    return url.href;
  }

  test("six processes open an empty database at once", async () => {
    const database = await server().createDatabase();
    const outcomes = await openAtOnce(server().url(database), 6);
    for (const { error, warnings } of outcomes) assert.equal([error, warnings], [undefined, []]);
    assert.equal((await migrate(server().url(database), { check: true })).missing, []);
    const rows = await server().query(database, "SELECT task_id FROM celery_taskmeta");
    assert.is(rows.length, 6);
  });

  test("six processes open an old database at once, whose tables lack columns and indexes", async () => {
    const database = await oldDatabase();
    const outcomes = await openAtOnce(server().url(database), 6);
    for (const { error } of outcomes) assert.is(error, undefined);
    // Who found the others at work may have gone on without; what is missing is made next time.
    const { store, close } = await serverStore(server(), {}, database);
    const { task, group } = store.database.facts;
    assert.equal(
      COLUMNS.filter((column) => !task.columns.has(column)),
      [],
    );
    assert.equal([task.hasDateDoneIndex, group.hasDateDoneIndex], [true, true]);
    await close();
  });

  test("who may not change the tables works without what they lack", async () => {
    const database = await oldDatabase();
    await script(database, words.plainUser("plain", "pl41n-pass", database));
    const warnings: string[] = [];
    const url = urlOf(database, "plain", "pl41n-pass");
    const store = await openResultStore(url, {
      extended: true,
      onWarning: (message) => warnings.push(message),
    });
    for (const column of [...COLUMNS, "ix_celery_taskmeta_date_done"]) {
      assert.ok(
        warnings.some((text) => text.includes(` ${column}, which could not be made`)),
        column,
      );
    }
    assert.equal([...store.database.facts.task.columns].length, 6);
    for (const state of ["STARTED", "SUCCESS"]) await store.store("t", { ...EXTENDED, state });
    const meta = await store.get("t");
    assert.equal([meta.state, meta.result, meta.children], ["SUCCESS", 1, null]);
    assert.is(await store.exists("t"), true);
    await store.saveGroup("g", ["t"]);
    assert.is((await store.restoreGroup("g"))?.members.length, 1);
    let listed = 0;
    for await (const _ of store.list()) listed++;
    assert.is(listed, 1);
    assert.is(await store.forget("t"), true);
    await store.cleanup({ expiresSeconds: 0 });
    await store.close();
    const checked = await migrate(url, { check: true });
    assert.is(checked.missing.length, 10);
    const tried = await migrate(url);
    assert.equal([tried.made.length, tried.failed.length], [0, 10]);
  });

  test("who may not make the tables is told so", async () => {
    const database = await server().createDatabase();
    await script(database, words.plainUser("nobody", "n0body-pass", database).slice(0, 2));
    const url = urlOf(database, "nobody", "n0body-pass");
    const error = await rejects(openResultStore(url), "set-up-failed");
    assert.match(error.message, /ProgrammingError .*(denied).*migrate with print/s);
    assert.not.match(inspect(error, { depth: 9, showHidden: true }), "n0body-pass");
  });

  test("a wrong password is refused at once, and not shown", async () => {
    const url = urlOf("x", server().user, "wr0ng-s3cret");
    const started = Date.now();
    const error = await rejects(openResultStore(url), "database-unreachable");
    assert.ok(Date.now() - started < 15_000);
    assert.match(error.message, /OperationalError /);
    assert.not.match(inspect(error, { depth: 9, showHidden: true }), "wr0ng-s3cret");
  });

  test("a hook gives the password of each connect, and a new one where it is refused", async () => {
    const { database, close } = await serverStore(server());
    await script(database, words.plainUser("token", "token-0000", database));
    let current = 0;
    const asked: unknown[] = [];
    const options: ResultStoreOptions = {
      shortLived: true,
      beforeConnect: async (target) => {
        asked.push(target);
        return { user: "token", password: `token-000${current}` };
      },
    };
    const store = await openResultStore(urlOf(database, "someone", "old-s3cret"), options);
    await store.store("a", { state: "SUCCESS" });
    await server().query(database, words.changePassword("token", "token-0002"));
    const failed = await rejects(store.get("a"), "get-failed");
    assert.not.match(inspect(failed, { depth: 9, showHidden: true }), /token-0000|old-s3cret/);
    const before = asked.length;
    const working = store.get("a");
    current = 2;
    assert.is((await working).state, "SUCCESS");
    assert.ok(asked.length > before);
    assert.equal(asked[0], {
      dialect: server().kind === "mariadb" ? "mysql" : "postgresql",
      user: "someone",
      database,
      host: "127.0.0.1",
      port: server().port,
    });
    await store.close();
    await close();
  });

  test("connections that the server ended are noticed, idle ones and pings alike", async () => {
    for (const prePingIdleMs of [false, 0] as const) {
      const { database, store, close } = await serverStore(server(), { prePingIdleMs });
      await Promise.all(Array.from({ length: 8 }, (_, at) => store.store(`${at}`, { state: "A" })));
      for (let turn = 0; turn < 5; turn++) {
        await server()
          .query(database, words.endConnections)
          .catch(() => {});
        const { state } = await store.get("1");
        assert.is(state, "A");
      }
      await close();
    }
  });

  test("a server that was restarted or killed between operations is found again", async () => {
    const { store, close } = await serverStore(server());
    await store.store("t", { state: "SUCCESS", result: 1 });
    for (const immediate of [false, true]) {
      await server().restart({ immediate });
      assert.is((await store.get("t")).result, 1);
      await server().restart({ immediate });
      assert.is((await store.store(`u-${immediate}`, { state: "SUCCESS" })).written, true);
    }
    await close();
  });

  test("2,000 operations, a pool and short-lived: no descriptor, no connection, no memory is left", async () => {
    for (const shortLived of [false, true]) {
      const { database, store, query, close } = await serverStore(server(), {
        shortLived,
        poolSize: 3,
      });
      const count = async () =>
        Number(Object.values((await query(words.countConnections))[0] ?? {})[0]);
      const work = async (operations: number) => {
        for (let done = 0; done < operations; done += 20) {
          await Promise.all(
            Array.from({ length: 20 }, (_, at) =>
              store.store(`t-${at}`, { state: "STARTED", result: at }),
            ),
          );
        }
      };
      await work(200);
      global.gc?.();
      const [files, heap] = [readdirSync("/proc/self/fd").length, process.memoryUsage().heapUsed];
      await work(shortLived ? 600 : 2_000);
      global.gc?.();
      assert.ok((await count()) <= 4, database);
      assert.ok(readdirSync("/proc/self/fd").length <= files + 3);
      assert.ok(process.memoryUsage().heapUsed - heap < 24 * 2 ** 20);
      await close();
      assert.ok((await count()) <= 1);
    }
  });
}
