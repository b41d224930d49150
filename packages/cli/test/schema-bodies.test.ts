import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance, spawnParlance } from "./support/cli.ts";

const CHECK = "schema check --version 2026-06-16 --direction to-supervisor --json".split(" ");
const UP = "schema migrate --from 2026-06-16 --to 2026-10-30 --direction to-supervisor".split(" ");
const DOWN = "schema migrate --from 2026-10-30 --to 2026-06-16 --direction to-task".split(" ");

const lines = (bodies: readonly unknown[]): string =>
  bodies.map((body) => `${typeof body === "string" ? body : JSON.stringify(body)}\n`).join("");
const parsed = (stdout: string): unknown[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

test("check prints one verdict a body, and exits with 1 where one is invalid", async () => {
  const moment = { $: "datetime", iso: "2026-06-16T01:02:03.123456+00:00", aware: true };
  const bodies = [
    { type: "SucceedTask", end_date: moment },
    { type: "SucceedTask", end_date: "2026-06-16T01:02:03" },
    null,
    [1],
    { type: "Nope" },
    { type: "SetExecutionTimeout", timeout_seconds: 1 },
    { type: "XComResult", key: "k" },
    {
      type: "SetXCom",
      key: "k",
      dag_id: "d",
      run_id: "r",
      task_id: "t",
      value: { $: "bytes", hex: "00" },
    },
    {
      type: "SetXCom",
      key: "k",
      dag_id: "d",
      run_id: "r",
      task_id: "t",
      value: { $: "int", v: "9223372036854775807" },
    },
    { type: "RetryTask", end_date: moment, retry_delay_seconds: { $: "float", v: "nan" } },
  ];
  const run = await parlance(CHECK, { stdin: lines(bodies) });
  assert.is(run.code, 1);
  const [good, naive, ...rest] = parsed(run.stdout);
  assert.equal(good, { valid: true, type: "SucceedTask" });
  assert.equal(naive, {
    valid: false,
    type: "SucceedTask",
    errors: [
      { path: "/end_date", message: "expected a date-time with a zone, got one without a zone" },
    ],
  });
  assert.equal(
    rest.map((verdict) => {
      const { type, errors } = verdict as { type?: string; errors?: { path: string }[] };
      return [type, errors?.[0]?.path];
    }),
    [
      [undefined, ""],
      [undefined, ""],
      ["Nope", "/type"],
      ["SetExecutionTimeout", "/type"],
      ["XComResult", "/type"],
      ["SetXCom", "/value"],
      ["SetXCom", undefined],
      ["RetryTask", "/retry_delay_seconds"],
    ],
  );
  assert.match(JSON.stringify(rest[3]), "which schema 2026-10-30 has");
  assert.match(JSON.stringify(rest[4]), "which goes to-task");
});

test("check exits with 0 when all is well, also with blank lines and nothing at all", async () => {
  const good = { type: "GetConnection", conn_id: "c" };
  const run = await parlance(CHECK, { stdin: `\n${lines([good])}  \r\n${JSON.stringify(good)}` });
  assert.is(run.code, 0);
  assert.is(parsed(run.stdout).length, 2);
  assert.equal(await parlance(CHECK), { code: 0, stdout: "", stderr: "" });
});

test("a line that is no JSON ends with 65; those before it are answered", async () => {
  for (const [line, code] of [
    ["{", "not-json"],
    ['{"type":"GetConnection","conn_id":{"$":"nope"}}', "bad-value"],
  ] as const) {
    const stdin = lines([{ type: "GetConnection", conn_id: "c" }, line, { type: "Late" }]);
    const run = await parlance(CHECK, { stdin });
    assert.is(run.code, 65);
    assert.is(errorOf(run).code, code);
    assert.match(errorOf(run).message, /^line 2: /);
    assert.equal(parsed(run.stdout), [{ valid: true, type: "GetConnection" }]);
  }
  const good = lines([{ type: "GetConnection", conn_id: "c" }]);
  const stdin = Buffer.concat([
    Buffer.from(`${good}"`),
    Buffer.of(0xff),
    Buffer.from(`"\n${good}`),
  ]);
  for (const words of [CHECK, UP]) {
    const run = await parlance(words, { stdin });
    assert.is(run.code, 65);
    assert.match(run.stderr, "line 2: the line is not UTF-8");
    assert.is(parsed(run.stdout).length, 1, "the line before it came in the same chunk");
  }
});

test("migrate fills in what an old child does not know, and drops what it may not see", async () => {
  const request = { type: "GetXCom", key: "k", dag_id: "d", run_id: "r", task_id: "t" };
  const up = await parlance(UP, { stdin: lines([request]) });
  assert.is(up.code, 0);
  assert.is(
    up.stdout,
    '{"previous_iteration":false,"key":"k","dag_id":"d","run_id":"r","task_id":"t",' +
      '"map_index":null,"include_prior_dates":false,"type":"GetXCom"}\n',
  );
  const instance = { task_id: "t", dag_id: "d", run_id: "r", logical_date: null, start_date: null };
  const previous = { ...instance, end_date: null, state: null, try_number: 1, map_index: -1 };
  const region = { region_id: "019a0000-0000-7000-8000-000000000001", region_index: 3 };
  const answer = {
    type: "PreviousTIResult",
    task_instance: { ...previous, ...region, duration: 1 },
  };
  const down = await parlance(DOWN, { stdin: lines([answer]) });
  assert.is(down.code, 0);
  assert.not.match(down.stdout, "region");
});

test("values are exact on both sides of a migration", async () => {
  const value = {
    big: { $: "int", v: "9007199254740993" },
    list: [{ $: "float", v: "-inf" }, 1.5],
    map: { $: "map", entries: [["$", 1]] },
    "__proto__ ": "x",
  };
  const set = { type: "SetXCom", key: "k", dag_id: "d", run_id: "r", task_id: "t", value };
  const whole = JSON.stringify(set).replace("1.5", '1.0,{"__proto__":2}');
  const run = await parlance(UP, { stdin: `${whole}\n` });
  assert.is(run.code, 0, run.stderr);
  assert.match(run.stdout, '"big":{"$":"int","v":"9007199254740993"}');
  assert.match(run.stdout, '"list":[{"$":"float","v":"-inf"},1.0,{"__proto__":2}]');
  assert.match(run.stdout, '"map":{"$":"map","entries":[["$",1]]}');
  const moment = { $: "datetime", iso: "2026-06-16T01:02:03.123456789+00:00", aware: true };
  const dates = {
    type: "RescheduleTask",
    reschedule_date: moment,
    end_date: "2026-06-16 01:02:03Z",
  };
  const { stdout } = await parlance(UP, { stdin: lines([dates]) });
  assert.equal(parsed(stdout), [
    {
      state: "up_for_reschedule",
      reschedule_date: { ...moment, iso: "2026-06-16T01:02:03.123456789+00:00" },
      end_date: "2026-06-16T01:02:03Z",
      type: "RescheduleTask",
    },
  ]);
});

test("--unset says what becomes of fields that are left out", async () => {
  const asset = { name: "a", uri: "u", group: "g" };
  const stdin = lines([{ type: "AssetResult", ...asset }]);
  const asSent = await parlance(DOWN, { stdin });
  assert.equal(parsed(asSent.stdout), [{ ...asset, type: "AssetResult" }]);
  const filled = await parlance([...DOWN, "--unset", "fill"], { stdin });
  assert.equal(parsed(filled.stdout), [{ ...asset, extra: null, type: "AssetResult" }]);
});

test("in place of a body that cannot be migrated stands why", async () => {
  const bodies = [{ type: "Nope" }, { type: "GetConnection", conn_id: "c" }, null];
  const run = await parlance(UP, { stdin: lines(bodies) });
  assert.is(run.code, 1);
  const [unknown, good, nothing] = parsed(run.stdout) as Record<string, Record<string, unknown>>[];
  assert.is(unknown?.["error"]?.["code"], "cannot-migrate");
  assert.is(unknown?.["error"]?.["type"], "Nope");
  assert.is(good?.["type"] as unknown, "GetConnection");
  assert.equal(nothing?.["error"]?.["errors"], [
    { path: "", message: "expected a map with a type, got null" },
  ]);
});

test("flags that are missing are named", async () => {
  const run = await parlance(["schema", "migrate", "--from", "2026-06-16"]);
  assert.is(run.code, 2);
  assert.match(run.stderr, "--to <version>");
  assert.is((await parlance(["schema", "check", "--version", "2026-06-16"])).code, 2);
});

test("thousands of bodies go through a process of its own", async () => {
  const stdin = lines(
    Array.from({ length: 5_000 }, () => ({ type: "GetConnection", conn_id: "c" })),
  );
  const run = await spawnParlance(CHECK, { stdin });
  assert.is(run.code, 0);
  assert.is(parsed(run.stdout).length, 5_000);
});

test.run();
