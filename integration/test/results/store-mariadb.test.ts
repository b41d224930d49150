import type { ResultStore } from "@parlance/results";
import { type DatabaseServer, rejects, requirePeer, startMariadb } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { registerStoreTests } from "./support/register-store-tests.ts";
import { serverStore } from "./support/server-store.ts";

let server: DatabaseServer;

if (requirePeer(test, "the store on MariaDB", "mariadb") !== undefined) {
  test.before(async () => {
    server = await startMariadb();
  });
  test.after(() => server.stop());
  registerStoreTests(test, () => server);
  registerTests();
}

function registerTests(): void {
  test("ids that its collation takes for the same are never mixed up", async () => {
    const { store, close } = await serverStore(server);
    await store.store("task-a", { state: "STARTED" });
    for (const other of ["TASK-A", "task-a ", "tásk-a"]) {
      assert.is((await store.get(other)).state, "PENDING");
      assert.not(await store.exists(other));
      assert.not(await store.forget(other));
      for (const state of ["STARTED", "SUCCESS"]) {
        const error = await rejects(store.store(other, { state }), "store-failed");
        assert.match(error.message, /another task's row stands in the way/);
      }
    }
    assert.is((await store.get("task-a")).state, "STARTED");
    await store.saveGroup("g", []);
    assert.is(await store.restoreGroup("G"), null);
    assert.not(await store.deleteGroup("G"));
    await rejects(store.saveGroup("G", []), "group-exists");
    const error = await rejects(store.saveGroup("G", [], { replace: true }), "group-exists");
    assert.match(error.message, /"G"/);
    await store.store("task-b", { state: "success " });
    assert.is((await store.store("task-b", { state: "SUCCESS" })).written, true, "another state");
    await close();
  });

  test("stores of many tasks at once never deadlock", async () => {
    const { another, query, close } = await serverStore(server);
    const deadlocks = async () => {
      const [row] = await query("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'");
      return Number(row?.["Value"]);
    };
    const before = await deadlocks();
    const stores = await Promise.all(Array.from({ length: 4 }, () => another()));
    await Promise.all(stores.map(storeNeighbours));
    assert.is((await deadlocks()) - before, 0);
    await close();
  });

  test("a cleanup of the very rows that are being stored fails nobody", async () => {
    const { store, another, close } = await serverStore(server);
    const stores = await Promise.all(Array.from({ length: 4 }, () => another()));
    let isOver = false;
    let cleaned = 0;
    const cleaning = (async () => {
      while (!isOver) cleaned += (await store.cleanup({ expiresSeconds: 0, batchSize: 20 })).tasks;
    })();
    await Promise.all(stores.map(storeNeighbours));
    isOver = true;
    await cleaning;
    assert.ok(cleaned > 0);
    await close();
  });

  test("a result beyond its BLOB is refused with both sizes, and fits after the migration", async () => {
    const { store, close } = await serverStore(server);
    const result = "x".repeat(70_000);
    const error = await rejects(store.store("t", { state: "SUCCESS", result }), "value-too-large");
    assert.match(error.message, /column result takes 65535 bytes, the value has 70002/);
    assert.is((await store.get("t")).state, "PENDING");
    await store.store("t", { state: "STARTED", result: "x".repeat(65_533) });
    await store.migrate({ largeValues: true });
    assert.is((await store.store("t", { state: "SUCCESS", result })).written, true);
    assert.is((await store.get("t")).result, result);
    await close();
  });
}

/** Neighbours in the index, so that all work in the same gaps. */
async function storeNeighbours(store: ResultStore, number: number): Promise<void> {
  for (let task = 0; task < 100; task++) {
    for (const state of ["FAILURE", "STARTED", "SUCCESS"]) {
      await store.store(`t-${task}-${number}`, { state });
    }
  }
}

test.run();
