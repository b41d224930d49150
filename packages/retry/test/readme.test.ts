import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  CORE_DEFAULTS,
  constructMultiplier,
  deserializeMultiplier,
  MAX_DELAY_US,
  ORDER_FIELDS,
  type PythonValue,
  type RetryDelay,
  type RetryDelayInput,
  type RetryError,
  readMappedMultiplier,
  retryDelay,
  retryHashText,
  serializeMultiplier,
} from "@parlance/retry";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readGolden } from "./support/golden.ts";

// Every figure of the README is computed here.

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const TASK = {
  dagId: "etl",
  taskId: "load",
  logicalDate: "2026-01-02T03:04:05Z",
  retryDelayUs: 300_000_000,
  multiplier: 2,
};
const wait = (change: Partial<RetryDelayInput>): RetryDelay =>
  retryDelay({ ...TASK, tryNumber: 1, ...change });
const seconds = (change: Partial<RetryDelayInput>): number => Number(wait(change).delayUs) / 1e6;

test("the examples print what stands beside it", () => {
  // Each in a scope of its own, as two files would be.
  const blocks = [...README.matchAll(/```ts\n(import [^\n]*\n)([\s\S]*?)```/g)];
  const code = blocks.map(([, imports, body]) => `${imports}{${body}}`).join("\n");
  const expected = [...code.matchAll(/\/\/ (.*)$/gm)].map((found) => found[1]);
  assert.is(expected.length, 8);
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: PACKAGE,
    encoding: "utf8",
  });
  assert.equal(run.stdout.trim().split("\n"), expected, run.stderr);
});

test("the counts of recorded exchanges and of fields to order by", () => {
  const file = new URL("../test/data/rest/tasks.json", import.meta.url);
  const { requests } = JSON.parse(readFileSync(file, "utf8")) as { requests: { status: number }[] };
  const faults = requests.filter(({ status }) => status === 500).length;
  assert.match(README, `${requests.length - faults} of ${requests.length} recorded exchanges`);
  assert.is(faults, 3); // "the other three"
  assert.match(README, `the ${ORDER_FIELDS.length} fields of \`ORDER_FIELDS\``);
});

test("the table of waits", () => {
  const rows = tableOf("n");
  assert.is(rows.length, 9);
  for (const [at, row] of rows.entries()) {
    const { baseSeconds, jitterSeconds, delayUs, cappedBy } = wait({ tryNumber: at + 1 });
    const cap = cappedBy === null ? "" : `\`${cappedBy}\``;
    const cells = [at + 1, baseSeconds, jitterSeconds, delayUs / 1_000_000n, cap];
    assert.equal(row, cells.map(String));
  }
});

test("the table of conversions", () => {
  const rows = tableOf("`retry_exponential_backoff`");
  assert.is(rows.length, 10);
  for (const [written = "", ...cells] of rows) {
    const text = written.replaceAll("`", "");
    const special: Record<string, number> = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };
    const value: PythonValue = special[text] ?? (JSON.parse(text) as PythonValue);
    const plain = attempt(() => constructMultiplier(value, "operator"));
    const refused = plain === "`wrong-type`";
    const stored = serializeMultiplier(value);
    const expected = [
      plain,
      refused ? "" : attempt(() => stored),
      refused ? "" : attempt(() => deserializeMultiplier(stored)),
      attempt(() => readMappedMultiplier(stored)),
    ];
    assert.equal(cells, expected, written);
  }
});

function attempt(call: () => unknown): string {
  try {
    const value = call();
    if (value === undefined) return "absent";
    return typeof value === "number" ? String(value) : `\`${JSON.stringify(value)}\``;
  } catch (error) {
    return `\`${(error as RetryError).code}\``;
  }
}

test("every figure of the eleven points", () => {
  const points = section("An article and the software")
    .split(/^\d+\. /m)
    .slice(1);
  const series = (multiplier: number, retryDelayUs: number): number[] =>
    [1, 2, 3].map((tryNumber) => {
      const { baseSeconds } = wait({ multiplier, retryDelayUs, tryNumber });
      return (baseSeconds as number) / 60;
    });
  const threeDays = 3 * 86_400_000_000;
  const fixed = { multiplier: 0, retryDelayUs: threeDays, maxRetryDelayUs: 1 };
  const isOff = (multiplier: number): boolean => wait({ multiplier }).mode === "fixed";
  const expected: readonly (readonly (number | string)[])[] = [
    [...series(5, 240_000_000), 5, ...series(2, 60_000_000), 2, 300, seconds({})],
    [1],
    ["3.3"],
    [3, seconds(fixed), wait({ maxRetryDelayUs: 0 }).cappedBy === null ? 0 : "capped"],
    [isOff(0) ? 0 : "on", isOff(1) ? 1 : "on", 0, 1, seconds({ multiplier: 0.5, tryNumber: 60 })],
    [deserializeMultiplier(serializeMultiplier(false))],
    [...statusesOfWriting(), 400, 422],
    [],
    [],
    [50, 2, firstOverflow(1_000_000), 1, firstOverflow(300_000_000), 300],
    [3],
  ];
  assert.is(points.length, expected.length);
  for (const [at, point] of points.entries()) {
    assert.equal(figuresOf(point), (expected[at] ?? []).map(String), `point ${at + 1}`);
  }
  assert.is(isOff(-1) && isOff(Number.NaN) && !isOff(0.5), true);
  assert.is(wait({ tryNumber: 50 }).mode, "backoff");
});

/** What the real API answered to any method but GET. */
function statusesOfWriting(): Set<number> {
  const text = readFileSync(new URL("../test/data/rest/tasks.json", import.meta.url), "utf8");
  type Exchange = { readonly method: string; readonly status: number };
  const { requests } = JSON.parse(text) as { readonly requests: readonly Exchange[] };
  return new Set(requests.filter(({ method }) => method !== "GET").map(({ status }) => status));
}

function firstOverflow(retryDelayUs: number): number {
  let tryNumber = 1;
  while (wait({ retryDelayUs, tryNumber }).mode !== "overflow") tryNumber += 1;
  return tryNumber;
}

test("every other figure", () => {
  const calculation = section("The calculation")
    .replace(/^\|.*$/gm, "")
    .replace(/^ {4}.*$/gm, "");
  const date = retryHashText({ ...TASK, tryNumber: 1 }).split("#")[2] as string;
  const trap = { multiplier: 1.8, retryDelayUs: 625_000_000, tryNumber: 5 };
  assert.ok(calculation.includes(date));
  assert.equal(figuresOf(calculation.replace(date, "")), [
    String(CORE_DEFAULTS.maxTaskRetryDelaySeconds),
    ...[trap.multiplier, 625, trap.tryNumber, seconds(trap)].map(String),
    "8601",
  ]);
  assert.equal(figuresOf(section("Conversions").replace(/^\|.*$/gm, "")), ["2", "1"]);
  const days = (MAX_DELAY_US / 86_400_000_000n).toLocaleString("en");
  assert.equal(figuresOf(section("Errors")), ["0", days, "1", "9999", "8"]);
  const text = readFileSync(new URL("../test/data/conversions.json", import.meta.url), "utf8");
  const { rows } = JSON.parse(text) as { readonly rows: readonly unknown[] };
  const recorded = [readGolden().length.toLocaleString("en"), String(rows.length)];
  assert.equal(figuresOf(section("How it is known")), [...recorded, "1"]); // SHA-1
});

function section(heading: string): string {
  const start = README.indexOf(`## ${heading}\n`);
  assert.ok(start >= 0, heading);
  const end = README.indexOf("\n## ", start);
  return README.slice(start + heading.length + 4, end < 0 ? undefined : end);
}

function figuresOf(text: string): string[] {
  return text.match(/\d[\d,]*\d(?:\.\d+)?|\d(?:\.\d+)?/g) ?? [];
}

function tableOf(firstHeading: string): string[][] {
  const lines = README.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeading} `));
  const rows = lines.slice(start + 2);
  const length = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, length).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

test.run();
