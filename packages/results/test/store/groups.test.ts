import type { ResultNode } from "@parlance/results";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openStore } from "./open-store.ts";

const task = (id: string, parent: ResultNode | null = null): ResultNode => ({
  kind: "task",
  id,
  parent,
});

test("a group comes back with its members, at any depth, and its parent", async () => {
  const { store } = await openStore();
  const inner: ResultNode = { kind: "group", id: "in", parent: task("p"), members: [task("b")] };
  await store.saveGroup("g", ["a", inner], { parent: "caller" });
  const group = await store.restoreGroup("g");
  assert.equal(group?.members, [task("a"), inner]);
  assert.equal(group?.parent, task("caller"));
  assert.is(group?.groupId, "g");
  assert.ok(Math.abs(Date.now() - (group?.dateDone?.getTime() ?? 0)) < 10_000);
  await store.close();
});

test("an id is saved once, unless replacing is asked for", async () => {
  const { store, query } = await openStore();
  await store.saveGroup("g", ["a"]);
  const error = await rejects(store.saveGroup("g", ["b"]), "group-exists");
  assert.match(error.message, /"g" is saved already/);
  assert.equal((await store.restoreGroup("g"))?.members, [task("a")]);
  await store.saveGroup("g", ["b"], { replace: true });
  assert.equal((await store.restoreGroup("g"))?.members, [task("b")]);
  await store.saveGroup("new", [], { replace: true });
  assert.equal((await store.restoreGroup("new"))?.members, []);
  assert.is(query("SELECT count(*) AS n FROM celery_tasksetmeta")[0]?.["n"], 2);
  await store.close();
});

test("what is not there is null, and deleting it is no error", async () => {
  const { store, run } = await openStore();
  assert.is(await store.restoreGroup("g"), null);
  assert.not(await store.deleteGroup("g"));
  for (const result of [null, Buffer.from("null")]) {
    run("INSERT INTO celery_tasksetmeta (taskset_id, result) VALUES ('g', ?)", [result]);
    assert.is(await store.restoreGroup("g"), null);
    assert.ok(await store.deleteGroup("g"));
  }
  run("INSERT INTO celery_tasksetmeta (taskset_id, result) VALUES ('g', ?)", [
    Buffer.from("[1, 2]"),
  ]);
  await rejects(store.restoreGroup("g"), "cannot-decode");
  await store.close();
});

test("members that are none are refused", async () => {
  const { store, query } = await openStore();
  await rejects(store.saveGroup("g", "ab" as unknown as string[]), "bad-value");
  await rejects(store.saveGroup("g", [5] as unknown as string[]), "cannot-encode");
  await rejects(store.saveGroup(5 as unknown as string, []), "bad-value");
  assert.is(query("SELECT count(*) AS n FROM celery_tasksetmeta")[0]?.["n"], 0);
  await store.close();
});

test.run();
