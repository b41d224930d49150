import { openResultStore } from "@parlance/results";
import { test } from "uvu";
import * as assert from "uvu/assert";

// `node:sqlite` is there from Node 22 on; the same calls as better-sqlite3's are tested with libsql.
interface Handle {
  prepare(sql: string): { get(): unknown };
  close(): void;
}

// The name is kept from the compiler, which has the types of Node 20.
const name: string = "node:sqlite";
const library = (await import(name).catch(() => undefined)) as
  | { DatabaseSync: new (file: string) => Handle }
  | undefined;

if (library === undefined) {
  test("without node:sqlite there is nothing to lend", () => {
    assert.ok(Number(process.versions.node.split(".")[0]) < 22);
  });
} else {
  const { DatabaseSync } = library;
  test("a database of node:sqlite can be lent", async () => {
    const handle = new DatabaseSync(":memory:");
    const store = await openResultStore("sqlite://", { sqlite: handle });
    await store.store("a", { state: "SUCCESS", result: [1, { b: "ü" }], traceback: "x" });
    const meta = await store.get("a");
    assert.equal([meta.state, meta.result, meta.traceback], ["SUCCESS", [1, { b: "ü" }], "x"]);
    await store.saveGroup("g", ["a"]);
    assert.is((await store.restoreGroup("g"))?.members.length, 1);
    assert.is(await store.forget("a"), true);
    await store.close();
    assert.equal(
      { ...(handle.prepare("SELECT count(*) AS n FROM celery_taskmeta").get() as object) },
      {
        n: 0,
      },
    );
    handle.close();
  });
}

test.run();
