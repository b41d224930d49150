import {
  CalendarDate,
  DateTime,
  Decimal,
  Duration,
  decodeValue,
  FrozenSet,
  PythonObject,
  Tuple,
  Uuid,
} from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("a DateTime is a Date with microseconds and a zone", () => {
  const paris = DateTime.fromMicroseconds(1_767_323_045_678_901n, { zone: "Europe/Paris" });
  assert.instance(paris, Date);
  assert.is(paris.toISOString(), "2026-01-02T03:04:05.678Z");
  assert.is(paris.toExactISOString(), "2026-01-02T04:04:05.678901+01:00");
  assert.is(paris.epochMicroseconds, 1_767_323_045_678_901n);
  assert.is(paris.offsetSeconds, 3600);
  paris.setUTCMinutes(5);
  assert.is(paris.microsecond, 0, "another moment, whose microseconds nobody knows");
  const early = DateTime.fromMicroseconds(-1n);
  assert.is(early.toExactISOString(), "1969-12-31T23:59:59.999999+00:00");
  assert.ok(early < paris);
});

test("a DateTime is read from text as Python reads it", () => {
  for (const text of [
    "2026-01-02T04:04:05.678901+05:30",
    "2026-01-02T04:04:05+00:00",
    "2026-01-02T04:04:05",
    "2024-02-29T00:00:00-23:59:59",
  ]) {
    assert.is(DateTime.fromISO(text).toExactISOString(), text);
  }
  assert.is(DateTime.fromISO("2026-01-02").zone, null);
  assert.is(DateTime.fromISO("2026-01-02T03:04Z").zone, "UTC");
  for (const text of ["", "2026-02-30", "2026-01-02T25:00", "today", "2026-01-02T03:04+1"]) {
    assert.throws(() => DateTime.fromISO(text), RangeError, text);
  }
  assert.throws(() => new DateTime(0, { microsecond: 1000 }), RangeError);
  assert.throws(() => new DateTime(0, { zone: 86_400 }), RangeError);
  assert.throws(() => new DateTime(0, { zone: "" }), RangeError);
});

test("days, durations, decimals and UUIDs say what they are and refuse what they are not", () => {
  const day = CalendarDate.parse("2024-02-29");
  assert.is(`${day}`, "2024-02-29");
  assert.is(day.toDate().toISOString(), "2024-02-29T00:00:00.000Z");
  assert.is(String(CalendarDate.fromDate(new Date(0))), "1970-01-01");
  assert.throws(() => CalendarDate.parse("2023-02-29"), RangeError);
  assert.throws(() => new CalendarDate(0, 1, 1), RangeError);

  const duration = new Duration({ days: -1, microseconds: 1 });
  assert.is(duration.totalSeconds, -86_399.999999);
  assert.is(String(duration), "-PT86399.999999S");
  assert.is(1000 + +Duration.fromMs(1.5), 1001.5);
  assert.throws(() => new Duration({ days: 1e9 }), RangeError);
  assert.throws(() => new Duration({ seconds: Number.NaN }), RangeError);

  assert.is(new Decimal("-1.50").toNumber(), -1.5);
  assert.is(new Decimal("-Infinity").toNumber(), Number.NEGATIVE_INFINITY);
  assert.throws(() => new Decimal("1,5"), RangeError);
  assert.throws(() => new Uuid("123"), RangeError);
  assert.is(JSON.stringify([new Decimal("1.10"), day]), '["1.10","2024-02-29"]');
});

test("a Tuple is an array, a FrozenSet a Set; what their methods make is not", () => {
  const tuple = Tuple.of(1, "a", 2);
  assert.ok(Array.isArray(tuple));
  assert.equal([...tuple], [1, "a", 2]);
  assert.is(tuple.map(String).constructor, Array);
  assert.is(Tuple.from([1]).length, 1);
  assert.is(Tuple.of(3).length, 1);
  assert.ok(new FrozenSet([1]) instanceof Set);
});

test("seconds are rounded to microseconds as Python rounds them", () => {
  const read = (seconds: number) => {
    const data = { __classname__: "datetime.timedelta", __version__: 2, __data__: seconds };
    return (decodeValue(data) as Duration).microseconds;
  };
  assert.is(read(0.0000005), 0n); // half to even
  assert.is(read(0.0000015), 2n);
  assert.is(read(-0.0000025), -2n);
  assert.is(read(1767323045.678901), 1_767_323_045_678_901n);
  assert.is(read(-86_399.999999), -86_399_999_999n);
});

test("scalars of numpy are numbers and booleans", () => {
  const read = (name: string, data: unknown) =>
    decodeValue([{ __classname__: `numpy.${name}`, __version__: 1, __data__: data }]);
  assert.equal(read("int64", 2n ** 60n), [2n ** 60n]);
  assert.equal(read("float32", 1.5), [1.5]);
  assert.equal(read("bool_", true), [true]);
  assert.instance((read("ndarray", [1]) as unknown[])[0], PythonObject);
});

test.run();
