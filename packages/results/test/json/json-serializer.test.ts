import {
  createSerializer,
  Decimal,
  PythonFloat,
  type SerializerError,
  Uuid,
} from "@parlance/results";
import { bytesEqual, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const json = await createSerializer("json");
const exact = await createSerializer("json", { wrapFloats: true, keepKeyOrder: true });
const utf8 = new TextEncoder();

function print(value: unknown): string {
  return Buffer.from(json.encode(value)).toString("latin1");
}

function parse(text: string, serializer = json): unknown {
  return serializer.decode(utf8.encode(text));
}

test("numbers are ints where they are whole and safe, floats else", () => {
  assert.is(print([1, -7, 0, 2 ** 53 - 1]), "[1, -7, 0, 9007199254740991]");
  assert.is(print([0.5, -0, 2 ** 53, 1e21]), "[0.5, -0.0, 9007199254740992.0, 1e+21]");
  assert.is(print([new PythonFloat(1), 2n ** 64n]), "[1.0, 18446744073709551616]");
  assert.is(
    print([1e16, 1e15, 1e-4, 0.00001, 1e-7]),
    "[1e+16, 1000000000000000, 0.0001, 1e-05, 1e-07]",
  );
  assert.is(print([NaN, Infinity, -Infinity]), "[NaN, Infinity, -Infinity]");
});

test("undefined is null by itself and in arrays, and absent in objects and maps", () => {
  assert.is(print(undefined), "null");
  assert.is(print([undefined, ...new Array(1), 1]), "[null, null, 1]");
  assert.is(print({ a: undefined, b: 1 }), '{"b": 1}');
  assert.is(print(new Map([["a", undefined]])), "{}");
});

test("keys of a Map become text as in Python; others are refused", () => {
  const map = new Map<unknown, unknown>([
    [1, "a"],
    [2.5, "b"],
    [null, "c"],
    [true, "d"],
    [10n ** 20n, "e"],
    [new PythonFloat(2), "f"],
  ]);
  assert.is(
    print(map),
    '{"1": "a", "2.5": "b", "null": "c", "true": "d", "100000000000000000000": "e", "2.0": "f"}',
  );
  throws(() => print(new Map([[[1], 1]])), "cannot-encode");
});

test("a Date is a date-time of UTC, bytes are text or base64", () => {
  assert.is(
    print(new Date("2024-02-29T12:34:56.789Z")),
    '{"__type__": "datetime", "__value__": "2024-02-29T12:34:56.789000+00:00"}',
  );
  assert.is(
    print(new Date("2024-02-29T12:34:56Z")),
    '{"__type__": "datetime", "__value__": "2024-02-29T12:34:56+00:00"}',
  );
  assert.is(print(Buffer.from("é")), '{"__type__": "bytes", "__value__": "\\u00e9"}');
  assert.is(print(Uint8Array.of(0xff)), '{"__type__": "base64", "__value__": "/w=="}');
});

test("what has no form is refused with its path", () => {
  class Money {
    amount = 1;
    toJSON(): number {
      return 1;
    }
  }
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const refused: readonly (readonly [unknown, string, RegExp])[] = [
    [{ a: [1, { "b/c~": () => 1 }] }, "/a/1/b~1c~0", /it is a function/],
    [{ a: Symbol("x") }, "/a", /it is a symbol/],
    [[new Money()], "/0", /a Money instance; .*toJSON is not called/],
    [new Set([1]), "", /it is a Set; turn it into an array/],
    [{ e: new TypeError("x") }, "/e", /it is an Error; store errors with state FAILURE/],
    [{ d: new Date(Number.NaN) }, "/d", /an invalid Date/],
    [{ a: { b: cycle } }, "/a/b/self", /it contains itself/],
    [10n ** 4300n, "", /more than 4300 digits/],
    [
      {
        get a() {
          throw new Error("no");
        },
      },
      "/a",
      /reading it failed \(no\)/,
    ],
  ];
  for (const [value, path, why] of refused) {
    const error = throws(() => json.encode(value), "cannot-encode") as SerializerError;
    assert.match(error.message, why);
    assert.is(error.path, path);
  }
});

test("objects that read as tagged values must be good ones", () => {
  throws(() => print([{ __type__: "nothing", __value__: 1 }]), "cannot-encode");
  throws(() => print({ __type__: "decimal", __value__: "x" }), "cannot-encode");
  assert.is(
    print({ __type__: "decimal", __value__: "1" }),
    '{"__type__": "decimal", "__value__": "1"}',
  );
  assert.is(
    print({ __type__: "x", __value__: 1, more: 2 }),
    '{"__type__": "x", "__value__": 1, "more": 2}',
  );
});

test("depth ends at 1,000 levels in both directions, without an overflow", () => {
  const nest = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  let value: unknown = [];
  for (let level = 1; level < 1000; level++) value = [value];
  assert.is(print(value), nest(1000));
  throws(() => json.encode([value]), "cannot-encode");
  assert.equal(parse(nest(1000)), value);
  throws(() => parse(nest(1001)), "cannot-decode");
  throws(() => parse("[".repeat(1_000_000)), "cannot-decode");
  throws(() => parse(`{"a":${"[".repeat(100_000)}`), "cannot-decode");
  throws(() => parse(`["\\"[",${nest(1001)}]`), "cannot-decode");
});

test("keys that objects treat apart stay what they are", () => {
  const value = parse('{"__proto__": {"x": 1}, "constructor": 2, "a": 9007199254740993}') as object;
  assert.is(Object.getPrototypeOf(value), Object.prototype);
  assert.is(print(value), '{"__proto__": {"x": 1}, "constructor": 2, "a": 9007199254740993}');
});

test("with keepKeyOrder a Map stands where an object would sort its keys", () => {
  const text = '{"b": 1, "a": 2, "10": 3, "9": 4}';
  assert.equal(Object.keys(parse(text) as object), ["9", "10", "b", "a"]);
  const map = parse(text, exact) as Map<string, unknown>;
  assert.equal([...map.keys()], ["b", "a", "10", "9"]);
  assert.is(print(map), text);
  assert.instance(parse('{"1": 1, "2": 2, "x": 3}', exact), Object);
  assert.not(parse('{"1": 1, "2": 2, "x": 3}', exact) instanceof Map);
  assert.not(parse('{"4294967295": 1, "01": 2, "-1": 3}', exact) instanceof Map);
  assert.instance(parse('{"4294967295": 1, "5": 2}', exact), Map);
});

test("ints are exact, whole floats are told apart on request, the last of equal keys wins", () => {
  assert.equal(parse("[9007199254740993, 1.0, -0, -0.0, 1e5]"), [9007199254740993n, 1, 0, -0, 1e5]);
  assert.ok(Object.is((parse("[-0.0]") as number[])[0], -0));
  assert.ok(Object.is((parse("[-0]") as number[])[0], 0));
  assert.equal(parse("[1.0, 0.5, 1e300]", exact), [new PythonFloat(1), 0.5, 1e300]);
  assert.equal(parse('{"a":1,"b":2,"a":3}'), { a: 3, b: 2 });
  throws(() => parse("1".repeat(4301)), "cannot-decode");
  assert.is(typeof parse("1".repeat(4300)), "bigint");
});

test("tags are read as kombu reads them, hidden ones too", () => {
  const tag = (type: string, value: string) =>
    parse(`{"__type__": ${type}, "__value__": ${value}}`);
  assert.equal(tag('"decimal"', '"1e5"'), new Decimal("1E+5"));
  assert.equal(tag('"decimal"', "12"), new Decimal("12"));
  assert.equal(tag('"base64"', '"/w D+=="'), Uint8Array.of(0xff, 0x00, 0xfe));
  const uuid = new Uuid("12345678123441238234567812345678");
  assert.equal(
    tag('"uuid"', '{"hex": "12345678-1234-5123-c234-567812345678", "version": 4}'),
    uuid,
  );
  assert.equal(parse('{"__value__": "1", "\\u005f_type__": "decimal"}'), new Decimal("1"));
  for (const [type, value] of [
    ['"foo"', "1"],
    ["null", "1"],
    ["[]", "1"],
    ['"datetime"', "1"],
    ['"datetime"', '"2024-02-30T00:00:00"'],
    ['"bytes"', '"\\ud800"'],
    ['"base64"', '"a"'],
    ['"uuid"', '{"hex": "1"}'],
  ] as const) {
    throws(() => tag(type, value), "cannot-decode");
  }
});

test("what Python's json refuses is refused, what it takes is taken", () => {
  for (const text of [
    "",
    " ",
    "\ufeff1",
    "01",
    "1.",
    ".5",
    "+1",
    "[1,]",
    "{a:1}",
    "'a'",
    '"\n"',
    "nan",
    "1 2",
    '"\\x41"',
    "[",
    '"a',
    "-",
  ]) {
    throws(() => parse(text), "cannot-decode");
  }
  throws(() => json.decode(Uint8Array.of(0x22, 0xe9, 0x22)), "cannot-decode");
  throws(() => json.decode("1" as unknown as Uint8Array), "cannot-decode");
  assert.is(parse(' \t\n\r"中" '), "中");
  assert.is(parse('"\\ud800x\\/\x7f"'), "\ud800x/\x7f");
});

test("what is printed is read again, whatever it holds", () => {
  // Any text, halves of surrogate pairs too. (The unit "binary" makes a map of all code points first: a second.)
  const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit }),
      fc.bigInt(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array(),
      fc.array(tie("any"), { maxLength: 5 }),
      fc.dictionary(fc.string(), tie("any"), { maxKeys: 5 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (given) => {
      const bytes = json.encode(given);
      bytesEqual(exact.encode(exact.decode(bytes)), bytes);
    }),
    { numRuns: 100 },
  );
});

test.run();
