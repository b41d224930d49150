import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { main } from "../dist/main.js";
import { errorOf, parlance } from "./support/cli.ts";

// The worked example of reference values: Airflow 3.3.2 itself gave these seconds (golden vectors).
const GENUINE_SECONDS = [512, 835, 1880, 4704, 7241, 18870, 21992, 39624];
const DATES = ["--logical-date", "2026-01-02T03:04:05Z", "--end-date", "2026-01-02T04:00:00Z"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal takes for colours
const COLOR = /\u001b\[\d+m/g;
const ETL = ["retry", "plan", "--dag", "etl", "--task", "load"];
const LADDER = [...ETL, "--retry-delay", "300", "--multiplier", "2", "--tries", "9", ...DATES];

interface PlanDocument {
  readonly taskId: string;
  readonly logicalDate: string | null;
  readonly tries: number;
  readonly retryDelayUs: number;
  readonly multiplier: number;
  readonly maxRetryDelayUs: number | null;
  readonly maxTaskRetryDelaySeconds: number;
  readonly totalUs: number;
  readonly waits: readonly {
    readonly tryNumber: number;
    readonly mode: string;
    readonly baseSeconds: number | null;
    readonly jitterSeconds: number | null;
    readonly cappedBy: string | null;
    readonly delayUs: number;
    readonly endDate: string | null;
    readonly nextRetry: string | null;
  }[];
}

async function planOf(argv: readonly string[], stdin = ""): Promise<PlanDocument> {
  const run = await parlance([...argv, "--json"], { stdin });
  assert.is(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as PlanDocument;
}

test("the waits are those of Airflow; each starts where the one before ends", async () => {
  const plan = await planOf(LADDER);
  assert.equal(
    plan.waits.map(({ delayUs }) => delayUs / 1e6),
    GENUINE_SECONDS,
  );
  assert.is(plan.totalUs, GENUINE_SECONDS.reduce((sum, each) => sum + each, 0) * 1e6);
  assert.is(plan.waits[0]?.nextRetry, "2026-01-02T04:08:32.000000+00:00");
  assert.is(plan.waits[1]?.endDate, plan.waits[0]?.nextRetry);
  for (const [at, { baseSeconds, jitterSeconds, delayUs, cappedBy }] of plan.waits.entries()) {
    assert.is(baseSeconds, 300 * 2 ** at);
    assert.is(((baseSeconds ?? 0) + (jitterSeconds ?? 0)) * 1e6, delayUs);
    assert.is(cappedBy, null);
  }
});

test("each cap has its own flag and says its name", async () => {
  const own = await planOf([...LADDER, "--max-retry-delay", "1800.5"]);
  assert.equal(
    own.waits.map(({ delayUs }) => delayUs / 1e6),
    [512, 835, ...Array<number>(6).fill(1800.5)],
  );
  assert.is(own.waits[7]?.cappedBy, "max_retry_delay");
  const global = await planOf([...LADDER, "--max-task-retry-delay", "1800"]);
  assert.is(global.waits[7]?.delayUs, 1_800_000_000);
  assert.is(global.waits[7]?.cappedBy, "max_task_retry_delay");
});

test("what is left out has the default of Airflow", async () => {
  const plan = await planOf([...ETL, "--tries", "3"]);
  assert.equal(
    [plan.retryDelayUs, plan.multiplier, plan.maxRetryDelayUs, plan.maxTaskRetryDelaySeconds],
    [300_000_000, 0, null, 86_400],
  );
  assert.equal(
    plan.waits.map(({ mode, nextRetry }) => [mode, nextRetry]),
    [
      ["fixed", null],
      ["fixed", null],
    ],
  );
  const none = await parlance([...ETL]);
  assert.match(none.stdout, "No waits.");
  assert.match(none.stderr, "give --tries");
});

test("none is a run without a logical date, and so is no flag", async () => {
  const backoff = [...ETL, "--multiplier", "2", "--tries", "4"];
  const [none, absent] = [
    await planOf([...backoff, "--logical-date", "none"]),
    await planOf(backoff),
  ];
  assert.equal(none, absent);
  assert.is(none.logicalDate, null);
});

test("the table shows base, jitter, cap, wait and next start, and the totals", async () => {
  const { stdout } = await parlance([...LADDER, "--max-retry-delay", "7200"]);
  const lines = stdout.split("\n");
  const row = (number: number) => {
    const found = lines.find((line) => line.startsWith(`  ${number}  `));
    return found?.split(/ {2,}/).map((cell) => cell.trim());
  };
  assert.equal(row(1), ["", "1", "5 min", "3 min 32 s", "-", "8 min 32 s", "2026-01-02T04:08:32Z"]);
  assert.equal(row(6)?.slice(2, 6), ["2 h 40 min", "2 h 34 min 30 s", "max_retry_delay", "2 h"]);
  assert.match(stdout, "8 waits, 10 h 12 min 11 s in all");
  assert.match(stdout, "4 capped");
});

test("the README shows what is printed", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, command = "", shown = "no example"] =
    /(parlance retry plan[^`]+)```\n\n```text\n([^`]+)```/.exec(readme) ?? [];
  const argv = command
    .replaceAll("\\\n", " ")
    .replace(/--svg \S+/, "")
    .trim()
    .split(/\s+/)
    .slice(1);
  assert.match((await parlance(argv)).stdout, shown);
});

test("bars: ASCII where there is no terminal or NO_COLOR; blocks as wide as the terminal", async () => {
  const plain = (await parlance(LADDER)).stdout;
  assert.match(plain, /^try 8 {2}#+-+ 11 h 24 s$/m);
  const terminal = await onTerminal(LADDER, { TERM: "xterm" });
  assert.match(terminal, "█");
  const widths = terminal
    .replaceAll(COLOR, "")
    .split("\n")
    .filter((line) => line.startsWith("try"))
    .map((line) => line.length);
  assert.ok(
    Math.max(...widths.slice(1)) <= 60 && Math.max(...widths.slice(1)) > 50,
    String(widths),
  );
  const noColor = await onTerminal(LADDER, { TERM: "xterm", NO_COLOR: "1" });
  assert.not.match(noColor, "█");
  assert.not.match(noColor, "\u001b");
});

test("a picture: well-formed, with words for who can't see it, and foreign text escaped", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "plan.svg");
  writeFileSync(path, "old", { mode: 0o640 });
  const argv = [
    "retry",
    "plan",
    "--dag",
    'a<b>&"\u0007',
    "--task",
    "t",
    "--multiplier",
    "2",
    "--tries",
    "4",
  ];
  const run = await parlance([...argv, "--max-retry-delay", "400", ...DATES, "--svg", "plan.svg"], {
    cwd: folder,
  });
  assert.is(run.code, 0, run.stderr);
  const svg = readFileSync(path, "utf8");
  assert.match(svg, '<title id="title">Retries of a&lt;b&gt;&amp;&quot;\\x07 / t</title>');
  assert.match(svg, "prefers-color-scheme: dark");
  assert.match(svg, /role="img" aria-labelledby="title description"/);
  assert.match(
    svg,
    /Try 3: waits 6 min 40 s: base 20 min, jitter [^,]+, capped by max_retry_delay\./,
  );
  assert.is(svg.match(/<g>/g)?.length, 3);
  for (const name of ["g", "svg", "text", "title", "desc", "style"]) {
    const open = svg.match(new RegExp(`<${name}[ >]`, "g"))?.length;
    assert.is(open, svg.match(new RegExp(`</${name}>`, "g"))?.length, name);
  }
  assert.is(statSync(path).mode & 0o777, 0o640);
  const failed = await parlance([...argv, "--svg", "nope/plan.svg", "--json"], { cwd: folder });
  assert.is(failed.code, 1);
  assert.is(errorOf(failed).code, "cannot-write");
  assert.not.ok(existsSync(join(folder, "nope")));
});

const TASK = {
  task_id: "load",
  retries: 3,
  retry_delay: { __type: "TimeDelta", days: 0, seconds: 60, microseconds: 250 },
  retry_exponential_backoff: 5,
};

test("the settings of a real task, from what the REST API answered", async () => {
  const from = ["retry", "plan", "--dag", "etl", "--from-task", "-"];
  const plan = await planOf(from, JSON.stringify(TASK));
  assert.equal(
    [plan.taskId, plan.tries, plan.retryDelayUs, plan.multiplier],
    ["load", 4, 60_000_250, 5],
  );
  const run = await parlance(from, { stdin: JSON.stringify(TASK) });
  assert.match(run.stderr, "the API does not show max_retry_delay");
  const list = JSON.stringify({ tasks: [{ task_id: "other" }, TASK], total_entries: 2 });
  assert.equal(await planOf([...from, "--task", "load"], list), plan);
  assert.is((await planOf([...from, "--tries", "2"], JSON.stringify(TASK))).waits.length, 1);
  const older = { ...TASK, retry_exponential_backoff: true }; // as servers before 3.2 have it
  assert.is((await planOf(from, JSON.stringify(older))).multiplier, 2);
});

const BAD_TASKS: readonly (readonly [
  stdin: string,
  argv: readonly string[],
  code: string,
  message: RegExp,
])[] = [
  ["{", [], "not-json", /stdin is no JSON/],
  ['{"detail":"Not authenticated"}', [], "bad-resource", /refusal: "Not authenticated"/],
  ["null", [], "bad-resource", /null/],
  [JSON.stringify({ tasks: [TASK, TASK] }), [], "no-such-task", /about 2 tasks: say which one/],
  [JSON.stringify(TASK), ["--task", "x"], "no-such-task", /not about a task "x", but about "load"/],
  [
    JSON.stringify({ ...TASK, retry_exponential_backoff: null }),
    [],
    "bad-resource",
    /give --multiplier/,
  ],
  [JSON.stringify({ ...TASK, retry_delay: 60 }), [], "bad-resource", /retry_delay: got 60/],
];

test("what is no task is told as what it is", async () => {
  for (const [stdin, argv, code, message] of BAD_TASKS) {
    const run = await parlance(
      ["retry", "plan", "--dag", "d", "--from-task", "-", "--json", ...argv],
      { stdin },
    );
    assert.is(run.code, 65, stdin);
    assert.is(errorOf(run).code, code, stdin);
    assert.match(errorOf(run).message, message);
  }
});

const BAD_FLAGS: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
  [["--tries", "-1"], /--tries is "-1"; expected a whole number from 1 on/],
  [["--tries", "0"], /--tries/],
  [["--tries", "10001"], /at most 10000/],
  [["--multiplier", "nan"], /NaN, which Airflow takes for a fixed delay: give 0/],
  [["--multiplier", "True"], /2 is what True stood for/],
  [["--multiplier", "x"], /expected a number/],
  [["--retry-delay", "1e300"], /--retry-delay/],
  [["--retry-delay", "5m"], /expected seconds/],
  [["--max-task-retry-delay", "1.5"], /whole number/],
  [
    ["--logical-date", "2026-01-02T03:04:05"],
    /--logical-date: .* has no zone; write Z or an offset/,
  ],
  [["--end-date", "2026-02-30T00:00:00Z"], /--end-date: .* can't be read/],
];

test("nonsense is wrong usage, and says what is expected", async () => {
  for (const [argv, message] of BAD_FLAGS) {
    const run = await parlance([...ETL, "--json", ...argv]);
    assert.is(run.code, 2, argv.join(" "));
    assert.match(errorOf(run).message, message);
  }
  assert.is((await parlance(["retry", "plan", "--dag", "d"])).code, 2);
  // What a shell makes of a variable that is not set would be another task's jitter.
  const empty = ["retry", "plan", "--dag", "", "--task", "t"];
  assert.match((await parlance(empty)).stderr, "--dag is empty");
});

test("a plan that Airflow's scheduler fails at has the code of that failure", async () => {
  const argv = [
    ...ETL,
    "--tries",
    "3",
    "--retry-delay",
    "86400",
    "--end-date",
    "9999-12-31T00:00:00Z",
  ];
  const run = await parlance([...argv, "--json"]);
  assert.is(run.code, 65);
  assert.is(errorOf(run).code, "out-of-range");
});

async function onTerminal(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const stdin = new PassThrough();
  stdin.end();
  const io = {
    stdin,
    stdout,
    stderr: new PassThrough(),
    env,
    cwd: "/",
    signal: new AbortController().signal,
  };
  await main(argv, io);
  return String(stdout.read());
}

test.run();
