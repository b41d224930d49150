import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type CliRun, errorOf, PACKAGE, parlance } from "./support/cli.ts";
import { TestStore } from "./support/results.ts";

// `parlance run --results`: what Celery finds of each task afterwards.

const folder = temporaryFolder();
const BUNDLE = join(folder, "outcomes");
const SEED = join(folder, "seed.json");
const RUN = ["run", BUNDLE, "--dag", "outcomes", "--run-id", "r", "--seed-store", SEED];

test.before(async () => {
  const entry = join(PACKAGE, "test/fixtures/outcomes.ts");
  const packed = await parlance(["pack", entry, "--out", BUNDLE]);
  assert.is(packed.code, 0, packed.stderr);
  const c = { conn_type: "http", password: "open-sesame" };
  writeFileSync(SEED, JSON.stringify({ connections: { c } }));
});

interface Entry {
  readonly taskId: string;
  readonly finalState: string;
  readonly results?: { readonly error?: { readonly code: string } };
}

function entriesOf(run: CliRun): readonly Entry[] {
  return (JSON.parse(run.stdout) as { tasks: Entry[] }).tasks;
}

test("each task's outcome is stored as Celery has it", async () => {
  const store = new TestStore();
  const run = await parlance([...RUN, "--results", store.url, "--json"]);
  assert.is(run.code, 1, "two tasks fail");
  assert.equal(
    entriesOf(run).map(({ results }) => results),
    [
      { id: "outcomes/r/value", written: true, state: "SUCCESS" },
      { id: "outcomes/r/nothing", written: true, state: "SUCCESS" },
      { id: "outcomes/r/fails", written: true, state: "FAILURE" },
      { id: "outcomes/r/dies", written: true, state: "FAILURE" },
    ],
  );
  const value = store.row("outcomes/r/value");
  assert.is(value["result"], '{"wide": 9223372036854775808, "half": 0.5}');
  const { name, args, kwargs, worker, retries, queue, traceback } = value;
  assert.equal(
    { name, args, kwargs, worker, retries, queue, traceback },
    {
      name: "outcomes.value",
      args: "[]",
      kwargs: "{}",
      worker: `parlance@${hostname()}`,
      retries: 0,
      queue: null,
      traceback: null,
    },
  );
  assert.is(store.row("outcomes/r/nothing")["result"], "null");
  const fails = store.row("outcomes/r/fails");
  assert.is(fails["retries"], 1);
  assert.is(
    fails["result"],
    '{"exc_type": "RangeError", "exc_message": ["no log-in with ***"], "exc_module": "parlance.task"}',
  );
  const lines = String(fails["traceback"]).split("\n");
  assert.is(lines[0], "Traceback (most recent call last):");
  assert.match(lines[1] ?? "", /^ {2}File ".*outcomes\.ts", line 9, in /);
  assert.ok(lines.includes("TypeError: why"));
  assert.ok(lines.includes("The above exception was the direct cause of the following exception:"));
  assert.is(lines.at(-2), "RangeError: no log-in with ***");
  assert.match(
    String(store.row("outcomes/r/dies")["result"]),
    /"TaskFailed", .*"ended by signal 9"/,
  );
});

test("a task that will be tried again is RETRY, one that is not there is REVOKED", async () => {
  const store = new TestStore();
  const one = async (task: string, ...flags: string[]) => {
    const words = [...RUN, "--task", task, ...flags, "--results", store.url, "--json"];
    return entriesOf(await parlance([...words, "--results-id", "{task}"]))[0]?.results;
  };
  const retried = await one("fails", "--should-retry");
  assert.equal(retried, { id: "fails", written: true, state: "RETRY" });
  assert.match(String(store.row("fails")["result"]), /"exc_type": "RangeError"/);
  assert.equal(await one("nope"), { id: "nope", written: true, state: "REVOKED" });
  assert.is(
    store.row("nope")["result"],
    '{"exc_type": "TaskRevokedError", "exc_message": ["removed"], "exc_module": "celery.exceptions"}',
  );
});

test("the row is STARTED while the task runs, and SUCCESS is never overwritten", async () => {
  const store = new TestStore();
  const look = `const Database = require(process.env.LIBSQL);
    const database = new Database(process.env.RESULTS);
    const row = database.prepare("SELECT status, result FROM celery_taskmeta").get([]);
    console.log(row.status, Buffer.from(row.result).toString());`;
  const libsql = new URL("../node_modules/libsql", import.meta.url).pathname;
  const env = { LIBSQL: libsql, RESULTS: store.file };
  const words = ["run", "--dag", "d", "--task", "t", "--run-id", "r", "--inherit-env"];
  const flags = ["--results", store.url, "--startup-timeout", "60", "--json"];
  const argv = ["--", process.execPath, "-e", look, "--"];
  const run = await parlance([...words, ...flags, ...argv], { env });
  const [entry] = JSON.parse(run.stdout).tasks;
  const started = `STARTED {"pid": ${process.pid}, "hostname": "${hostname()}"}`;
  assert.ok(
    entry.logs.some(({ event }: { event: string }) => event === started),
    run.stdout,
  );
  assert.match(String(store.row("d/r/t")["result"]), "exited-before-connect: ");
  const put = await store.run(["put", "d/r/t", "--state", "SUCCESS", "--result", "1"]);
  assert.is(put.code, 0);
  const again = await parlance([...words, ...flags, ...argv], { env });
  assert.equal(entriesOf(again)[0]?.results, { id: "d/r/t", written: false, state: "SUCCESS" });
  assert.match(again.stderr, '"code":"already-final"');
});

test("a store that fails costs no task its outcome", async () => {
  const store = new TestStore();
  assert.is((await store.run(["migrate"])).code, 0);
  store.execute(`CREATE TRIGGER broken BEFORE INSERT ON celery_taskmeta
    BEGIN SELECT RAISE(ABORT, 'out of order'); END`);
  const words = [...RUN, "--task", "value", "--results", store.url, "--json"];
  const run = await parlance(words);
  assert.is(run.code, 69, run.stderr);
  const [entry] = entriesOf(run);
  assert.is(entry?.finalState, "success");
  assert.is(entry?.results?.error?.code, "store-failed");
  assert.match(run.stderr, "the outcome of value was not stored");
});

test("without a store nothing runs; --results alone takes the one of the environment", async () => {
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [["--results"], 2, "missing-url"],
    [["--results", "tasks.ts"], 2, "usage"],
    [["--results", "db+oracle://h/x"], 2, "unsupported-database"],
    [["--results-url-file", join(folder, "nope")], 65, "cannot-read"],
    [["--results", "db+sqlite://", "--results-id", "same"], 2, "usage"],
    [["--results", "db+sqlite://", "--results-id", `{task}${"x".repeat(155)}`], 2, "usage"],
  ];
  for (const [flags, code, error] of cases) {
    const run = await parlance([...RUN, ...flags, "--json"], { env: { PARLANCE_RESULTS_URL: "" } });
    assert.equal([run.code, errorOf(run).code, run.stdout], [code, error, ""], flags.join(" "));
  }
  const store = new TestStore();
  const env = { PARLANCE_RESULTS_URL: store.url };
  const run = await parlance([...RUN, "--task", "nothing", "--results"], { env });
  assert.is(run.code, 0, run.stderr);
  assert.is(store.row("outcomes/r/nothing")["status"], "SUCCESS");
});

test.run();
