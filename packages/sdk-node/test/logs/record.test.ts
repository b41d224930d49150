import { cpuMs, fromHex, load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type LogFields, recordLine } from "../../dist/logs/record.js";
import { readCases } from "../support/cases.ts";
import { readAsStock, type Verdict } from "../support/stock-reader.ts";

interface LogCase {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly chunks_hex: readonly string[] };
  readonly expected: {
    readonly stock: {
      readonly written: readonly { readonly level: string; readonly event: unknown }[];
      readonly reported_as_malformed: number;
      readonly reader_killed_by: string | null;
    };
  };
}

const time = new Date("2026-06-16T01:02:03.123Z");

function line(fields?: LogFields, event = "e", maxBytes = 1 << 20): string {
  return recordLine({ time, level: "info", logger: "t", event, fields }, maxBytes);
}

function parse(fields?: LogFields, event = "e", maxBytes = 1 << 20): Record<string, unknown> {
  return JSON.parse(line(fields, event, maxBytes));
}

function stock(text: string): Verdict {
  assert.ok(text.endsWith("\n"));
  assert.is(text.indexOf("\n"), text.length - 1, "one physical line");
  return readAsStock(Buffer.from(text.slice(0, -1)));
}

// First that the model of the stock reader is right, then that our lines always pass it.
const cases = readCases<LogCase>("LOG-");

for (const { id, title, input, expected } of cases) {
  test(`${id}: the model reads as stock does: ${title}`, () => {
    const bytes = Buffer.concat(input.chunks_hex.map(fromHex));
    const written: { level: unknown; event: unknown }[] = [];
    let malformed = 0;
    let killedBy: string | null = null;
    for (const piece of splitLines(bytes)) {
      const verdict = readAsStock(piece);
      if (verdict.kind === "malformed") malformed += 1;
      if (verdict.kind === "written") {
        written.push({ level: verdict.record["level"], event: verdict.record["event"] });
      }
      if (verdict.kind === "killed") {
        killedBy = verdict.by;
        break;
      }
    }
    const { stock } = expected;
    assert.equal(
      written,
      stock.written.map(({ level, event }) => ({ level, event })),
    );
    assert.is(malformed, stock.reported_as_malformed);
    assert.is(killedBy, stock.reader_killed_by);
  });
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return start < bytes.length ? [...lines, bytes.subarray(start)] : lines;
}

test("all cases were there", () => {
  assert.is(cases.length, 16);
});

test("any event, logger and fields give one line that stock writes, with nothing lost", () => {
  // As the unit "binary", which takes a second to make a map of all code points first.
  const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
  const name = fc.oneof(
    fc.constantFrom("msg", "target", "self", "level", "event", "timestamp", "logger", "exception"),
    fc.constantFrom(
      "exc_info",
      "stack_info",
      "positional_args",
      "logger_name",
      "msg_",
      "__proto__",
    ),
    fc.string({ unit }),
  );
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withUnicodeString: true,
  } as fc.ObjectConstraints);
  const text = fc.string({ unit });
  fc.assert(
    fc.property(text, fc.dictionary(name, value, { maxKeys: 6 }), (event, fields) => {
      const verdict = stock(line(fields, event));
      assert.is(verdict.kind, "written");
      if (verdict.kind !== "written") return;
      const { record } = verdict;
      assert.is(record["timestamp"], "2026-06-16T01:02:03.123000Z");
      assert.is(record["level"], "info");
      assert.is(record["event"], (event as { toWellFormed(): string } & string).toWellFormed());
      const given = Object.values(fields).filter((item) => item !== undefined).length;
      assert.is(Object.keys(record).length, 4 + given, "every field is there");
    }),
    { numRuns: load(10_000) },
  );
});

test("reserved names get an underscore, again until the name is free", () => {
  const names = ["msg", "msg_", "target", "self", "level", "event", "timestamp", "logger"];
  const more = ["exception", "error_detail", "exc_info", "stack_info", "positional_args"];
  const kept = ["name", "args", "stack", "filename"];
  for (const name of [...names, ...more, "logger_name"]) {
    if (name === "msg_") continue;
    assert.is(parse({ [name]: 7 })[`${name}_`], 7, name);
  }
  for (const name of kept) assert.is(parse({ [name]: 7 })[name], 7, name);
  const clash = parse({ msg_: 1, msg: 2 });
  assert.equal([clash["msg_"], clash["msg__"]], [1, 2]);
  const other = parse({ msg: 2, msg_: 1 });
  assert.equal([other["msg_"], other["msg__"]], [2, 1]);
});

test("values that JSON has no form for become text", () => {
  const circular: Record<string, unknown> = { name: "c" };
  circular["me"] = circular;
  const record = parse({
    nan: Number.NaN,
    inf: Number.POSITIVE_INFINITY,
    ninf: Number.NEGATIVE_INFINITY,
    small: 5n,
    big: 2n ** 70n,
    date: new Date(0),
    bad: new Date(Number.NaN),
    map: new Map([["a", 1]]),
    pairs: new Map([[1, 2]]),
    set: new Set([1]),
    bytes: Buffer.from([1, 255]),
    floats: new Float32Array([0.5]),
    fn: function work() {},
    symbol: Symbol("s"),
    re: /x/g,
    url: new URL("http://h/"),
    half: "\ud800x",
    circular,
    hole: [undefined, 1],
    gone: undefined,
    thrower: {
      get x() {
        throw new Error("no");
      },
      y: 1,
    },
    json: {
      toJSON() {
        throw new Error("never");
      },
    },
  });
  const { timestamp, level, logger, event, ...fields } = record;
  assert.equal([timestamp, level, logger, event].length, 4);
  assert.equal(fields, {
    nan: "NaN",
    inf: "Infinity",
    ninf: "-Infinity",
    small: 5,
    big: "1180591620717411303424",
    date: "1970-01-01T00:00:00.000Z",
    bad: "Invalid Date",
    map: { a: 1 },
    pairs: [[1, 2]],
    set: [1],
    bytes: "<2 bytes 01ff>",
    floats: [0.5],
    fn: "[Function work]",
    symbol: "Symbol(s)",
    re: "/x/g",
    url: "http://h/",
    half: "\ufffdx",
    circular: { name: "c", me: "[Circular]" },
    hole: [null, 1],
    thrower: { x: "[threw: no]", y: 1 },
    json: "[threw: never]",
  });
});

test("calls after an await are told by name and file, without a name by file", () => {
  const error = new Error("late");
  error.stack = `Error: late
    at async /a b/tasks.ts:3:4
    at async load (file:///a/load.ts:5:6)
    at async Promise.all (index 0)
    at parlanceCallsHandler (/a/bundle:7:8)
    at Immediate._onImmediate (/a/bundle:9:1)`;
  const [{ frames }] = parse({ error })["exception"] as [{ frames: object[] }];
  assert.equal(frames, [
    { filename: "/a/load.ts", lineno: 5, name: "load" },
    { filename: "/a b/tasks.ts", lineno: 3, name: "<anonymous>" },
  ]);
});

test("the first error among the fields is shown with its causes, the others as values", () => {
  const inner = Object.assign(new RangeError("in"), { code: "E_IN" });
  const error = new TypeError("out", { cause: inner });
  const record = parse({ rows: 1, error, other: inner });
  const chain = record["exception"] as { exc_type: string; exc_value: string; is_cause: boolean }[];
  assert.equal(
    chain.map(({ exc_type, exc_value, is_cause }) => [exc_type, exc_value, is_cause]),
    [
      ["TypeError", "out", false],
      ["RangeError", "in", true],
    ],
  );
  assert.is(record["error"], "TypeError: out");
  assert.equal((record["other"] as { code: string }).code, "E_IN");
  const group = parse({ e: new AggregateError([new Error("a"), new Error("b")], "all") });
  assert.is((group["exception"] as object[]).length, 3);
  const odd = new Error("m");
  Object.defineProperty(odd, "stack", { get: () => assert.unreachable() });
  Object.defineProperty(odd, "message", {
    get: () => {
      throw new Error("x");
    },
  });
  assert.is(parse({ odd })["odd"], "Error: undefined");
});

test("no reader breaks a line at NEL, U+2028 or U+2029", () => {
  assert.not.match(line({ "a\u2028": "\u0085" }, "\u2029\r\n"), /[\u0085\u2028\u2029\r]/);
  assert.is(parse({}, "a\u2028b")["event"], "a\u2028b");
});

test("a record over the limit is shortened and says so, never dropped", () => {
  const limit = 10_000;
  for (const fields of [
    { text: "x".repeat(50_000), after: 1 },
    { text: "\u0000".repeat(50_000) },
    { text: "\u4e2d".repeat(50_000) },
    { list: Array.from({ length: 1e6 }, (_, index) => index) },
    { map: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])) },
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])),
    { ["k".repeat(50_000)]: 1 },
    { e: new Error("m".repeat(50_000)) },
  ]) {
    const text = line(fields, "e", limit);
    assert.ok(Buffer.byteLength(text) <= limit, `${Buffer.byteLength(text)} bytes`);
    assert.is(stock(text).kind, "written");
    assert.is(JSON.parse(text)["shortened"], true);
    assert.is(JSON.parse(text)["event"], "e");
  }
  const long = parse({}, "x".repeat(50_000), limit);
  assert.match(String(long["event"]), /x… \[cut: 50000 characters\]$/);
  assert.is(parse({ text: "x".repeat(5000) }, "e", limit)["shortened"], undefined);
});

test("depth and size cost no stack and no time", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = { deep };
  assert.match(line({ deep }), /deeper than 64 levels/);
  assert.ok(cpuMs(() => void line({ sparse: new Array(2 ** 32 - 1) }, "e", 1 << 20)) < 2000);
});

test.run();
