import {
  CalendarDate,
  DateTime,
  Decimal,
  Duration,
  decodeValue,
  encodeValue,
  Float,
  FrozenSet,
  type InvalidRequestError,
  PythonObject,
  Timestamp,
  TimeZone,
  Tuple,
  Uuid,
} from "@parlance/sdk-node";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkJsonValue } from "../../dist/values/encode-value.js";

function wrapped(className: string, version: number, data: unknown): object {
  return { __classname__: className, __version__: version, __data__: data };
}

const UTC = wrapped("builtins.tuple", 1, ["UTC", "pendulum.tz.timezone.FixedTimezone", 1, true]);

test("values of Python's classes are wrapped as Python wraps them", () => {
  const noon = new Date("2026-01-02T12:00:00.123Z");
  const cases: readonly [unknown, unknown][] = [
    [noon, wrapped("datetime.datetime", 2, { timestamp: new Float(1767355200.123), tz: UTC })],
    [
      new DateTime(0, { zone: null, microsecond: 7 }),
      wrapped("datetime.datetime", 2, { timestamp: new Float(0.000007), tz: null }),
    ],
    [
      new Timestamp(-1, 500_000_000),
      wrapped("datetime.datetime", 2, { timestamp: new Float(-0.5), tz: UTC }),
    ],
    [new CalendarDate(2026, 1, 2), wrapped("datetime.date", 2, "2026-01-02")],
    [new Duration({ minutes: 1.5 }), wrapped("datetime.timedelta", 2, new Float(90))],
    [Tuple.of(1, "a"), wrapped("builtins.tuple", 1, [1, "a"])],
    [new Set([1, "1", true && 2]), wrapped("builtins.set", 1, [1, "1", 2])],
    [
      new FrozenSet([Tuple.of()]),
      wrapped("builtins.frozenset", 1, [wrapped("builtins.tuple", 1, [])]),
    ],
    [new Decimal("1.10"), wrapped("decimal.Decimal", 1, "1.10")],
    [new Decimal("1.1"), wrapped("decimal.Decimal", 1, 1.1)],
    [new Decimal("1E+3"), wrapped("decimal.Decimal", 1, "1E+3")],
    [new Decimal(7), wrapped("decimal.Decimal", 1, 7n)],
    [
      new Uuid("{12345678123446789234567812345678}"),
      wrapped("uuid.UUID", 1, "12345678-1234-4678-9234-567812345678"),
    ],
    [new TimeZone("Asia/Tokyo"), wrapped("zoneinfo.ZoneInfo", 1, "Asia/Tokyo")],
    [
      new PythonObject("a.B", 3, { at: Tuple.of() }),
      wrapped("a.B", 3, { at: wrapped("builtins.tuple", 1, []) }),
    ],
  ];
  for (const [value, wire] of cases) {
    const deep = { in: [value] };
    assert.equal(encodeValue(deep), { in: [wire] });
    assert.is(deep.in[0], value, "the value itself is left alone");
    assert.equal(encodeValue(decodeValue(encodeValue(deep))), { in: [wire] });
  }
});

test("a value with nothing to wrap is not copied", () => {
  const value = { list: [1, "a", null], float: new Float(1) };
  assert.is(encodeValue(value), value);
  assert.is(decodeValue(value), value);
  const own = JSON.parse('{"__proto__":{"at":1},"b":2}') as Record<string, unknown>;
  const copy = encodeValue(Object.assign(own, { at: new Date(0) })) as object;
  assert.equal(Object.keys(copy), ["__proto__", "b", "at"]);
});

test("what has no form is refused with its place", () => {
  const path = (value: unknown) =>
    (throws(() => encodeValue(value), "invalid-value") as InvalidRequestError).path;
  const cases: readonly [unknown, string][] = [
    [[new Date(Number.NaN)], "/0"],
    [{ at: new Date(Date.UTC(10000, 0)) }, "/at"],
    [new DateTime(0, { zone: "Mars/Base" }), ""],
    [new Timestamp(0, 1), ""],
    [new Set([[1]]), ""],
    [[new Set([Tuple.of({})])], "/0"],
    [new Set([1, true]), ""],
    [new Set([Number.NaN]), "/0"],
    [Tuple.of(1, new Map()), "/1"],
    [new PythonObject("", 1, null), ""],
    [new PythonObject("a.B", 1, [() => 1]), "/data/0"],
    [{ __id__: 1 }, ""],
    [{ __type: "x", __var: 1 }, ""],
    [[Promise.resolve(1)], "/0"],
  ];
  for (const [value, at] of cases) assert.is(path(value), at);
  const circular = Tuple.of<unknown[]>(1);
  circular.push([circular]);
  assert.is(path(circular), "/1/0");
});

test("where only JSON is stored, Python's classes are refused", () => {
  for (const value of [new Date(), new Set(), new Duration({}), new DateTime(0)]) {
    throws(() => checkJsonValue([value]), "invalid-value");
  }
  checkJsonValue({ a: [1n, "b", new Float(1)] });
});

test.run();
