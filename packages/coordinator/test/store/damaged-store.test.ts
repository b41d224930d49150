import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteTaskStore, StoreError } from "@parlance/coordinator";
import { load, rejects, skip, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const folder = temporaryFolder("parlance-damaged");
const ref = { dagId: "d", runId: "r", taskId: "t", key: "k", mapIndex: 0 };

/** Closed, with some rows of every kind in it. */
async function newStore(name: string): Promise<string> {
  const file = join(folder, name);
  const store = await openSqliteTaskStore(file);
  for (let at = 0; at < 50; at++) {
    const value = `value-${at} of some length`;
    await store.variables.set({ key: `key-${at}`, value, description: null });
    await store.xcoms.set({ ...ref, mapIndex: at }, { at, value });
  }
  const nothing = { host: null, schema: null, login: null, port: null, extra: null };
  await store.connections.set({ ...nothing, connId: "c", connType: "http", password: "p" });
  await store.states.set("scope", "key", "value", null);
  const instance = { ...ref, state: "running", tryNumber: 1, startDate: null, endDate: null };
  await store.taskInstances.set(instance);
  const asset = { name: "a", uri: "s3://a", extra: {}, aliases: ["x"], partitionKey: null };
  await store.assets.record([{ ...asset, timestamp: "2026-06-16T00:00:00Z", source: ref }]);
  await store.close();
  return file;
}

/** Everything a store can be asked, with the codes of what it refuses. */
async function readAll(file: string): Promise<string[]> {
  const codes: string[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      assert.instance(error, StoreError);
      codes.push((error as StoreError).code);
    }
  };
  await attempt(async () => {
    const store = await openSqliteTaskStore(file, { busyTimeoutMs: 50 });
    await attempt(() => store.variables.keys());
    await attempt(() => store.variables.get("key-1"));
    await attempt(() => store.connections.ids());
    await attempt(() => store.connections.get("c"));
    await attempt(() => store.xcoms.list({ dagId: "d", runId: "r" }));
    await attempt(() => store.xcoms.set(ref, "new"));
    await attempt(() => store.states.get("scope", "key"));
    await attempt(() => store.taskInstances.list({ dagId: "d" }));
    await attempt(() => store.taskInstances.update(ref, { state: "success" }));
    await attempt(() => store.dagRuns.clear("d", "r"));
    await attempt(() => store.assets.events({}));
    await attempt(() => store.hitl.list());
    await attempt(() => store.dump());
    await store.close();
  });
  return codes;
}

test("the file of a closed store has everything in it, at once", async () => {
  const file = await newStore("closed.db");
  const alone = join(folder, "alone.db");
  copyFileSync(file, alone);
  assert.equal(await readAll(alone), []);
  const store = await openSqliteTaskStore(alone);
  assert.is((await store.variables.keys()).length, 50);
  await store.close();
});

test("texts that are no UTF-8, which abort the whole process of libsql, are told as damage", async () => {
  const file = await newStore("text.db");
  const bytes = readFileSync(file).toString("latin1");
  const damaged = bytes.replaceAll('"value-', "\xff\xfe\xfdlue-").replaceAll("key-", "\xffey-");
  writeFileSync(file, Buffer.from(damaged, "latin1"));
  const store = await openSqliteTaskStore(file);
  await rejects(store.xcoms.list({ dagId: "d", runId: "r" }), "not-a-store");
  assert.is((await store.variables.keys()).length, 50);
  await store.close();
});

test("a file with damage anywhere is refused in words, whatever is asked of it", async () => {
  const file = await newStore("bits.db");
  const good = readFileSync(file);
  let state = 20260616;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state % below;
  };
  let refused = 0;
  for (let round = load(1_000); round > 0; round--) {
    const bytes = Buffer.from(good);
    for (let flips = 1 + random(30); flips > 0; flips--) {
      bytes[random(bytes.length)] = random(256);
    }
    const part = random(5) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
    const copy = join(folder, `bits-${round}.db`);
    writeFileSync(copy, part);
    if ((await readAll(copy)).length > 0) refused += 1;
  }
  assert.ok(refused > load(1_000) / 4, `${refused} were refused`);
});

if (process.platform === "win32") {
  skip(test, "a pipe as a store", "there are no pipes with a name here");
} else {
  test("a pipe or a device in the place of the file is refused, and does not hold up the process", async () => {
    const pipe = join(folder, "pipe");
    assert.is(spawnSync("mkfifo", [pipe]).status, 0);
    await rejects(openSqliteTaskStore(pipe), "store-unavailable");
    await rejects(openSqliteTaskStore("/dev/null"), "store-unavailable");
    await rejects(openSqliteTaskStore(folder), "store-unavailable");
  });
}

test.run();
