import { readFileSync, statSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { openSqliteTaskStore } from "@parlance/coordinator";
import { Float } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import Database from "libsql";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { newStoreFile } from "../support/store-kinds.js";

const fixture = new URL("../../test/data/store-version-1.db.gz", import.meta.url);

/** A store as the first version of this code left it. */
function versionOneFile(): string {
  const file = newStoreFile();
  writeFileSync(file, gunzipSync(readFileSync(fixture)), { mode: 0o600 });
  return file;
}

test("a store of version 1 is brought up to date when it is opened, with everything in it", async () => {
  const file = versionOneFile();
  // Two processes may do it at once: one of them finds it done.
  const [store, other] = await Promise.all([openSqliteTaskStore(file), openSqliteTaskStore(file)]);
  await other.close();
  const kept = { key: "v", value: "kept", description: "why" };
  assert.equal(await store.variables.get("v"), kept);
  assert.is((await store.connections.get("c"))?.password, "p");
  const ref = { dagId: "d", runId: "r", taskId: "t", key: "k", mapIndex: -1 };
  const xcom = await store.xcoms.get(ref);
  assert.equal(xcom?.value, { whole: new Float(1), big: 2n ** 63n });
  assert.is(xcom?.mappedLength, null);
  assert.is((await store.xcoms.latest({ ...ref, mapIndex: 3, runId: "x" }))?.value, "mapped");
  assert.equal(await store.states.get("scope", "k"), { value: [1] });
  const instances = await store.taskInstances.list({ dagId: "d" });
  assert.equal(
    instances.map((row) => [row.taskId, row.state, row.tryNumber, row.startDate, row.endDate]),
    [
      ["skipped", "skipped", 0, null, "2026-06-16T00:00:01.000Z"],
      ["t", "success", 2, "2026-06-16T00:00:00.000Z", "2026-06-16T00:00:01.000Z"],
    ],
  );
  assert.is(instances[0]?.rescheduleCount, 0);

  // What came with version 2 works.
  await store.taskInstances.update({ ...ref, taskId: "t" }, { renderedMapIndex: "x" });
  await store.xcoms.set(ref, 1, { mappedLength: 2 });
  await store.assets.record([
    {
      name: "a",
      uri: "s3://a",
      timestamp: "2026-06-16T00:00:00Z",
      extra: {},
      aliases: ["x"],
      partitionKey: null,
      source: null,
    },
  ]);
  await store.close();
  assert.is(statSync(file).mode & 0o777, 0o600);
  const again = await openSqliteTaskStore(file);
  assert.equal((await again.dump()).assetEvents.length, 1);
  await again.close();
});

test("a new store and one of version 1 have the same tables after it", async () => {
  const schemaOf = async (file: string): Promise<unknown[]> => {
    await (await openSqliteTaskStore(file)).close();
    const database = new Database(file);
    const rows = database
      .prepare("SELECT type, name, sql FROM sqlite_master ORDER BY name")
      .all([]);
    database.close();
    return rows.map((row) => ({ ...(row as object), _metadata: undefined }));
  };
  assert.equal(await schemaOf(versionOneFile()), await schemaOf(newStoreFile()));
});

test("a migration that fails leaves the file at version 1, whole", async () => {
  const file = versionOneFile();
  const database = new Database(file);
  database.exec("CREATE TABLE hitl_detail (in_the_way TEXT)");
  await rejects(openSqliteTaskStore(file), "store-failed");
  database.exec("DROP TABLE hitl_detail");
  database.close();
  const store = await openSqliteTaskStore(file);
  assert.is((await store.variables.get("v"))?.value, "kept");
  await store.close();
});

test("what is no value in a damaged store is not quoted: it might be a password", async () => {
  const file = newStoreFile();
  await (await openSqliteTaskStore(file)).close();
  const database = new Database(file);
  database.exec(`INSERT INTO connection VALUES ('c', '{"password": "pw-of-c1')`);
  database.exec(`INSERT INTO variable VALUES ('v', '{"$":"pw-of-v1"', 'null')`);
  database.close();
  const store = await openSqliteTaskStore(file);
  for (const asked of [store.connections.get("c"), store.variables.get("v"), store.dump()]) {
    const error = await rejects(asked, "not-a-store");
    const { inspect } = await import("node:util");
    assert.not.match(inspect(error, { depth: 9, showHidden: true }), /pw-of/);
  }
  await store.close();
});

test.run();
