import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";

// What a person sees of a run; the functions are reached by their place, since the package has no exports.

const { formatSummary } = await import(distFile("run/format-summary.js"));
const { formatDuration } = await import(distFile("run/format-duration.js"));

function distFile(name: string): string {
  return new URL(`../dist/${name}`, import.meta.url).href;
}

test("the summary shows states, tries, XComs cut to two lines, and what was not started", () => {
  const stdout = new PassThrough();
  const entry = { taskId: "first", finalState: "success", attempts: 2, durationMs: 310.4 };
  const xcoms = { wide: [{ $: "int", v: "9007199254740993" }], long: "x".repeat(1000) };
  const text = formatSummary([{ ...entry, xcoms }], ["first", "second"], { stdout, env: {} });
  assert.equal(text.split("\n"), [
    "first   success         2 tries  310 ms",
    "  wide = [9007199254740993]",
    `  long = "${"x".repeat(159)}… (1002 characters)`,
    "second  not started",
    "",
  ]);
});

test("a task that left hundreds of XComs shows the last ones, its result among them", () => {
  const stdout = new PassThrough();
  const many = Array.from({ length: 500 }, (_, index) => [`k${index}`, index]);
  const xcoms = Object.fromEntries([...many, ["return_value", "all"]]);
  const entry = { taskId: "first", finalState: "success", attempts: 1, durationMs: 1, xcoms };
  const lines = formatSummary([entry], ["first"], { stdout, env: {} }).trimEnd().split("\n");
  assert.is(lines.length, 21);
  assert.equal(lines.slice(1, 3), [
    "  … and 482 more before these; --json has all",
    "  k482 = 482",
  ]);
  assert.is(lines.at(-1), '  return_value = "all"');
  const few = { ...entry, xcoms: Object.fromEntries(many.slice(0, 20)) };
  assert.not.match(formatSummary([few], ["first"], { stdout, env: {} }), "more before");
});

test("durations have the unit that fits them", () => {
  assert.equal(
    [0.4, 9_999, 12_345, 59_940, 59_960, 125_000].map((ms) => formatDuration(ms)),
    ["0 ms", "9999 ms", "12.3 s", "59.9 s", "1 min 0 s", "2 min 5 s"],
  );
});

test.run();
