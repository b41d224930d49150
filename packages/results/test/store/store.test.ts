import { join } from "node:path";
import { openResultStore, type StoreInput, TaskFailure } from "@parlance/results";
import { rejects, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openStore } from "./open-store.ts";

test("an unknown task is PENDING and does not exist; a PENDING row exists", async () => {
  const { store } = await openStore();
  assert.equal(await store.get("t"), {
    taskId: "t",
    state: "PENDING",
    result: null,
    dateDone: null,
    dateDoneText: null,
    traceback: null,
    children: null,
  });
  assert.not(await store.exists("t"));
  assert.equal(await store.store("t", { state: "PENDING" }), { written: true, state: "PENDING" });
  assert.ok(await store.exists("t"));
  assert.ok(await store.forget("t"));
  assert.not(await store.forget("t"));
  assert.not(await store.exists("t"));
  await store.close();
});

test("SUCCESS is final and says so; every other state gives way", async () => {
  const { store } = await openStore();
  for (const state of [
    "PENDING",
    "STARTED",
    "FAILURE",
    "REVOKED",
    "RETRY",
    "PROGRESS",
    "SUCCESS",
  ]) {
    assert.equal(await store.store("t", { state }), { written: true, state });
  }
  for (const state of ["PENDING", "SUCCESS", "FAILURE"]) {
    assert.equal(await store.store("t", { state }), { written: false, state: "SUCCESS" });
  }
  await store.forget("t");
  assert.equal(await store.store("t", { state: "STARTED" }), { written: true, state: "STARTED" });
  await store.close();
});

test("everything that is stored is read", async () => {
  const { store } = await openStore({ extended: true });
  const failure = new TaskFailure({ type: "ValueError", module: "builtins", args: ["bad", 3] });
  await store.store("t", {
    state: "FAILURE",
    result: failure,
    traceback: "Traceback …",
    children: ["c", { kind: "group", id: "g", parent: null, members: [] }],
    request: {
      task: "proj.add",
      args: [1, 2n ** 70n],
      kwargs: { k: "v" },
      hostname: "w@h",
      retries: 2,
      routingKey: "q",
    },
    stamps: { tenant: ["acme"], trace: "abc" },
  });
  const { result, dateDone, dateDoneText, ...rest } = await store.get("t");
  assert.instance(result, TaskFailure);
  assert.equal((result as TaskFailure).args, ["bad", 3]);
  assert.ok(Math.abs(Date.now() - (dateDone?.getTime() ?? 0)) < 10_000);
  assert.match(dateDoneText ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
  assert.equal(rest, {
    taskId: "t",
    state: "FAILURE",
    traceback: "Traceback …",
    children: [
      { kind: "task", id: "c", parent: null },
      { kind: "group", id: "g", parent: null, members: [] },
    ],
    name: "proj.add",
    args: [1, 2n ** 70n],
    kwargs: { k: "v" },
    worker: "w@h",
    retries: 2,
    queue: "q",
    stamps: { tenant: ["acme"], trace: "abc" },
    stampedHeaders: ["tenant", "trace"],
  });
  await store.close();
});

test("a store that is not extended neither writes nor reads the request, and leaves it where it is", async () => {
  const { store, url, query } = await openStore();
  const extended = await openResultStore(url, { extended: true });
  await extended.store("t", { state: "STARTED", request: { task: "a" }, stamps: { s: 1 } });
  await store.store("t", { state: "RETRY", request: { task: "b" } });
  const names = () =>
    query("SELECT name, CAST(stamps AS TEXT) AS s FROM celery_taskmeta").map(({ name, s }) => [
      name,
      s,
    ]);
  const stamps = '{"stamped_headers": ["s"], "stamps": {"s": 1}}';
  assert.equal(names(), [["a", stamps]]);
  assert.not("name" in (await store.get("t")));
  await extended.store("t", { state: "SUCCESS" });
  assert.equal(
    names(),
    [[null, stamps]],
    "a store without request clears, without stamps does not",
  );
  await extended.close();
  await store.close();
});

test("the failing states take exceptions only, which is all that Celery reads there", async () => {
  const { store, query } = await openStore();
  for (const state of ["FAILURE", "RETRY", "REVOKED"]) {
    for (const result of ["text", 3, true, [1, 2], { message: "x" }, new Map([["a", 1]])]) {
      const error = await rejects(store.store("t", { state, result }), "bad-value");
      assert.match(
        error.message,
        new RegExp(`^store: the result of state ${state} is .*; expected an Error`),
      );
    }
    for (const result of [
      null,
      undefined,
      new TypeError("x"),
      { exc_type: "A", exc_message: [], exc_module: "m" },
    ]) {
      await store.store("t", { state, result });
    }
  }
  await store.store("t", { state: "SUCCESS", result: "text" });
  assert.is(query("SELECT count(*) AS n FROM celery_taskmeta")[0]?.["n"], 1);
  await store.close();
});

test("nothing is stored for input that is none", async () => {
  const { store, query } = await openStore({ extended: true });
  const put = (input: unknown, id: unknown) => store.store(id as string, input as StoreInput);
  const refused: readonly [unknown, string, RegExp][] = [
    [undefined, "bad-value", /second argument is undefined/],
    [null, "bad-value", /second argument/],
    [{}, "bad-state", /the state is undefined/],
    [{ state: "" }, "bad-state", /the state is empty/],
    [{ state: 5 }, "bad-state", /the state is a number/],
    [{ state: "A\ud800" }, "bad-state", /half a surrogate pair/],
    [{ state: "A", traceback: 5 }, "bad-value", /traceback is a number/],
    [{ state: "A", children: "c" }, "cannot-encode", /children/],
    [{ state: "A", children: [5] }, "cannot-encode", /node/],
    [{ state: "A", request: 5 }, "bad-value", /request is a number/],
    [{ state: "A", request: { task: 5 } }, "bad-value", /request.task is a number/],
    [{ state: "A", request: { retries: 1.5 } }, "bad-value", /retries/],
    [{ state: "A", request: { retries: 2 ** 31 } }, "bad-value", /retries/],
    [{ state: "A", stamps: [] }, "bad-value", /stamps/],
    [{ state: "A", stamps: 5 }, "bad-value", /stamps is a number/],
    [{ state: "A", stampedHeaders: [5] }, "bad-value", /stampedHeaders/],
    [{ state: "A", result: () => {} }, "cannot-encode", /./],
  ];
  for (const [input, code, message] of refused) {
    assert.match((await rejects(put(input, "t"), code)).message, message);
  }
  for (const id of [5, null, undefined, "", {}, "a\udc00"]) {
    assert.match(
      (await rejects(put({ state: "A" }, id), "bad-value")).message,
      /^store: the task id is /,
    );
    await rejects(store.get(id as string), "bad-value");
    await rejects(store.exists(id as string), "bad-value");
    await rejects(store.forget(id as string), "bad-value");
  }
  assert.match((await rejects(put({ state: "A" }, 5))).message, /String\(id\)/);
  assert.is(query("SELECT count(*) AS n FROM celery_taskmeta")[0]?.["n"], 0);
  await store.close();
});

test("a stamp that would overwrite a column is refused by name", async () => {
  const { store } = await openStore({ extended: true });
  for (const name of ["status", "result", "task_id", "stamps", "stamped_headers", "name"]) {
    const error = await rejects(
      store.store("t", { state: "A", stamps: { [name]: 1 } }),
      "stamp-name",
    );
    assert.match(error.message, new RegExp(`"${name}"`));
  }
  await rejects(store.store("t", { state: "A", stampedHeaders: ["status"] }), "stamp-name");
  const own = JSON.parse('{"__proto__": 1, "a": 2}') as Record<string, unknown>;
  await store.store("t", { state: "A", stamps: own, stampedHeaders: ["__proto__", "a", "absent"] });
  const { stamps, stampedHeaders } = await store.get("t");
  assert.equal(Object.entries(stamps ?? {}), [
    ["__proto__", 1],
    ["a", 2],
  ]);
  assert.equal(stampedHeaders, ["__proto__", "a", "absent"]);
  await store.close();
});

test("text goes in and comes out whole; half a surrogate pair becomes U+FFFD", async () => {
  const { store } = await openStore();
  const traceback = "a\0b 中 😀 \ud83d";
  await store.store("i\0d ' \" 中", { state: "S' --", traceback });
  const meta = await store.get("i\0d ' \" 中");
  assert.is(meta.state, "S' --");
  assert.is(meta.traceback, "a\0b 中 😀 \ufffd");
  await store.close();
});

test("rows of other writers: text in binary columns, a NULL status, stamps that can't be read", async () => {
  const { store, run } = await openStore({ extended: true });
  run(
    "INSERT INTO celery_taskmeta (task_id, status, result, stamps) VALUES ('t', NULL, '{\"a\": 1}', 'oops')",
  );
  const meta = await store.get("t");
  assert.is(meta.state, null);
  assert.equal(meta.result, { a: 1 });
  assert.is(meta.stamps, null);
  run("UPDATE celery_taskmeta SET children = '{}'");
  const error = await rejects(store.get("t"), "cannot-decode");
  assert.match(error.message, /get: the column children of task "t": /);
  assert.equal(await store.store("t", { state: "SUCCESS" }), { written: true, state: "SUCCESS" });
  await store.close();
});

test("of a row that can't be read the rest is kept where that is asked for", async () => {
  const { store, run } = await openStore();
  const pickle = Buffer.from("\x80\x04cos\nsystem\n.", "latin1");
  run(
    "INSERT INTO celery_taskmeta (task_id, status, result, children, traceback) VALUES ('t', 'FAILURE', ?, '[]', 'tb')",
    [pickle],
  );
  await rejects(store.get("t"), "pickle-refused");
  const { undecodable = [], ...meta } = await store.get("t", { undecodable: "keep" });
  assert.equal(
    [meta.state, meta.result, meta.children, meta.traceback],
    ["FAILURE", null, [], "tb"],
  );
  assert.equal(
    undecodable.map(({ column, error }) => [column, error.code]),
    [["result", "pickle-refused"]],
  );
  assert.equal(Buffer.from(undecodable[0]?.bytes ?? []), pickle);
  await store.store("good", { state: "SUCCESS" });
  assert.not("undecodable" in (await store.get("good", { undecodable: "keep" })));
  await rejects(store.get("t", { undecodable: "drop" as "keep" }), "bad-option");
  await store.close();
});

test("a table without its unique key or some of its columns is written and read all the same", async () => {
  const { store: unused, run, query, url } = await openStore();
  await unused.close();
  run("DROP TABLE celery_taskmeta");
  run(
    "CREATE TABLE celery_taskmeta (id INTEGER PRIMARY KEY, task_id VARCHAR(155), status VARCHAR(50), result BLOB, date_done DATETIME, traceback TEXT)",
  );
  const store = await openResultStore(url, { createTables: "never", extended: true });
  const put = (state: string) =>
    store.store("t", { state, children: ["c"], request: { task: "a" } });
  assert.is((await put("STARTED")).written, true);
  assert.is((await put("SUCCESS")).written, true);
  assert.is((await put("FAILURE")).written, false);
  assert.is(query("SELECT count(*) AS n FROM celery_taskmeta")[0]?.["n"], 1);
  const meta = await store.get("t");
  assert.is(meta.state, "SUCCESS");
  assert.is(meta.children, null);
  assert.is(meta.name, null);
  const names: (string | null)[] = [];
  for await (const { name } of store.list()) names.push(name);
  assert.equal(names, [null]);
  await store.close();
});

test("a store that was told to make no tables says that they are missing, whatever is asked", async () => {
  const url = `db+sqlite:///${join(temporaryFolder("parlance-results"), "none.sqlite")}`;
  const options = { createTables: "never", alwaysRetry: false } as const;
  const store = await openResultStore(url, options);
  const calls = [
    () => store.get("t"),
    () => store.wait("t", { timeoutMs: 0 }),
    () => store.store("t", { state: "SUCCESS" }),
    () => store.exists("t"),
    () => store.forget("t"),
    () => store.list({ name: "n" }).next(),
    () => store.saveGroup("g", []),
    () => store.restoreGroup("g"),
    () => store.deleteGroup("g"),
    () => store.cleanup(),
  ];
  for (const call of calls) await rejects(call(), "tables-missing");
  await store.close();
});

test("a closed store says so; closing twice is no error", async () => {
  const { store } = await openStore();
  await store.close();
  await store.close();
  for (const call of [
    () => store.get("t"),
    () => store.exists("t"),
    () => store.cleanup(),
    () => store.store("t", { state: "A" }),
  ]) {
    await rejects(call(), "closed");
  }
});

test("options that can't be meant are refused", async () => {
  const refused: readonly [object, RegExp][] = [
    [{ timezone: "Mars/Olympus" }, /timezone has to be an IANA zone/],
    [{ dates: "local" }, /dates has to be/],
    [{ dates: "utc", timezone: "Europe/Berlin" }, /dates has to be no timezone/],
    [{ resultExpiresSeconds: -1 }, /resultExpiresSeconds/],
    [{ nulReplacement: "\0" }, /nulReplacement/],
  ];
  for (const [options, message] of refused) {
    assert.match((await rejects(openStore(options), "bad-option")).message, message);
  }
});

test.run();
