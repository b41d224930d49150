import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type CliRun, errorOf, parlance, spawnParlance } from "./support/cli.ts";

const ENTRY = "test/fixtures/tasks.ts";
const folder = temporaryFolder();
/** The same, packed once: bundling the entry for each test would take most of their time. */
const BUNDLE = join(folder, "tasks");

test.before(async () => {
  const packed = await parlance(["pack", ENTRY, "--out", BUNDLE]);
  assert.is(packed.code, 0, packed.stderr);
});

interface Task {
  readonly taskId: string;
  readonly finalState: string;
  readonly exitCode: number | null;
  readonly tryNumber: number;
  readonly attempts: number;
  readonly xcoms: Readonly<Record<string, unknown>>;
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  readonly error?: { readonly code: string };
}

function tasksOf(run: CliRun): readonly Task[] {
  return (JSON.parse(run.stdout) as { tasks: Task[] }).tasks;
}

test("without --task the tasks run in order of registration and pass XComs on", async () => {
  const run = await parlance(["run", ENTRY, "--dag", "numbers", "--json"]);
  assert.is(run.code, 0, run.stderr);
  const [first, second] = tasksOf(run);
  assert.is(first?.taskId, "10");
  assert.is(second?.taskId, "9");
  const value = { wide: { $: "int", v: "1152921504606846976" }, half: 0.5 };
  assert.equal(first?.xcoms, { return_value: value });
  assert.equal(second?.xcoms, { return_value: value });
  assert.is(first?.logs[0]?.["event"], "first");
  assert.is(first?.logs[0]?.["n"], 1);
});

test("--airflow 3.4 rewrites what a runtime of 3.3 gets; --airflow 3.3 starts none of 3.4", async () => {
  const words = ["--dag", "numbers", "--json", "--trace=full"];
  const [plain, rewritten] = [
    await parlance(["run", BUNDLE, ...words]),
    await parlance(["run", BUNDLE, ...words, "--airflow", "3.4"]),
  ];
  assert.equal([plain.code, rewritten.code], [0, 0], rewritten.stderr);
  assert.not.match(plain.stderr, "multi_team");
  assert.match(rewritten.stderr, '"multi_team":false');
  assert.not.match(rewritten.stderr, "arg_bindings");
  assert.equal(tasksOf(rewritten)[1]?.xcoms, tasksOf(plain)[1]?.xcoms);
  const newer = ["--schema-version", "2026-10-30", "--airflow", "3.3"];
  const task = ["--dag", "d", "--task", "t", "--json"];
  const refused = await parlance(["run", ...task, ...newer, "--", "never-started"]);
  assert.is(refused.code, 1);
  assert.is(tasksOf(refused)[0]?.error?.code, "unsupported-schema-version");
  const unknown = await parlance(["run", ...task, "--airflow", "2.9", "--", "never-started"]);
  assert.is(unknown.code, 2);
});

test("a task that ends up_for_retry starts again with the next try number", async () => {
  const run = await parlance(["run", BUNDLE, "--dag", "failures", "--json"]);
  assert.is(run.code, 1);
  const [always, secondTry] = tasksOf(run);
  assert.equal(
    [always?.finalState, always?.tryNumber, always?.attempts],
    ["failed", 2, 2],
    "one retry by default, and none left after it",
  );
  assert.equal(
    [secondTry?.finalState, secondTry?.tryNumber, secondTry?.attempts],
    ["success", 2, 2],
  );
  assert.equal(secondTry?.xcoms, { return_value: 1 });
});

test("--retries 0 leaves no second try", async () => {
  const run = await parlance(["run", BUNDLE, "--dag", "failures", "--retries", "0", "--json"]);
  assert.equal(
    tasksOf(run).map(({ finalState, attempts }) => [finalState, attempts]),
    [
      ["failed", 1],
      ["failed", 1],
    ],
  );
});

test("with --task exactly one attempt runs; --should-retry makes a failure up_for_retry", async () => {
  const args = ["run", BUNDLE, "--dag", "failures", "--task", "second_try", "--json"];
  const [retried] = tasksOf(await parlance([...args, "--should-retry"]));
  assert.equal([retried?.finalState, retried?.attempts], ["up_for_retry", 1]);
  const [failed] = tasksOf(await parlance(args));
  assert.equal([failed?.finalState, failed?.exitCode], ["failed", 0]);
  const [second] = tasksOf(await parlance([...args, "--try-number", "2"]));
  assert.equal([second?.finalState, second?.tryNumber], ["success", 2]);
});

test("an integer too wide for a number is marked once, in a log record as in an XCom", async () => {
  const script = `
    const [comm, logs] = process.argv.slice(1).map((flag) =>
      require("node:net").connect(flag.split(":")[1], "127.0.0.1"));
    comm.once("data", () =>
      logs.end('{"level":"info","event":"wide","n":9007199254740993}\\n', () => process.exit(0)));`;
  const bare = ["--", process.execPath, "-e", script, "--"];
  const run = await parlance(["run", "--dag", "d", "--task", "t", "--json", ...bare]);
  assert.is(run.code, 0, run.stderr);
  assert.equal(tasksOf(run)[0]?.logs[0]?.["n"], { $: "int", v: "9007199254740993" });
});

test("a bare command that never speaks is a failed start, also with exit code 0", async () => {
  const bare = async (script: string, ...flags: string[]) => {
    const args = ["run", "--dag", "d", "--task", "t", "--json", ...flags, "--", "sh", "-c", script];
    const run = await parlance(args);
    assert.is(run.code, 1);
    return tasksOf(run)[0];
  };
  const silent = await bare("exit 0");
  assert.equal([silent?.finalState, silent?.exitCode], ["failed", 0]);
  assert.is(silent?.error?.code, "exited-before-connect");
  const noisy = await bare("echo out; printf err >&2; kill -9 $$", "--should-retry");
  assert.equal([noisy?.finalState, noisy?.exitCode], ["up_for_retry", -9]);
  const lines = noisy?.logs.map(({ logger, event }) => [logger, event]) ?? [];
  assert.ok(lines.some(([logger, event]) => logger === "task.stdout" && event === "out"));
  assert.ok(lines.some(([logger, event]) => logger === "task.stderr" && event === "err"));
});

test("the task gets an allow-list of the environment, or all of it", async () => {
  const args = ["run", BUNDLE, "--dag", "environment", "--task", "read", "--json"];
  const env = { SECRET_OF_THE_WORKER: "x", AIRFLOW_VAR_OURS: "y" };
  const namesOf = async (...flags: string[]) => {
    const [task] = tasksOf(await parlance([...args, ...flags], { env }));
    return task?.xcoms["return_value"] as string[];
  };
  const some = await namesOf();
  assert.ok(some.includes("AIRFLOW_VAR_OURS") && some.includes("PATH"));
  assert.not(some.includes("SECRET_OF_THE_WORKER"));
  assert.ok((await namesOf("--inherit-env")).includes("SECRET_OF_THE_WORKER"));
});

test("a SQLite store keeps what a run left for the next one", async () => {
  const store = `sqlite:${join(folder, "kept.db")}`;
  const run = (task: string) =>
    parlance([
      "run",
      BUNDLE,
      "--dag",
      "numbers",
      "--task",
      task,
      "--run-id",
      "r",
      "--store",
      store,
      "--json",
    ]);
  assert.is((await run("10")).code, 0);
  const [second] = tasksOf(await run("9"));
  assert.is((second?.xcoms["return_value"] as { half: number } | undefined)?.half, 0.5);
});

test("--seed-store fills the store; a bad seed names the place", async () => {
  const seed = join(folder, "seed.json");
  writeFileSync(seed, '{"variables":{"greeting":"hello"}}');
  const args = ["run", BUNDLE, "--dag", "environment", "--task", "args", "--json", "--seed-store"];
  const [task] = tasksOf(await parlance([...args, seed]));
  assert.is(task?.xcoms["return_value"], "hello");
  writeFileSync(seed, '{"connections":{"c":{"conn_type":"http","port":"x"}}}');
  const bad = await parlance([...args, seed]);
  assert.is(bad.code, 65);
  assert.is(errorOf(bad).code, "bad-seed");
  assert.match(errorOf(bad).message, "/connections/c/port");
});

test("what is wrong with the JSON of a seed is told without a word of it", async () => {
  const seed = join(folder, "broken.json");
  for (const text of ['{"c":{"password":hunter2}}', '{"password":"hunter2" x}', "hunter2"]) {
    writeFileSync(seed, text);
    const bad = await parlance(["run", BUNDLE, "--dag", "d", "--task", "t", "--seed-store", seed]);
    assert.is(bad.code, 65);
    assert.match(bad.stderr, /is not JSON: (?:Unexpected|Expected)/);
    assert.not.match(bad.stderr, "hunter");
  }
});

test("a seeded XCom that names no Dag and no run is one of the run's", async () => {
  const seed = join(folder, "xcoms.json"); // the format of the harness, which takes its own ids
  writeFileSync(seed, '{"xcoms":[{"task_id":"10","value":[1]}]}');
  const args = ["run", BUNDLE, "--dag", "numbers", "--task", "9", "--json", "--seed-store", seed];
  const [task] = tasksOf(await parlance(args));
  assert.equal(task?.xcoms, { return_value: [1] });
});

test("--arg takes the schema that has arguments", async () => {
  const script = `
    const net = require("node:net");
    const [comm, logs] = process.argv.slice(1).map((flag) => flag.split(/[=:]/).slice(1));
    net.connect(logs[1], logs[0]);
    net.connect(comm[1], comm[0]).on("data", (bytes) => {
      console.log(bytes.includes("arg_bindings"), bytes.includes("dossier"));
      process.exit();
    });`;
  const bare = ["--", "node", "-e", script, "--"];
  const args = ["run", "--dag", "d", "--task", "t", "--json", "--arg", 'name="dossier"'];
  const [task] = tasksOf(await parlance([...args, ...bare]));
  assert.is(task?.logs[0]?.["event"], "true true");
});

test("Ctrl-C is SIGTERM to the task; nothing more is started", async () => {
  const args = ["run", BUNDLE, "--dag", "waits", "--json"];
  const run = await spawnParlance(args, { interruptAt: "waiting" });
  assert.is(run.code, 1);
  const [task] = tasksOf(run);
  assert.is(task?.finalState, "up_for_retry", "the task said so, and is not started again");
  assert.is(task?.attempts, 1);
});

test("--trace shows each frame, cut to the width unless it is full, and no secret", async () => {
  const seed = join(folder, "trace.json");
  writeFileSync(seed, '{"variables":{"greeting":"very-secret-text"}}');
  const args = ["run", BUNDLE, "--dag", "environment", "--task", "args", "--seed-store", seed];
  const run = await parlance([...args, "--trace"]);
  assert.match(run.stderr, /^ {2}→ task {3}0 StartupDetails \{"ti":.{20,90}…$/m);
  assert.match(run.stderr, '  ← task   1 GetVariable {"key":"greeting"}\n');
  assert.match(run.stderr, '  → task   1 VariableResult {"key":"greeting","value":"***"}\n');
  assert.match(run.stderr, "  → task   2 (empty)\n");
  const full = await parlance([...args, "--trace=full", "--json"]);
  const frames = full.stderr
    .split("\n")
    .filter((line) => line.startsWith('{"frame"'))
    .map((line) => JSON.parse(line).frame);
  assert.is(frames.length, 7);
  assert.is(frames[0].body.ti_context.dag_run.dag_id, "environment");
  assert.equal(frames[2], {
    task: "args",
    direction: "to-task",
    id: 1,
    body: { key: "greeting", value: "***", type: "VariableResult" },
    error: null,
    redacted: ["/body/value"],
  });
  for (const { stderr } of [run, full]) assert.not(stderr.includes("very-secret-text"));
});

test("what a child says is escaped for a terminal, and whole in the JSON", async () => {
  const run = await parlance(["run", BUNDLE, "--dag", "failures", "--task", "always"]);
  assert.not(run.stderr.includes("\u001b"));
  assert.match(run.stderr, "no \\x1b[31mluck");
});

const WRONG: readonly (readonly [string, readonly string[], number, string])[] = [
  ["nothing to run", ["--dag", "d"], 2, "usage"],
  ["a bare command without --task", ["--dag", "d", "--", "sh"], 2, "usage"],
  ["both an entry and a command", [ENTRY, "--dag", "d", "--task", "t", "--", "sh"], 2, "usage"],
  ["no --dag", [ENTRY], 2, "usage"],
  ["a try number of 0", [ENTRY, "--dag", "d", "--try-number", "0"], 2, "usage"],
  ["a store that is none", [ENTRY, "--dag", "numbers", "--store", "redis:x"], 2, "usage"],
  [
    "--arg on the old schema",
    [ENTRY, "--dag", "numbers", "--schema-version", "2026-06-16", "--arg", "a=1"],
    2,
    "usage",
  ],
  ["a missing file", ["nope.ts", "--dag", "d"], 65, "cannot-read"],
  ["a file of another kind", ["package.json", "--dag", "d"], 65, "not-a-bundle"],
  ["a Dag that is not there", [ENTRY, "--dag", "nope"], 65, "unknown-dag"],
];
for (const [name, args, code, error] of WRONG) {
  test(`refuses ${name}`, async () => {
    const at = args.indexOf("--");
    const words = at === -1 ? [...args, "--json"] : args.toSpliced(at, 0, "--json");
    const run = await parlance(["run", ...words]);
    assert.is(run.code, code, run.stderr);
    assert.is(run.stdout, "");
    assert.is(errorOf(run).code, error);
  });
}

test("a damaged bundle is refused with its reason", async () => {
  const bundle = join(folder, "damaged");
  const bytes = readFileSync(BUNDLE);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(bundle, bytes);
  const run = await parlance(["run", bundle, "--dag", "numbers", "--json"]);
  assert.is(run.code, 65);
  assert.is(errorOf(run).code, "bad-bundle");
  assert.match(errorOf(run).message, "SHA-256");
});

test.run();
