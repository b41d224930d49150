import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixturePath, run } from "../support/fake-supervisor.ts";

function start(fixture: string, ...flags: string[]) {
  return spawnSync(process.execPath, [fixturePath(fixture), ...flags], { encoding: "utf8" });
}

test("a supervisor that never sends the first frame: an error that says so", async () => {
  const { exitCode, stderr, logs } = await run({
    fixture: "patient.mjs",
    first: null,
    env: { FIRST_FRAME_MS: "300" },
  });
  assert.is(exitCode, 1);
  assert.match(stderr, /no first frame came within 0\.3 s/);
  assert.match(String(logs.at(-1)?.["error"]), /no startup details/);
});

test("a first frame of another type ends non-zero", async () => {
  const { exitCode, stderr } = await run({ fixture: "patient.mjs", first: { type: "Hello" } });
  assert.is(exitCode, 1);
  assert.match(stderr, /"Hello", expected StartupDetails/);
});

test("startup details that cannot be read end non-zero and name the field", async () => {
  const { exitCode, stderr } = await run({ fixture: "patient.mjs", taskInstance: { dag_id: 7 } });
  assert.is(exitCode, 1);
  assert.match(stderr, /ti\.dag_id is number, expected text/);
});

test("nobody listens: early records are on stderr, exit non-zero", () => {
  const { status, stderr } = start("slow-load.mjs", "--comm=127.0.0.1:1", "--logs=127.0.0.1:1");
  assert.is(status, 1);
  assert.match(stderr, /the log connection could not be opened \(connect ECONNREFUSED/);
  assert.ok(stderr.indexOf("early one") < stderr.indexOf("early two"));
  assert.match(stderr, /ended before its first frame.*ECONNREFUSED/);
});

test("a log link that cannot be opened costs records, not the task", async () => {
  const { exitCode, stderr, terminal } = await run({
    fixture: "slow-load.mjs",
    nodeArguments: ["--import", fixturePath("bad-logs-flag.mjs")],
    standInForLogs: true,
  });
  assert.is(exitCode, 0);
  assert.is(terminal[0]?.["type"], "SucceedTask");
  assert.match(stderr, /in handler/);
});

test("started by hand it tells what is in it, by half that something is missing; exit 2", () => {
  const cases: readonly [string[], RegExp][] = [
    [[], /has tasks for Airflow[\s\S]* d: 2, 1\n {2}10: x\n/],
    [["--comm=127.0.0.1:1"], /--logs=HOST:PORT is missing beside --comm/],
    [["--comm=garbage", "--logs=127.0.0.1:1"], /--comm got "garbage"/],
  ];
  for (const [flags, said] of cases) {
    const { status, stderr, stdout } = start("serves-twice.mjs", ...flags);
    assert.is(status, 2);
    assert.match(stderr, said);
    assert.is(stdout, "");
  }
});

test("--airflow-metadata prints one document, whatever the program prints itself", () => {
  const { status, stderr, stdout } = start("chatty.mjs", "--airflow-metadata");
  assert.is(status, 0);
  assert.match(stderr, /loading\nmore\n/);
  assert.is(stdout.split("\n").length, 2, "one line");
  assert.equal(JSON.parse(stdout).task_handlers, { d: { tasks: ["t"] } });
});

test("describes itself, in order of registration, without connecting", () => {
  const file = join(temporaryFolder(), "description");
  const fd = openSync(file, "w");
  const { status, stderr } = spawnSync(
    process.execPath,
    [fixturePath("serves-twice.mjs"), "--describe-fd=3"],
    { stdio: ["ignore", "pipe", "pipe", fd], encoding: "utf8" },
  );
  closeSync(fd);
  assert.is(status, 0);
  assert.is(stderr, "second: already-serving\n");
  const text = readFileSync(file, "utf8");
  assert.is(text.split("\n").length, 2, "one line");
  const { version } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  assert.equal(JSON.parse(text), {
    sdk: { name: "@parlance/sdk-node", version, language: "typescript" },
    dags: { d: { tasks: ["2", "1"] }, "10": { tasks: ["x"] } },
    order: [
      ["d", ["2", "1"]],
      ["10", ["x"]],
    ],
  });
  assert.is(start("serves-twice.mjs", "--describe").stdout, text);
  assert.is(start("never-serves.mjs", "--describe").status, 1);
});

test("dates, ids and conf of the context, from timestamps or text", async () => {
  const dag_run = {
    dag_id: "d",
    run_id: "manual__1",
    logical_date: "2026-06-16T01:02:03.123456+02:00",
    data_interval_start: null,
    data_interval_end: null,
    run_after: "2026-06-16T01:02:03Z",
    run_type: "scheduled",
    conf: { n: 1 },
    triggering_user_name: "ada",
    note: "a note",
    some_new_key: [1],
  };
  const { bodies } = await run({
    fixture: "tasks.mjs",
    taskId: "context",
    context: {
      ...{ dag_run, max_tries: 4, should_retry: true, task_reschedule_count: 2 },
      start_date: "2026-06-16T00:00:00Z",
    },
    taskInstance: { try_number: 3, map_index: 5 },
  });
  const value = bodies[0]?.["value"] as Record<string, unknown>;
  const { exact, ...context } = value;
  assert.equal(context, {
    dagId: "d",
    taskId: "context",
    runId: "manual__1",
    tryNumber: 3,
    maxTries: 4,
    shouldRetry: true,
    mapIndex: 5,
    taskInstanceId: "01a229d4-f37f-7d3f-86ca-4781063d5c26",
    runType: "scheduled",
    logicalDate: "2026-06-15T23:02:03.123Z",
    dataIntervalStart: null,
    dataIntervalEnd: null,
    runAfter: "2026-06-16T01:02:03.000Z",
    firstStartDate: "2026-06-16T00:00:00.000Z",
    rescheduleCount: 2,
    triggeringUser: "ada",
    note: "a note",
    partitionKey: null,
    executionTimeoutMs: null,
    trace: null,
    assetEvents: [],
    loop: null,
    startDate: "2026-06-16T01:02:03.123Z",
    conf: { n: 1 },
    queue: "ts",
    hostname: "",
  });
  assert.is((exact as { logicalDate: string }).logicalDate, "2026-06-15T23:02:03.123456+00:00");
});

test.run();
