import { type DatabaseServer, requirePeer, startPostgresql } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { registerStoreTests } from "./support/register-store-tests.ts";
import { serverStore } from "./support/server-store.ts";

let server: DatabaseServer;

if (requirePeer(test, "the store on PostgreSQL", "postgresql") !== undefined) {
  test.before(async () => {
    server = await startPostgresql();
  });
  test.after(() => server.stop());
  registerStoreTests(test, () => server);
  registerTests();
}

function registerTests(): void {
  test("a number of the sequence is drawn for a new row only, and taken ids are passed over", async () => {
    const { store, query, close } = await serverStore(server);
    for (let task = 1; task <= 10; task++) {
      for (const state of ["STARTED", "RETRY", "STARTED", "FAILURE", "SUCCESS", "SUCCESS"]) {
        await store.store(`t-${task}`, { state });
      }
    }
    const ids = await query("SELECT id FROM celery_taskmeta ORDER BY id");
    assert.equal(
      ids.map(({ id }) => id),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    await query(
      "INSERT INTO celery_taskmeta (id, task_id) SELECT g, 'hand-' || g FROM generate_series(11, 30) g",
    );
    assert.is((await store.store("next", { state: "SUCCESS" })).written, true);
    const [next] = await query("SELECT id FROM celery_taskmeta WHERE task_id = 'next'");
    assert.is(next?.["id"], 31);
    await query(
      "INSERT INTO celery_tasksetmeta (id, taskset_id) SELECT g, 'hand-' || g FROM generate_series(1, 20) g",
    );
    await store.saveGroup("g", []);
    assert.ok(await store.restoreGroup("g"));
    await close();
  });

  test("U+0000 in text is replaced, in an id refused", async () => {
    const { store, another, close } = await serverStore(server, { extended: true });
    await store.store("t", {
      state: "A",
      result: "a\0b",
      traceback: "a\0b",
      request: { task: "\0" },
    });
    const meta = await store.get("t");
    assert.equal([meta.result, meta.traceback, meta.name], ["a\0b", "a\ufffdb", "\ufffd"]);
    const other = await another({ nulReplacement: "$&" });
    await other.store("t", { state: "A", traceback: "a\0b" });
    assert.is((await other.get("t")).traceback, "a$&b");
    const code = (call: Promise<unknown>) =>
      call.then(
        () => "none",
        (error) => error.code,
      );
    assert.is(await code(store.get("a\0")), "bad-value");
    assert.is(await code(store.store("t", { state: "\0" })), "bad-state");
    await close();
  });

  test("times are UTC whatever the session's zone, or in that zone as Celery has it", async () => {
    const database = await server.createDatabase();
    await server.query("postgres", `ALTER DATABASE ${database} SET timezone = 'Asia/Tokyo'`);
    const now = new Date("2026-07-01T12:00:00.250Z");
    const clock = { now: () => now, sleep: async () => {} };
    const ours = await serverStore(server, { clock }, database);
    const theirs = await ours.another({ clock, dates: "celery" });
    const stored = async (id: string) => {
      const [row] = await ours.query(
        "SELECT date_done::text AS d FROM celery_taskmeta WHERE task_id = $1",
        [id],
      );
      return row?.["d"];
    };
    for (const id of ["utc", "tokyo"]) {
      const store = id === "utc" ? ours.store : theirs;
      await store.store(id, { state: "SUCCESS" });
      await store.store(`${id}-filled`, { state: "STARTED" });
      await store.store(`${id}-filled`, { state: "STARTED" });
      const wall = id === "utc" ? "2026-07-01 12:00:00.25" : "2026-07-01 21:00:00.25";
      assert.equal([await stored(id), await stored(`${id}-filled`)], [wall, wall]);
      assert.is((await store.get(id)).dateDone?.getTime(), now.getTime());
      assert.is((await store.get(id)).dateDoneText, wall);
      await store.saveGroup(id, []);
      assert.is((await store.restoreGroup(id))?.dateDone?.getTime(), now.getTime());
      const listed = await store.list({ state: "SUCCESS" }).next();
      if (id === "utc") assert.is(listed.value?.dateDone?.getTime(), now.getTime());
    }
    now.setTime(now.getTime() + 3_601_000);
    // Nine hours ahead, the rows of the other kind look young to the one and old to nobody.
    assert.equal(await removed(ours.store.cleanup({ expiresSeconds: 3600 })), [2, 1]);
    assert.equal(await removed(theirs.cleanup({ expiresSeconds: 3600 })), [2, 1]);
    await ours.close();
  });

  test("statements that were prepared are run all the same when a pooler, or ALTER TABLE, took them", async () => {
    const { store, query, close } = await serverStore(server, { poolSize: 1 });
    for (let i = 0; i < 3; i++) {
      await store.store(`t-${i}`, { state: "SUCCESS", result: i });
      await store.get(`t-${i}`);
    }
    await store.database.run("deallocate", (connection) => connection.query("DEALLOCATE ALL"));
    assert.is((await store.get("t-0")).result, 0);
    assert.is((await store.store("t-3", { state: "SUCCESS" })).written, true);
    await close();
    const again = await serverStore(server, { poolSize: 1 });
    for (let i = 0; i < 8; i++) await again.store.get("t");
    await again.query("ALTER TABLE celery_taskmeta ALTER COLUMN status TYPE text");
    assert.is((await again.store.get("t")).state, "PENDING");
    await again.close();
    assert.is((await query("SELECT count(*)::int AS n FROM celery_taskmeta"))[0]?.["n"], 4);
  });

  async function removed(progress: Promise<{ tasks: number; groups: number }>): Promise<number[]> {
    const { tasks, groups } = await progress;
    return [tasks, groups];
  }
}

test.run();
