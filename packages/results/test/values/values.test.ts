import { CalendarDate, DateTime, Decimal, PythonFloat, TimeOfDay, Uuid } from "@parlance/results";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("DateTime reads what Python 3.11 reads and writes as isoformat does", () => {
  const texts: readonly (readonly [string, string])[] = [
    ["2024-02-29", "2024-02-29T00:00:00"],
    ["20240229T123456", "2024-02-29T12:34:56"],
    ["2024-W09-4T12", "2024-02-29T12:00:00"],
    ["2024W094 12:34", "2024-02-29T12:34:00"],
    ["2020-W53", "2020-12-28T00:00:00"],
    ["2024-02-29T12:34:56.7", "2024-02-29T12:34:56.700000"],
    ["2024-02-29T12:34:56,1234567Z", "2024-02-29T12:34:56.123456+00:00"],
    ["2024-02-29x12:34:56-0530", "2024-02-29T12:34:56-05:30"],
    ["2024-02-29T12:34:56+01:02:03.000004", "2024-02-29T12:34:56+01:02:03.000004"],
    ["0001-01-01T00:00:00", "0001-01-01T00:00:00"],
  ];
  for (const [text, iso] of texts) assert.is(String(DateTime.parse(text)), iso, text);
  for (const text of [
    "",
    "2024",
    "2024-02",
    "2024-02-30",
    "2023-02-29",
    "2024-02-29T",
    "2024-02-29T24:00",
    "2024-02-29T12:60",
    "2024-02-29T12:34:60",
    "2024-02-29T12:34:56+24:00",
    "2024-02-29T12:34:56.",
    "2024-02-29T12:3456",
    "2021-W53-1",
    "2024-W00-1",
    "0000-01-01",
    "２024-02-29",
  ]) {
    assert.throws(() => DateTime.parse(text), RangeError, text);
  }
});

test("DateTime and Date", () => {
  const date = new Date("1969-12-31T23:59:59.999Z");
  assert.is(String(DateTime.fromDate(date)), "1969-12-31T23:59:59.999000+00:00");
  assert.equal(DateTime.fromDate(date).toDate(), date);
  assert.is(
    DateTime.parse("2024-01-01T00:00:00.000999+05:30").toDate().toISOString(),
    "2023-12-31T18:30:00.000Z",
  );
  assert.is(
    DateTime.parse("0050-01-01T00:00:00").toDate().toISOString(),
    "0050-01-01T00:00:00.000Z",
  );
  assert.ok(DateTime.parse("2024-01-01").isNaive);
  assert.throws(() => DateTime.fromDate(new Date(8.64e15)), RangeError);
  assert.throws(() => new DateTime({ year: 2024, month: 1, day: 1.5 }), RangeError);
  assert.is(JSON.stringify({ at: DateTime.parse("2024-01-01") }), '{"at":"2024-01-01T00:00:00"}');
});

test("CalendarDate and TimeOfDay", () => {
  assert.is(String(CalendarDate.parse("2024-02-29T12:00:00")), "2024-02-29");
  assert.throws(() => CalendarDate.parse("2024-02-29T25:00"), RangeError);
  assert.throws(() => new CalendarDate(2024, 13, 1), RangeError);
  assert.is(String(TimeOfDay.parse("T235959.5-03:00")), "23:59:59.500000-03:00");
  assert.is(String(new TimeOfDay({ hour: 1, minute: 2 })), "01:02:00");
  assert.throws(() => TimeOfDay.parse("24:00"), RangeError);
});

test("Decimal keeps the text that Python's str gives", () => {
  const texts: readonly (readonly [string, string])[] = [
    ["1.10", "1.10"],
    ["1e30", "1E+30"],
    ["-0.0", "-0.0"],
    ["007", "7"],
    ["00.10", "0.10"],
    [".5", "0.5"],
    ["5.", "5"],
    ["1_000", "1000"],
    [" 1 ", "1"],
    ["0e5", "0E+5"],
    ["0.000001", "0.000001"],
    ["0.0000001", "1E-7"],
    ["123e-10", "1.23E-8"],
    ["12.3E+1", "123"],
    ["12.3E+2", "1.23E+3"],
    ["inf", "Infinity"],
    ["-NAN007", "-NaN7"],
    ["snan", "sNaN"],
    ["nan0", "NaN"],
  ];
  for (const [text, canonical] of texts) assert.is(new Decimal(text).text, canonical, text);
  for (const text of ["", "1,5", "1e", "--1", "0x1", "1 2", "1e9999999999999999999"]) {
    assert.throws(() => new Decimal(text), RangeError, text);
  }
  assert.throws(() => new Decimal(1 as unknown as string), RangeError);
});

test("Uuid and PythonFloat", () => {
  const uuid = new Uuid("urn:uuid:{12345678-1234-5678-1234-56781234ABCD}");
  assert.is(String(uuid), "12345678-1234-5678-1234-56781234abcd");
  assert.throws(() => new Uuid("1"), RangeError);
  assert.throws(() => new Uuid(undefined as unknown as string), RangeError);
  assert.is(String(new PythonFloat(1)), "1.0");
  assert.is(Number(new PythonFloat(1)) + 1, 2);
  assert.is(JSON.stringify(new PythonFloat(1)), "1");
  assert.throws(() => new PythonFloat("1" as unknown as number), TypeError);
});

test.run();
