import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf } from "./support/cli.ts";
import { TestStore } from "./support/results.ts";

const store = new TestStore();

/** Written on the command line, printed again as it was, and what Celery has in the row for it. */
const VALUES: readonly (readonly [given: string, stored: string, printed?: string])[] = [
  ["null", "null"],
  ["1", "1"],
  ["1.0", "1.0"],
  ["-0.0", "-0.0"],
  ["0.1", "0.1"],
  ["1e22", "1e+22", "1e+22"],
  ['"ä\\u2028"', '"\\u00e4\\u2028"'],
  ['{"$":"int","v":"9007199254740993"}', "9007199254740993"],
  [`-${"9".repeat(40)}`, `-${"9".repeat(40)}`, `{"$":"int","v":"-${"9".repeat(40)}"}`],
  ['{"$":"float","v":"nan"}', "NaN"],
  ['[{"$":"float","v":"-inf"},{"$":"float","v":"inf"}]', "[-Infinity, Infinity]"],
  ['{"$":"float","v":"9007199254740992.0"}', "9007199254740992.0", "9007199254740992.0"],
  ['{"10":1,"9":[],"__proto__":{}}', '{"10": 1, "9": [], "__proto__": {}}'],
  ['{"$":"bytes","hex":"6869"}', '{"__type__": "bytes", "__value__": "hi"}'],
  ['{"$":"bytes","hex":"ff"}', '{"__type__": "base64", "__value__": "/w=="}'],
  ['{"$":"date","iso":"2026-06-16"}', '{"__type__": "date", "__value__": "2026-06-16"}'],
  ['{"$":"time","iso":"01:02:03"}', '{"__type__": "time", "__value__": "01:02:03"}'],
  ['{"$":"decimal","v":"1.50"}', '{"__type__": "decimal", "__value__": "1.50"}'],
  [
    '{"$":"uuid","v":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}',
    '{"__type__": "uuid", "__value__": {"hex": "6ba7b8109dad11d180b400c04fd430c8"}}',
  ],
  [
    '{"$":"datetime","iso":"2026-06-16T01:02:03.123456+00:00","aware":true}',
    '{"__type__": "datetime", "__value__": "2026-06-16T01:02:03.123456+00:00"}',
  ],
  [
    '{"$":"datetime","iso":"2026-06-16T01:02:03","aware":false}',
    '{"__type__": "datetime", "__value__": "2026-06-16T01:02:03"}',
  ],
  [
    '{"__type__":"decimal","__value__":"1.50"}',
    '{"__type__": "decimal", "__value__": "1.50"}',
    '{"$":"decimal","v":"1.50"}',
  ],
  ['{"$":"map","entries":[["$",1]]}', '{"$": 1}'],
  ['{"__type__":"x","__value__":1,"more":2}', '{"__type__": "x", "__value__": 1, "more": 2}'],
];

test("a value is stored as Celery stores it, and printed as it was given", async () => {
  for (const [at, [given, stored, printed = given]] of VALUES.entries()) {
    const id = `value-${at}`;
    const put = await store.run(["put", id, "--state", "SUCCESS", "--result", given, "--json"]);
    assert.is(put.stdout, `{"taskId":"${id}","state":"SUCCESS","written":true}\n`, put.stderr);
    assert.is(store.row(id)["result"], stored);
    const get = await store.run(["get", id, "--json"]);
    const result = /^\{"taskId":"[^"]*","state":"SUCCESS","result":(.*),"dateDone":"/.exec(
      get.stdout,
    );
    assert.is(result?.[1], printed, get.stderr);
  }
});

test("an absent task is PENDING with exit code 0; exists tells it from a present one", async () => {
  const fresh = new TestStore();
  for (const each of [fresh, store]) {
    const meta = await each.json("get", "nobody");
    assert.equal(
      [meta["taskId"], meta["state"], meta["result"], meta["dateDone"], meta["children"]],
      ["nobody", "PENDING", null, null, null],
    );
    const exists = await each.run(["exists", "nobody", "--json"]);
    assert.equal([exists.code, exists.stdout], [1, '{"exists":false}\n']);
    assert.equal(await each.json("forget", "nobody"), { taskId: "nobody", forgotten: false });
    assert.equal(await each.json("list", "--state", "NONE"), []);
    assert.equal((await each.json("cleanup", "--expires", "99"))["tasks"], 0);
    const group = await each.run(["group", "get", "nobody", "--json"]);
    assert.is(group.code, 1);
    assert.equal(JSON.parse(group.stdout), {
      groupId: "nobody",
      exists: false,
      parent: null,
      members: null,
      dateDone: null,
    });
  }
  await store.json("put", "somebody", "--state", "PROGRESS", "--result", '{"done":0.5}');
  assert.equal(await store.json("exists", "somebody"), { exists: true });
  assert.equal(await store.json("forget", "somebody"), { taskId: "somebody", forgotten: true });
  assert.is((await store.run(["exists", "somebody"])).stdout, "no\n");
});

test("looking into a store that is not there makes no file", async () => {
  const fresh = new TestStore("absent.db");
  await fresh.json("get", "a");
  const list = await fresh.run(["list"]);
  assert.match(list.stderr, "there are no tables");
  assert.throws(() => fresh.row("a"), /no such table|unable to open/);
});

test("SUCCESS is final: a later store is told, and is no error", async () => {
  await store.json("put", "final", "--state", "SUCCESS", "--result", "1");
  const again = await store.json("put", "final", "--state", "FAILURE", "--exc-type", "E");
  assert.equal(again, { taskId: "final", state: "SUCCESS", written: false });
  const plain = await store.run(["put", "final", "--state", "STARTED"]);
  assert.equal(
    [plain.code, plain.stdout],
    [0, "Not stored: final is SUCCESS already, which is final\n"],
  );
});

test("a failure is stored by its options or as Celery's object, which get prints again", async () => {
  const words = [
    "--exc-type",
    "BadOrder",
    "--exc-module",
    "shop.errors",
    "--exc-message",
    "no cups",
  ];
  const traceback = "Traceback:\n  line\nBadOrder: no cups\n";
  await store.json("put", "f1", "--state", "FAILURE", ...words, "--traceback", traceback);
  const bytes = '{"exc_type": "BadOrder", "exc_message": ["no cups"], "exc_module": "shop.errors"}';
  assert.is(store.row("f1")["result"], bytes);
  const get = await store.run(["get", "f1", "--json"]);
  const result = '{"exc_type":"BadOrder","exc_message":["no cups"],"exc_module":"shop.errors"}';
  assert.ok(
    get.stdout.startsWith(`{"taskId":"f1","state":"FAILURE","result":${result},"dateDone":"20`),
  );
  assert.is(JSON.parse(get.stdout).traceback, traceback);
  await store.json("put", "f2", "--state", "RETRY", "--result", result);
  assert.is(store.row("f2")["result"], bytes);
  await store.json("put", "f3", "--state", "REVOKED");
  assert.is((await store.json("get", "f3"))["result"], null);
  const plain = await store.run(["get", "f1"]);
  assert.match(plain.stdout, /^result +shop\.errors\.BadOrder: no cups$/m);
  assert.match(plain.stdout, /^traceback\n {2}Traceback:\n {4}line\n {2}BadOrder: no cups$/m);
});

test("children and the extended fields go in and come out", async () => {
  const children = '[[["c",null],null],[["g",[["p",null],null]],[[["m",null],null]]]]';
  const words = ["--name", "shop.order", "--args", "[1.0]", "--kwargs", '{"b":2}'];
  const rest = ["--worker", "celery@host", "--retries", "2", "--queue", "fast"];
  const put = ["put", "x", "--state", "SUCCESS", "--children", children, ...words, ...rest];
  await store.json(...put);
  const { name, args, kwargs, worker, retries, queue, children: bytes } = store.row("x");
  assert.equal(
    [name, args, kwargs, worker, retries, queue],
    ["shop.order", "[1.0]", '{"b": 2}', "celery@host", 2, "fast"],
  );
  assert.is(bytes, children.replaceAll(",", ", "));
  const get = await store.run(["get", "x", "--json"]);
  assert.match(
    get.stdout,
    `"children":${children},"name":"shop.order","args":[1.0],"kwargs":{"b":2}`,
  );
  const plain = await store.run(["get", "x"]);
  assert.match(plain.stdout, /^children +c, group g \(m\)$/m);
  await store.json("put", "ids", "--state", "SUCCESS", "--children", '["a","b"]');
  assert.is(store.row("ids")["children"], '[[["a", null], null], [["b", null], null]]');
});

test("stamps go in and come out, those that are listed", async () => {
  const stamps = ["--stamps", '{"tenant":["acme"],"other":1.0}'];
  await store.json("put", "s1", "--state", "SUCCESS", ...stamps);
  const all =
    '{"stamped_headers": ["tenant", "other"], "stamps": {"tenant": ["acme"], "other": 1.0}}';
  assert.is(store.row("s1")["stamps"], all);
  const listed = ["--stamped-headers", '["tenant","absent"]'];
  await store.json("put", "s2", "--state", "SUCCESS", ...stamps, ...listed);
  const some = '{"stamped_headers": ["tenant", "absent"], "stamps": {"tenant": ["acme"]}}';
  assert.is(store.row("s2")["stamps"], some);
  const get = await store.json("get", "s2");
  assert.equal(
    [get["stamps"], get["stampedHeaders"]],
    [{ tenant: ["acme"] }, ["tenant", "absent"]],
  );
  const taken = ["put", "s3", "--state", "SUCCESS", "--stamps", '{"status":1}', "--json"];
  const refused = await store.run(taken);
  assert.equal([refused.code, errorOf(refused).code], [2, "stamp-name"]);
});

test("of a row that can't be read whole, the rest is printed", async () => {
  const words = ["put", "mixed", "--state", "SUCCESS", "--result", "1", "--args", "[]"];
  await store.json(...words);
  store.execute("UPDATE celery_taskmeta SET args = x'80045d942e' WHERE task_id = 'mixed'");
  const get = await store.run(["get", "mixed", "--json"]);
  assert.equal(
    [get.code, JSON.parse(get.stdout).result, JSON.parse(get.stdout).args],
    [0, 1, null],
  );
  assert.match(get.stderr, '"code":"undecodable"');
  store.execute("UPDATE celery_taskmeta SET result = x'ff' WHERE task_id = 'mixed'");
  const broken = await store.run(["get", "mixed", "--json"]);
  assert.equal([broken.code, errorOf(broken).code], [65, "cannot-decode"]);
  const { state, result, undecodable } = JSON.parse(broken.stdout);
  assert.equal([state, result], ["SUCCESS", null]);
  assert.equal(
    [undecodable[0].column, undecodable[0].bytes],
    ["result", { $: "bytes", hex: "ff" }],
  );
});

test("the result may come from stdin, and other serializers are Celery's", async () => {
  const put = ["put", "in", "--state", "SUCCESS", "--result-file", "-", "--serializer", "yaml"];
  assert.is((await store.run(put, { stdin: '{"b":1,"a":"ä"}\n' })).code, 0);
  assert.is(store.row("in")["result"], 'a: "\\xE4"\nb: 1\n');
  assert.equal((await store.json("get", "in", "--serializer", "yaml"))["result"], { a: "ä", b: 1 });
  const wrong = await store.run(["get", "in", "--json"]);
  assert.equal([wrong.code, errorOf(wrong).code], [65, "cannot-decode"]);
  const decimal = ["--result", '{"$":"decimal","v":"1"}', "--serializer", "yaml", "--json"];
  const refused = await store.run(["put", "no", "--state", "SUCCESS", ...decimal]);
  assert.equal([refused.code, errorOf(refused).code], [65, "cannot-encode"]);
});

test("groups are saved once, or over again on demand", async () => {
  const saved = await store.json("group", "save", "g", "a", "b", "--parent", "p");
  assert.equal(saved["members"], [
    [["a", null], null],
    [["b", null], null],
  ]);
  const group = await store.json("group", "get", "g");
  assert.is(group["exists"], true);
  assert.equal(group["parent"], [["p", null], null]);
  const parent = '[["h",null],[[["x",null],null]]]';
  await store.json("group", "save", "in-group", "a", "--parent", parent);
  assert.is(JSON.stringify((await store.json("group", "get", "in-group"))["parent"]), parent);
  const half = await store.run(["group", "save", "no", "a", "--parent", '["h"]', "--json"]);
  assert.equal([half.code, errorOf(half).code], [65, "bad-value"]);
  const again = await store.run(["group", "save", "g", "c", "--json"]);
  assert.equal([again.code, errorOf(again).code], [1, "group-exists"]);
  await store.json(
    "group",
    "save",
    "g",
    "--members",
    '["c",[["h",null],[[["d",null],null]]]]',
    "--replace",
  );
  assert.match((await store.run(["group", "get", "g"])).stdout, "  c\n  group h (d)\n");
  assert.equal(await store.json("group", "delete", "g"), { groupId: "g", deleted: true });
  assert.equal(await store.json("group", "delete", "g"), { groupId: "g", deleted: false });
});

test("wait ends with the task: 0 for SUCCESS, 1 for a failure or a time-out", async () => {
  await store.json("put", "w1", "--state", "SUCCESS", "--result", "7");
  await store.json("put", "w2", "--state", "FAILURE", "--exc-type", "E");
  await store.json("put", "w3", "--state", "STARTED");
  assert.is((await store.json("wait", "w1"))["result"], 7);
  const failed = await store.run(["wait", "w2", "--json"]);
  assert.equal([failed.code, JSON.parse(failed.stdout).state], [1, "FAILURE"]);
  const late = await store.run(["wait", "w3", "--timeout", "0", "--json"]);
  assert.equal([late.code, late.stdout, errorOf(late).code], [1, "", "timeout"]);
  const waiting = store.run(["wait", "w3", "--interval", "0.01", "--json"]);
  await store.json("put", "w3", "--state", "SUCCESS", "--result", "8");
  assert.is(JSON.parse((await waiting).stdout).result, 8);
});

test("what is stored is shown to people without its control characters", async () => {
  const evil = "\u001b[31mred\u202e";
  await store.json("put", evil, "--state", evil, "--result", JSON.stringify(evil), "--name", evil);
  for (const words of [
    ["get", evil],
    ["list", "--name", evil],
    ["forget", evil],
  ]) {
    const { stdout, stderr } = await store.run(words);
    assert.match(stdout, "\\x1b[31mred\\u202e");
    for (const character of evil.replace(/\w|\[/g, ""))
      assert.not.match(stdout + stderr, character);
  }
});

test("a state in small letters is stored, with a warning", async () => {
  const put = await store.run(["put", "small", "--state", "success"]);
  assert.is(put.code, 0);
  assert.match(put.stderr, "its own is SUCCESS");
});

test("cleanup removes what is older, in batches, and tells of it", async () => {
  const old = new TestStore();
  await old.json("put", "new", "--state", "SUCCESS");
  await old.json("put", "waits", "--state", "STARTED");
  await old.json("group", "save", "g", "a");
  old.execute(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
    INSERT INTO celery_taskmeta (task_id, status, date_done)
    SELECT 'old' || i, 'SUCCESS', '2020-01-01 00:00:00.000000' FROM n`);
  const swept = await old.json("cleanup", "--expires", "86400", "--batch-size", "100");
  assert.equal([swept["tasks"], swept["groups"], swept["interrupted"]], [250, 0, false]);
  assert.ok(Number(swept["batches"]) >= 3);
  const all = await old.run(["cleanup", "--expires", "0"]);
  assert.match(all.stdout, "Removed 1 task and 1 group");
  const left = await old.run(["list", "--ndjson"]);
  assert.equal(JSON.parse(left.stdout).taskId, "waits");
});

test("a task is found though the table of groups is not there", async () => {
  const lone = new TestStore();
  await lone.json("put", "a", "--state", "SUCCESS");
  lone.execute("DROP TABLE celery_tasksetmeta");
  assert.is((await lone.json("get", "a"))["state"], "SUCCESS");
  assert.is((await lone.run(["group", "get", "g"])).code, 1);
  const sweep = await lone.run(["cleanup", "--expires", "0", "--json"]);
  assert.equal([sweep.code, errorOf(sweep).code], [69, "tables-missing"]);
});

test("a list that breaks off is whole JSON all the same, and an error", async () => {
  const broken = new TestStore();
  await broken.json("migrate");
  broken.execute(`ALTER TABLE celery_taskmeta RENAME TO kept;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
      INSERT INTO kept (task_id, status) SELECT 'task' || i, 'SUCCESS' FROM n;
    CREATE VIEW celery_taskmeta AS SELECT id, task_id, status, result, date_done, traceback,
      children, CASE WHEN id > 600 THEN abs(-9223372036854775808) END AS name, args, kwargs, worker,
      retries, queue, stamps FROM kept`);
  const array = await broken.run(["list", "--json"]);
  assert.equal([array.code, errorOf(array).code], [69, "operation-failed"]);
  assert.is(JSON.parse(array.stdout).length, 500);
  const lines = await broken.run(["list", "--ndjson"]);
  assert.equal([lines.code, lines.stdout.split("\n").length], [69, 501]);
  const table = await broken.run(["list"]);
  assert.equal([table.code, table.stdout.split("\n").length], [69, 502]);
  const nothing = await broken.run(["list", "--name", "x", "--json"]);
  assert.equal([nothing.code, nothing.stdout], [69, ""]);
});

test("a locked or broken file is told with the driver's code", async () => {
  const broken = join(dirname(store.file), "broken.db");
  writeFileSync(broken, "this is no database at all, whatever its name says".repeat(100));
  const loop = join(dirname(store.file), "loop.db");
  symlinkSync(loop, loop); // as little to be looked at as a folder of somebody else
  for (const path of [broken, loop, "/dev/null/x.db"]) {
    const run = await store.run(["get", "a", "--url", `db+sqlite:///${path}`, "--json"]);
    assert.is(run.code, 69, run.stderr);
    assert.match(run.stderr, /"code":"(?:database-unreachable|get-failed|set-up-failed)"/);
    assert.not.match(run.stderr, "Give the user the right");
  }
});

test.run();
