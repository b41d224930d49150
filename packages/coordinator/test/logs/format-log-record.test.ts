import { formatLogRecord, type LogRecord } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorLines } from "../../dist/logs/error-lines.js";

const print = (record: object): string[] =>
  formatLogRecord(
    {
      timestamp: "2026-06-16T01:02:03.123456Z",
      level: "info",
      logger: "task",
      ...record,
    } as LogRecord,
    { cwd: "/home/me/project" },
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

test("an exception made to break the printing is printed", () => {
  const bomb = JSON.parse('{"toString":1,"valueOf":2}');
  const frame = { filename: "a.js", name: bomb, lineno: bomb };
  const detail = [{ exc_type: bomb, exc_value: [1], frames: [null, 1, { filename: 5 }, frame] }];
  assert.equal(errorLines(detail, "/"), [
    '{"toString":1,"valueOf":2}: [1]',
    '  at {"toString":1,"valueOf":2} (a.js:{"toString":1,"valueOf":2})',
  ]);
  assert.equal(errorLines([null, 5, "x", {}], "/"), ["unknown: unknown"]);
});

test("nothing of a record reaches a terminal as it is, however long", () => {
  const evil = "\u001b]8;;http://x\u0007a\u001b\\\u009b31m\r\b\u202e\u200f\u061c\u2028\u0000";
  const record = {
    timestamp: evil,
    level: "info",
    logger: evil,
    event: `${evil}\n${evil}`,
    [evil]: { [evil]: evil },
    error_detail: [{ exc_type: evil, exc_value: `${evil}\n→ success`, frames: [] }],
    long: "\u0001".repeat(200_000_000),
  } as const;
  const text = formatLogRecord(record);
  assert.match(text, /^[\x20-\x7e\n→…]+$/);
  assert.ok(text.length < 2_000_000);
  for (const further of text.split("\n").slice(1)) assert.match(further, /^ {4}/);
});

test.run();
