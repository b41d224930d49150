import { PassThrough } from "node:stream";
import pico from "picocolors";
import { test } from "uvu";
import * as assert from "uvu/assert";

// What a person sees of a run; the functions are reached by their place, since the package has no exports.

const { formatRecord } = await import(distFile("run/format-record.js"));
const { formatSummary } = await import(distFile("run/format-summary.js"));
const { formatDuration } = await import(distFile("run/format-duration.js"));

function distFile(name: string): string {
  return new URL(`../dist/${name}`, import.meta.url).href;
}

const print = (record: object): string[] =>
  formatRecord(
    { timestamp: "2026-06-16T01:02:03.123456Z", level: "info", logger: "task", ...record },
    "/home/me/project",
    pico.createColors(false),
  ).split("\n");

test("a record takes one line: time, level, text, fields, and a logger that is not the task's own", () => {
  assert.equal(print({ event: "rows", n: 3, who: "a b" }), [
    '01:02:03.123 info     rows n=3 who="a b"',
  ]);
  assert.equal(print({ event: "x", logger: "task.console" }), [
    "01:02:03.123 info     x (task.console)",
  ]);
});

test("further lines of a text are indented, and the fields stay on the first", () => {
  assert.equal(print({ event: "a\nb\u001b", n: 1 }), ["01:02:03.123 info     a n=1", "    b\\x1b"]);
});

test("a stack shows the user's calls by their paths from here, and says nothing twice", () => {
  const frames = [
    { filename: "node:internal/timers", lineno: 1, name: "run" },
    { filename: "/x/node_modules/@parlance/sdk-node/dist/session.js", lineno: 2, name: "call" },
    { filename: "/home/me/project/src/tasks.ts", lineno: 3, name: "<anonymous>" },
    { filename: "/home/me/project-2/load.ts", lineno: 4, name: "load" },
  ];
  const error = { exc_type: "ZodError", exc_value: "[\n  1\n]", frames };
  const cause = { exc_type: "Error", exc_value: "", frames: [] };
  const record = { event: "failed", reason: "ZodError: [\n  1\n]", error_detail: [error, cause] };
  assert.equal(print(record), [
    "01:02:03.123 info     failed",
    "    ZodError: [",
    "        1",
    "      ]",
    "      at load (/home/me/project-2/load.ts:4)",
    "      at src/tasks.ts:3",
    "    caused by Error",
  ]);
});

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

test("durations have the unit that fits them", () => {
  assert.equal(
    [0.4, 9_999, 12_345, 59_940, 59_960, 125_000].map((ms) => formatDuration(ms)),
    ["0 ms", "9999 ms", "12.3 s", "59.9 s", "1 min 0 s", "2 min 5 s"],
  );
});

test.run();
