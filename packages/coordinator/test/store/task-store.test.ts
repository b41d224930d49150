import { spawn } from "node:child_process";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteTaskStore } from "@parlance/coordinator";
import { Float } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { newStoreFile, STORE_KINDS } from "../support/store-kinds.js";

const SERIES = { dagId: "d", runId: "r", taskId: "t", key: "k" };
const at = (mapIndex: number) => ({ ...SERIES, mapIndex });

for (const [kind, open] of STORE_KINDS) {
  test(`${kind}: variables are written, replaced, listed in code point order and deleted`, async () => {
    const store = await open();
    await store.variables.set({ key: "b", value: "1", description: null });
    await store.variables.set({ key: "\u{1f426}", value: null, description: "bird" });
    await store.variables.set({ key: "\uffee", value: "", description: null });
    await store.variables.set({ key: "b", value: "a\0b\ud7ff", description: "why" });
    assert.equal(await store.variables.get("b"), {
      key: "b",
      value: "a\0b\ud7ff",
      description: "why",
    });
    assert.is((await store.variables.get("\u{1f426}"))?.value, null);
    assert.is(await store.variables.get("nope"), undefined);
    assert.equal(await store.variables.keys(), ["b", "\uffee", "\u{1f426}"]);
    assert.is(await store.variables.delete("b"), true);
    assert.is(await store.variables.delete("b"), false);
    await store.close();
  });

  test(`${kind}: connections keep every field`, async () => {
    const store = await open();
    const connection = {
      connId: "c1",
      connType: "http",
      host: "h.example",
      schema: null,
      login: "u",
      password: "p\0w",
      port: 8080,
      extra: '{"k": "v"}',
    };
    await store.connections.set(connection);
    assert.equal(await store.connections.get("c1"), connection);
    assert.equal(await store.connections.ids(), ["c1"]);
    assert.is(await store.connections.delete("c1"), true);
    assert.is(await store.connections.get("c1"), undefined);
    await store.close();
  });

  test(`${kind}: XCom values keep their exact type`, async () => {
    const store = await open();
    const bytes = {
      list: [1, new Float(1), 1.5, -0, Number.NaN, Number.NEGATIVE_INFINITY, 2n ** 63n],
    };
    const value = Object.fromEntries([
      ["__proto__", { polluted: true }],
      ["$", "mark"],
      ["deep", bytes],
      ["text", "a\0\u{1f426}"],
      ["nothing", null],
    ]);
    await store.xcoms.set(at(-1), value);
    (value["deep"] as { list: unknown[] }).list.push("later");
    const read = (await store.xcoms.get(at(-1)))?.value as typeof value;
    assert.equal(Object.keys(read), ["__proto__", "$", "deep", "text", "nothing"]);
    const list = (read["deep"] as { list: unknown[] }).list;
    assert.is(list.length, 7);
    assert.instance(list[1], Float);
    assert.ok(Object.is(list[3], -0));
    assert.ok(Number.isNaN(list[4]));
    assert.is(list[6], 2n ** 63n);
    assert.is(read["text"], "a\0\u{1f426}");
    assert.is(({} as { polluted?: boolean }).polluted, undefined);
    await store.close();
  });

  test(`${kind}: count, item and slice go over all map indexes in their order`, async () => {
    const store = await open();
    for (const index of [3, -1, 0, 2, 1]) await store.xcoms.set(at(index), index);
    await store.xcoms.set({ ...at(0), key: "other" }, "no");
    await store.xcoms.set({ ...at(0), runId: "other" }, "no");
    assert.is(await store.xcoms.count(SERIES), 5);
    assert.is((await store.xcoms.item(SERIES, 0))?.value, -1);
    assert.is((await store.xcoms.item(SERIES, -1))?.value, 3);
    assert.is((await store.xcoms.item(SERIES, -5))?.value, -1);
    assert.is(await store.xcoms.item(SERIES, 5), undefined);
    assert.is(await store.xcoms.item(SERIES, -6), undefined);
    // Each row as Python's own list[start:stop:step] has it.
    const expected: [number | null, number | null, number | null, number[]][] = [
      [null, null, null, [-1, 0, 1, 2, 3]],
      [1, 3, null, [0, 1]],
      [-2, null, null, [2, 3]],
      [null, null, -1, [3, 2, 1, 0, -1]],
      [3, 0, -2, [2, 0]],
      [-100, 100, 2, [-1, 1, 3]],
      [4, 1, null, []],
      [null, -4, -1, [3, 2, 1]],
    ];
    for (const [start, stop, step, values] of expected) {
      const rows = await store.xcoms.slice(SERIES, { start, stop, step });
      assert.equal(
        rows.map((row) => row.value),
        values,
        `${start}:${stop}:${step}`,
      );
    }
    await store.close();
  });

  test(`${kind}: list filters, latest takes the youngest, delete deletes one`, async () => {
    const store = await open();
    await store.xcoms.set(at(-1), 1);
    await store.xcoms.set({ ...at(-1), runId: "r2" }, 2);
    await store.xcoms.set(at(7), 7);
    const later = { ...at(-1), runId: "r3" }; // no run is known, so the youngest value counts
    assert.is((await store.xcoms.latest(later))?.value, 2);
    assert.is((await store.xcoms.latest(at(-1)))?.value, 1);
    await store.xcoms.set(at(-1), 3, { mappedLength: 4 });
    assert.equal(await store.xcoms.latest(later), { ...at(-1), value: 3, mappedLength: 4 });
    const run = { dagId: "d", runId: "r" };
    assert.equal(
      (await store.xcoms.list(run)).map((row) => row.value),
      [7, 3],
    );
    assert.equal((await store.xcoms.list({ ...run, taskId: "t", mapIndex: 7 })).length, 1);
    assert.is(await store.xcoms.delete(at(7)), true);
    assert.is(await store.xcoms.delete(at(7)), false);
    assert.is(await store.xcoms.get(at(7)), undefined);
    await store.close();
  });

  test(`${kind}: states expire, and are cleared by scope`, async () => {
    const store = await open();
    await store.states.set("a", "k", { n: 1 }, null);
    await store.states.set("a", "old", 1, Date.now() - 1);
    await store.states.set("a", "new", 2, Date.now() + 60_000);
    await store.states.set("b", "k", 3, null);
    assert.equal(await store.states.get("a", "k"), { value: { n: 1 } });
    assert.is(await store.states.get("a", "old"), undefined);
    assert.equal(await store.states.get("a", "new"), { value: 2 });
    assert.is(await store.states.delete("a", "k"), true);
    await store.states.clear("a");
    assert.is(await store.states.get("a", "new"), undefined);
    assert.equal(await store.states.get("b", "k"), { value: 3 });
    await store.close();
  });

  test(`${kind}: a key with U+0000 and a value JSON has no place for are refused`, async () => {
    const store = await open();
    await rejects(store.variables.set({ key: "a\0", value: "", description: null }), "bad-key");
    await rejects(store.xcoms.set({ ...at(-1), key: "\0" }, 1), "bad-key");
    await rejects(store.xcoms.set(at(-1), { f: () => 1 }), "bad-value");
    assert.is(await store.xcoms.count(SERIES), 0);
    await store.close();
  });
}

test("sqlite: the file is private to its owner and outlives the store", async () => {
  const file = newStoreFile();
  const store = await openSqliteTaskStore(file);
  assert.is(statSync(file).mode & 0o777, 0o600);
  await store.variables.set({ key: "k", value: "kept", description: null });
  for (const beside of readdirSync(dirname(file)).filter((name) =>
    join(dirname(file), name).startsWith(file),
  )) {
    assert.is(statSync(join(dirname(file), beside)).mode & 0o077, 0, beside);
  }
  await store.close();
  await store.close();
  await rejects(store.variables.get("k"), "store-unavailable");
  const again = await openSqliteTaskStore(file);
  assert.is((await again.variables.get("k"))?.value, "kept");
  await again.close();
});

test("sqlite: what is no store of ours is refused with the file's name", async () => {
  const text = newStoreFile();
  writeFileSync(text, "no database at all\n".repeat(100));
  await rejects(openSqliteTaskStore(text), "not-a-store");

  const { default: Database } = await import("libsql");
  const foreign = newStoreFile();
  const other = new Database(foreign);
  other.exec("CREATE TABLE somebody (x)");
  other.close();
  const error = await rejects(openSqliteTaskStore(foreign), "not-a-store");
  assert.match(error.message, foreign);

  const newer = newStoreFile();
  await (await openSqliteTaskStore(newer)).close();
  const database = new Database(newer);
  database.exec("UPDATE store_version SET version = 99");
  database.close();
  await rejects(openSqliteTaskStore(newer), "newer-store");

  await rejects(openSqliteTaskStore(join(newStoreFile(), "no", "folder")), "store-unavailable");
  const readOnly = newStoreFile();
  writeFileSync(readOnly, "");
  chmodSync(readOnly, 0o400);
  if (process.getuid?.() !== 0) await rejects(openSqliteTaskStore(readOnly), "store-unavailable");
});

test("sqlite: a lock of another process is waited for, then reported; the process goes on meanwhile", async () => {
  const file = newStoreFile();
  const store = await openSqliteTaskStore(file, { busyTimeoutMs: 300 });
  const patient = await openSqliteTaskStore(file, { busyTimeoutMs: 60_000 });
  const { default: Database } = await import("libsql");
  const other = new Database(file);
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 5);
  const variable = { key: "k", value: "v", description: null };
  await rejects(store.variables.set(variable), "store-busy");
  clearInterval(ticking);
  assert.ok(ticks >= 1, "the event loop goes on");
  const waiting = patient.variables.set(variable);
  setTimeout(() => other.exec("ROLLBACK"), 50);
  await waiting;
  assert.is((await patient.variables.get("k"))?.value, "v");
  other.close();
  await store.close();
  await patient.close();
});

test("sqlite: four processes write at once, two are killed: the file stays whole", async () => {
  const file = newStoreFile();
  const fixture = fileURLToPath(new URL("../../test/fixtures/store-writer.mjs", import.meta.url));
  const children = ["a", "b", "c", "d"].map((name) =>
    spawn(process.execPath, [fixture, file, name], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const exits = children.map((child) => new Promise((resolve) => child.on("exit", resolve)));
  const written = children.map((child) => {
    let last = -1;
    child.stdout.on("data", (text: Buffer) => {
      last = Number(text.toString().trim().split("\n").at(-1));
    });
    return () => last;
  });
  while (written.some((last) => last() < 10))
    await new Promise((resolve) => setTimeout(resolve, 10));
  children[0]?.kill("SIGKILL");
  children[1]?.kill("SIGKILL");
  children[2]?.kill("SIGTERM");
  children[3]?.kill("SIGTERM");
  await Promise.all(exits);

  const store = await openSqliteTaskStore(file);
  for (const [at, name] of ["a", "b", "c", "d"].entries()) {
    const series = { dagId: "d", runId: "r", taskId: name, key: "k" };
    const count = await store.xcoms.count(series);
    assert.ok(count > (written[at]?.() ?? 0), `${name}: ${count} rows of ${written[at]?.()}`);
    const rows = await store.xcoms.slice(series, { start: null, stop: null, step: null });
    assert.ok(rows.every((row) => row.value === `${name}-${row.mapIndex}`));
  }
  await store.close();
  const { default: Database } = await import("libsql");
  const database = new Database(file);
  assert.is(
    (database.prepare("PRAGMA integrity_check").all([])[0] as { integrity_check: string })
      .integrity_check,
    "ok",
  );
  database.close();
});

test.run();
