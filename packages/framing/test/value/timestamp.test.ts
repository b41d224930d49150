import {
  decodeResponseFrame,
  Extension,
  encodeResponseFrame,
  Float,
  Timestamp,
} from "@parlance/framing";
import { load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("text and back, whatever the moment", () => {
  const seconds = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 0, max: 999_999_999 }), (whole, nanoseconds) => {
      const moment = new Timestamp(whole, nanoseconds);
      assert.equal(Timestamp.parse(moment.toISOString()), moment);
    }),
    { numRuns: load(2_000) },
  );
});

test("it agrees with Date wherever Date reaches", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      const moment = Timestamp.fromDate(date);
      assert.is(moment.toDate().getTime(), date.getTime());
      const text = moment.toISOString().replace("+00:00", "");
      const padded = text.includes(".") ? text.slice(0, -3) : `${text}.000`;
      assert.is(`${padded}Z`, date.toISOString());
    }),
    { numRuns: load(20_000) },
  );
});

test("digits: none, six or nine", () => {
  assert.is(new Timestamp(0).toISOString(), "1970-01-01T00:00:00+00:00");
  assert.is(new Timestamp(0, 1000).toISOString(), "1970-01-01T00:00:00.000001+00:00");
  assert.is(new Timestamp(0, 1).toISOString(), "1970-01-01T00:00:00.000000001+00:00");
  assert.is(new Timestamp(-1, 999_999_000).toISOString(), "1969-12-31T23:59:59.999999+00:00");
  assert.is(new Timestamp(-62_167_219_201n).toISOString(), "-000001-12-31T23:59:59+00:00");
  assert.is(JSON.stringify({ at: new Timestamp(1) }), '{"at":"1970-01-01T00:00:01+00:00"}');
});

test("zones are applied and demanded", () => {
  const moment = Timestamp.parse("2026-06-16T01:02:03.123456+00:00");
  for (const text of [
    "2026-06-16T01:02:03.123456Z",
    "2026-06-16 03:02:03.123456+02:00",
    "2026-06-15T19:32:03.123456000-0530",
    "2026-06-16T03:02:03,123456+02",
  ]) {
    assert.equal(Timestamp.parse(text), moment, text);
  }
  const noMoment = [
    "2026-06-16T01:02:03",
    "2026-06-16",
    "yesterday",
    "2026-13-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00.1234567890Z",
    "2026-01-01T00:00:00+24:00",
    "+999999999999-01-01T00:00:00Z",
  ];
  for (const text of noMoment) assert.throws(() => Timestamp.parse(text), RangeErrorOf, text);
});

function RangeErrorOf(error: Error): boolean {
  return error instanceof RangeError;
}

test("parts out of range are refused", () => {
  const bad: (() => unknown)[] = [
    () => new Timestamp(0, -1),
    () => new Timestamp(0, 1_000_000_000),
    () => new Timestamp(0, 0.5),
    () => new Timestamp(1.5),
    () => new Timestamp(2n ** 63n),
    () => Timestamp.fromDate(new Date(Number.NaN)),
    () => new Timestamp(2n ** 60n).toDate(),
    () => new Extension(-1, new Uint8Array(4)),
    () => new Extension(128, new Uint8Array(4)),
  ];
  for (const call of bad) assert.throws(call, RangeErrorOf);
  assert.throws(() => new Float("1" as never));
});

test("a Date keeps what it can, cut and not rounded", () => {
  assert.is(new Timestamp(1, 999_999_999).toDate().getTime(), 1999);
  assert.is(new Timestamp(-1, 999_999_999).toDate().getTime(), -1);
});

test("the shortest of the three forms is written", () => {
  const length = (moment: Timestamp): number =>
    encodeResponseFrame({ id: 0, body: { t: moment } }).length - 10;
  assert.is(length(new Timestamp(2 ** 32 - 1)), 6);
  assert.is(length(new Timestamp(2 ** 32)), 10);
  assert.is(length(new Timestamp(2n ** 34n - 1n, 999_999_999)), 10);
  assert.is(length(new Timestamp(2n ** 34n)), 15);
  assert.is(length(new Timestamp(-1, 5)), 15);
});

test("a Timestamp of another copy of this package is written too", () => {
  const foreign = Object.create(
    { [Symbol.for("parlance.timestamp")]: true },
    {
      seconds: { value: 5n },
      nanoseconds: { value: 7 },
    },
  );
  const frame = decodeResponseFrame(encodeResponseFrame({ id: 0, body: { foreign } }).subarray(4));
  assert.equal(frame.body, { foreign: new Timestamp(5n, 7) });
});

test.run();
