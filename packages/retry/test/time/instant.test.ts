import { Instant, type InstantInput } from "@parlance/retry";
import { load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const MIN_US = -62_135_596_800_000_000n;
const MAX_US = 253_402_300_799_999_999n;
const anyUs = fc.bigInt({ min: MIN_US, max: MAX_US });

test("text and instant are each other's reverse, in any offset", () => {
  const offset = fc.integer({ min: -86_399, max: 86_399 });
  fc.assert(
    fc.property(anyUs, offset, (epochUs, offsetSeconds) => {
      const local = epochUs + BigInt(offsetSeconds) * 1_000_000n;
      if (local < MIN_US || local > MAX_US) {
        throws(() => Instant.fromEpochUs(epochUs, offsetSeconds), "out-of-range");
        return;
      }
      const instant = Instant.fromEpochUs(epochUs, offsetSeconds);
      const again = Instant.parse(instant.toIso());
      assert.is(again.epochUs, epochUs);
      assert.is(again.offsetSeconds, offsetSeconds);
      assert.is(
        again.toUtc().toIso({ fraction: "always" }).slice(19),
        again.microsecond === 0
          ? ".000000+00:00"
          : `.${String(again.microsecond).padStart(6, "0")}+00:00`,
      );
    }),
    { numRuns: load(20_000) },
  );
});

test("JavaScript's Date agrees about the calendar", () => {
  const date = fc.date({
    min: new Date("0001-01-01Z"),
    max: new Date("9999-12-31Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (value) => {
      const instant = Instant.from(value);
      assert.is(
        instant.toIso({ fraction: "always" }),
        value.toISOString().replace("Z", "000+00:00"),
      );
      assert.is(instant.toDate().getTime(), value.getTime());
      assert.is(Instant.parse(value.toISOString()).epochUs, instant.epochUs);
    }),
    { numRuns: load(20_000) },
  );
});

test("forms of date-times that are read", () => {
  const cases: [string, string][] = [
    ["2026-01-02T03:04Z", "2026-01-02T03:04:00+00:00"],
    ["2026-01-02 03:04:05.5+0130", "2026-01-02T03:04:05.500000+01:30"],
    ["2026-01-02T03:04:05,25-08", "2026-01-02T03:04:05.250000-08:00"],
    ["1900-01-01T00:00:00-00:44:30", "1900-01-01T00:00:00-00:44:30"],
    ["2024-02-29T23:59:59.999999+14:00", "2024-02-29T23:59:59.999999+14:00"],
    ["2026-01-02T03:04:05+01:00[Europe/Paris]", "2026-01-02T03:04:05+01:00"],
    ["2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05+00:00"],
  ];
  for (const [text, iso] of cases) assert.is(String(Instant.parse(text)), iso);
  assert.is(
    JSON.stringify({ at: Instant.parse("2026-01-02T03:04:05Z") }),
    '{"at":"2026-01-02T03:04:05+00:00"}',
  );
});

test("a date without a zone, and what is no date, are refused", () => {
  for (const text of ["2026-01-02T03:04:05", "2026-01-02 03:04"]) {
    throws(() => Instant.parse(text), "naive-date");
  }
  const bad: unknown[] = [
    "",
    "now",
    "2026-01-02",
    "2026-13-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-00-01T00:00:00Z",
  ];
  bad.push(
    "2026-01-00T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
  );
  bad.push(
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00:00.1234567Z",
  );
  bad.push(
    "2026-01-01T00:00:00Z ",
    "2026-01-01t00:00:00z",
    null,
    undefined,
    5,
    {},
    new Date(Number.NaN),
  );
  for (const value of bad) throws(() => Instant.from(value as InstantInput), "bad-date");
  throws(() => Instant.parse("9999-12-31T23:59:59-00:01"), "out-of-range");
  throws(() => Instant.parse("0001-01-01T00:00:00+00:01"), "out-of-range");
});

test("a sum is exact, whatever the length, and stays in the years 1 to 9999", () => {
  fc.assert(
    fc.property(anyUs, anyUs, (from, to) => {
      const sum = Instant.fromEpochUs(from).plus(to - from);
      assert.is(sum.epochUs, to);
      assert.ok(sum.microsecond >= 0 && sum.microsecond < 1e6);
    }),
    { numRuns: load(20_000) },
  );
  const last = Instant.fromEpochUs(MAX_US);
  throws(() => last.plus(1n), "out-of-range");
  throws(() => last.plus(10n ** 20n), "out-of-range");
  throws(() => Instant.fromEpochUs(MIN_US).plus(-1n), "out-of-range");
  assert.is(Instant.parse("9999-12-31T23:59:59+05:00").plus(0n).offsetSeconds, 18_000);
  throws(() => Instant.parse("9999-12-31T23:59:59+05:00").plus(1_000_000n), "out-of-range");
});

test("a Date of an instant is never before it", () => {
  assert.is(
    Instant.parse("2026-01-01T00:00:00.000001Z").toDate().toISOString(),
    "2026-01-01T00:00:00.001Z",
  );
});

test.run();
