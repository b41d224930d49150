import { CalendarDate, createSerializer, DateTime, Decimal, PythonFloat } from "@parlance/results";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const yaml = await createSerializer("yaml");
const utf8 = new TextEncoder();

function print(value: unknown): string {
  return Buffer.from(yaml.encode(value)).toString("latin1");
}

const exact = await createSerializer("yaml", { wrapFloats: true, keepKeyOrder: true });

function parse(text: string, by = yaml): unknown {
  return by.decode(utf8.encode(text));
}

test("plain texts have the types that PyYAML gives them", () => {
  const typed: readonly (readonly [string, unknown])[] = [
    ["y", "y"],
    ["n", "n"],
    ["yes", true],
    ["OFF", false],
    ["oN", "oN"],
    ["1e3", "1e3"],
    ["1.5e3", "1.5e3"],
    ["1.5e+3", 1500],
    [".5", 0.5],
    ["-.5", "-.5"],
    ["5.", 5],
    ["0o17", "0o17"],
    ["017", 15],
    ["08", "08"],
    ["0x1F", 31],
    ["0b11", 3],
    ["1_000", 1000],
    ["190:20:30", 685230],
    ["1:30.5", 90.5],
    ["-.INF", Number.NEGATIVE_INFINITY],
    ["+.inf", Number.POSITIVE_INFINITY],
    [".NAN", Number.NaN],
    ["~", null],
    ["", null],
    ["-0", 0],
    ["-0.0", -0],
    ["12345678901234567890", 12345678901234567890n],
    ["2024-02-29", new CalendarDate(2024, 2, 29)],
    ["2024-2-29", "2024-2-29"],
    ["2024-2-29 1:02:03.5 -5", DateTime.parse("2024-02-29T01:02:03.500000-05:00")],
    ["2024-02-29T12:34:56Z", DateTime.parse("2024-02-29T12:34:56+00:00")],
    ["2024-02-29 12:34:56", DateTime.parse("2024-02-29T12:34:56")],
    ["'12'", "12"],
    ["! 12", 12],
    ["!!str 12", "12"],
    ["!!float 1", 1],
    ["!!int '0x10'", 16],
    ["!!binary aGk=", Uint8Array.of(0x68, 0x69)],
  ];
  for (const [text, value] of typed) {
    assert.equal(parse(`- ${text}\n`), [value], text);
    assert.ok(
      Object.is((parse(`- ${text}\n`) as unknown[])[0], value) ||
        typeof value === "object" ||
        Number.isNaN(value),
      text,
    );
  }
});

test("merges, aliases, sets and keys of any kind", () => {
  assert.equal(parse("a: &x {k: 1, m: 2}\nb: {<<: *x, k: 3}\n"), {
    a: { k: 1, m: 2 },
    b: { k: 3, m: 2 },
  });
  const merged = parse("a: &x {k: 1}\nb: &y {k: 2, m: 2}\nc: {<<: [*x, *y]}\n") as { c: unknown };
  assert.equal(merged.c, { k: 1, m: 2 });
  const shared = parse("- &x [1]\n- *x\n") as unknown[];
  assert.is(shared[0], shared[1]);
  assert.equal(parse("!!set\nx: null\ny: null\n"), new Set(["x", "y"]));
  assert.equal(
    parse("1: a\ntrue: b\n1.0: c\nnull: d\n"),
    new Map<unknown, string>([
      [1, "c"],
      [null, "d"],
    ]),
  );
  assert.equal(parse("=: 1\n"), { "=": 1 });
  assert.equal(Object.entries(parse("__proto__: 1\n") as object), [["__proto__", 1]]);
  assert.equal(parse("- 1.0\n", exact), [new PythonFloat(1)]);
});

test("what a safe loader refuses is refused", () => {
  for (const text of [
    "!!python/object/apply:os.system ['ls']",
    "!foo 1",
    "- =",
    "? [1]\n: 2",
    "*x",
    "&x [*x]",
    "a: 1\n b: 2\n",
    "'a",
    "1\n--- 2\n",
    "<<: 1",
    "!!int x",
    "!!binary é",
    "2024-02-30",
    "\x01",
    `${"9".repeat(4301)}`,
  ]) {
    throws(() => parse(text), "cannot-decode");
  }
  throws(() => yaml.decode(Uint8Array.of(0x80)), "cannot-decode");
});

test("hostile documents end soon", () => {
  const bomb = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"];
  for (let at = 1; at < 12; at++) bomb.push(`a${at}: &a${at} [${`*a${at - 1},`.repeat(9)}]`);
  const started = performance.now();
  throws(() => parse(bomb.join("\n")), "cannot-decode");
  throws(() => parse("[".repeat(10_000)), "cannot-decode");
  throws(() => parse("- ".repeat(10_000)), "cannot-decode");
  throws(() => parse(`${"- ".repeat(501)}1`), "cannot-decode");
  assert.ok(performance.now() - started < 5000);
});

test("what PyYAML can't represent is refused, nesting ends at 300 levels", () => {
  for (const value of [new Decimal("1"), () => 1, new Map([[[1], 1]]), new Date(Number.NaN)]) {
    throws(() => print({ a: value }), "cannot-encode");
  }
  throws(() => print(DateTime.parse("2024-01-01T00:00:00+00:00:01")), "cannot-encode");
  let deep: unknown = 1;
  for (let level = 0; level < 300; level++) deep = [deep];
  assert.is(print(deep), `${"- ".repeat(300)}1\n`);
  throws(() => print([deep]), "cannot-encode");
});

test("layout is that of safe_dump", () => {
  assert.is(
    print({ b: [], a: {}, c: [{ x: 1, y: [1] }, [2]] }),
    "a: {}\nb: []\nc:\n- x: 1\n  y:\n  - 1\n- - 2\n",
  );
  assert.is(print({ "": 1, "a\nb": [1] }), "? ''\n: 1\n? 'a\n\n  b'\n: - 1\n");
  assert.is(print("a b"), "a b\n...\n");
  assert.is(
    print(["yes", "1", "- a", "a: b", " x", "it's"]),
    "- 'yes'\n- '1'\n- '- a'\n- 'a: b'\n- ' x'\n- it's\n",
  );
  assert.is(print(new Set(["b", "a"])), "!!set\na: null\nb: null\n");
  assert.is(print({ "\ue000": 1, "😀": 2, b: 3 }), 'b: 3\n"\\uE000": 1\n"\\U0001F600": 2\n');
  const words = Array.from({ length: 20 }, () => "words").join(" ");
  assert.is(print([words]), `- ${words.slice(0, 83)}\n  ${words.slice(84)}\n`);
});

test.run();
