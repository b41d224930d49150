import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

// Whole Dags: what runs when, what is waited, and how a run is taken up again.

const folder = temporaryFolder("parlance-whole-dag");
const BUNDLE = join(folder, "tasks");
let runs = 0;

test.before(async () => {
  const packed = await parlance(["pack", "test/fixtures/whole-dag.ts", "--out", BUNDLE]);
  assert.is(packed.code, 0, packed.stderr);
});

/** A store, a trace and a run id of its own. */
function place(dagId: string) {
  runs += 1;
  const trace = join(folder, `trace-${runs}`);
  return {
    words: [
      "run",
      BUNDLE,
      "--dag",
      dagId,
      "--run-id",
      "r",
      "--store",
      `sqlite:${join(folder, `${runs}.db`)}`,
    ],
    env: { ...process.env, AIRFLOW_VAR_TRACE: trace },
    traced: () => (existsSync(trace) ? readFileSync(trace, "utf8").trim().split("\n") : []),
  };
}

test("dependencies, mapping, a branch, and the true waits of retries", async () => {
  const { words, env, traced } = place("shop");
  const flags = ["--json", "--time-scale", "0", "--param", 'region="us"'];
  const run = await parlance([...words, ...flags, "--logical-date", "2026-01-02T03:04:05Z"], {
    env,
  });
  assert.is(run.code, 0, run.stderr);
  const { tasks, run: summary } = JSON.parse(run.stdout);
  assert.equal(
    tasks.map(
      (task: { taskId: string; mapIndex: number; finalState: string; attempts: number }) => [
        ...[task.taskId, task.mapIndex, task.finalState, task.attempts],
      ],
    ),
    [
      ["extract", -1, "success", 2],
      ["each", 0, "success", 1],
      ["each", 1, "success", 1],
      ["choose", -1, "success", 1],
      ["small", -1, "success", 1],
      ["large", -1, "skipped", 0],
    ],
  );
  assert.is(summary.state, "success");
  const [extract, each] = tasks;
  const [wait] = extract.waits;
  assert.is(wait.mode, "backoff");
  assert.is(wait.baseSeconds, 300);
  assert.is(wait.delaySeconds, 300 + wait.jitterSeconds);
  assert.is(wait.scaledSeconds, 0);
  assert.is(wait.reason, "Error: the shop is closed");
  assert.equal(extract.xcoms.return_value, ["us", "x"]);
  assert.is(each.xcoms.return_value, "us!");
  assert.match(tasks.at(-1).note, /choose skips it/);
  assert.match(run.stderr, /extract waits .*300 \+ \d+ jitter.*not waited for here; try 2 follows/);

  const before = traced();
  const again = await parlance([...words, ...flags], { env });
  assert.is(again.code, 0);
  assert.equal(traced(), before);
  assert.match(again.stderr, "run r has ended already (success); a new run needs another --run-id");
  assert.equal(JSON.parse(again.stdout).tasks.length, 6);
});

test("a run that failed, and what failed in it run again", async () => {
  const { words, env, traced } = place("bad");
  const failed = await parlance(words, { env });
  assert.is(failed.code, 1);
  assert.match(failed.stdout, /^bad +failed/m);
  assert.match(failed.stdout, /^behind +upstream_failed +all_success: bad failed/m);
  assert.match(failed.stdout, /^run r failed/m);
  const mended = { ...env, AIRFLOW_VAR_MENDED: "yes" };
  const again = await parlance([...words, "--rerun-failed"], { env: mended });
  assert.is(again.code, 0, again.stderr);
  assert.equal(traced(), ["good", "bad", "bad", "behind"]);
});

test("Ctrl-C ends the tasks and leaves a run that can be taken up; nobody else runs it meanwhile", async () => {
  const { words, env, traced } = place("slow");
  const { child, ended, stdout } = start(words, env);
  await isUp(child);
  const other = await parlance([...words, "--json"], { env });
  assert.equal([other.code, errorOf(other).code], [69, "run-locked"]);
  child.kill("SIGINT");
  assert.is(await ended, 1);
  assert.match(stdout(), /^wait +none .*interrupted/m);
  assert.match(stdout(), /^run r canceled/m);
  const again = await parlance([...words, "--json"], { env });
  assert.is(again.code, 0, again.stderr);
  assert.equal(traced(), ["first", "wait 1", "wait 2", "last"]);
});

test("killed by SIGKILL, it is taken up: what ran has failed, what had ended is left alone", async () => {
  const { words, env, traced } = place("slow");
  const { child, ended } = start(words, env);
  await isUp(child);
  child.kill("SIGKILL");
  await ended;
  const again = await parlance([...words, "--json", "--time-scale", "0"], { env });
  assert.is(again.code, 0, again.stderr);
  assert.equal(traced(), ["first", "wait 1", "wait 2", "last"]);
  const wait = JSON.parse(again.stdout).tasks[1];
  assert.equal([wait.attempts, wait.tryNumber, wait.waits.length], [2, 2, 1]);
  assert.match(wait.waits[0].reason, /engine died/);
});

test("what is no place for a flag, and what is no JSON", async () => {
  const { words } = place("shop");
  for (const more of [
    ["--conf", "[1]"],
    ["--param", "region"],
    ["--param", "regoin=1"],
    ["--logical-date", "2026-01-02"],
    ["--time-scale", "-1"],
    ["--task", "extract", "--parallel", "2"],
    ["--results", "db+sqlite:///x"],
  ]) {
    const run = await parlance([...words, ...more, "--json"]);
    assert.equal([run.code, errorOf(run).code], [2, "usage"], more.join(" "));
  }
  const kept = await parlance(["run", BUNDLE, "--dag", "shop", "--rerun-failed", "--json"]);
  assert.equal([kept.code, errorOf(kept).code], [2, "usage"]);
  const asia = await parlance([...words, "--param", "region=7", "--json"]);
  assert.equal([asia.code, errorOf(asia).code], [65, "bad-request"]);
  assert.match(errorOf(asia).message, /param "region" is 7, expected string/);
  const unknown = await parlance(["run", BUNDLE, "--dag", "nope", "--json"]);
  assert.equal([unknown.code, errorOf(unknown).code], [65, "unknown-dag"]);
});

function start(words: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [`${PACKAGE}bin/parlance.js`, ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, ended, stdout: () => text };
}

/** Settles when the task that waits says that it does. */
function isUp({ stderr }: Pick<ChildProcess, "stderr">): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("wait is up")) resolve();
    });
    stderr?.on("end", () => reject(new Error(text)));
  });
}

test.run();
