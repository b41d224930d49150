import type { WireValue } from "@parlance/framing";
import {
  CalendarDate,
  DateTime,
  Decimal,
  Duration,
  decodeValue,
  encodeValue,
  Float,
  FrozenSet,
  Timestamp,
  TimeZone,
  Tuple,
  Uuid,
} from "@parlance/sdk-node";
import { load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { SerdePeer } from "./support/serde-peer.ts";

// The real serde reads what we write and writes what we read, by way of MessagePack and JSON.

const RANDOM_VALUES = load(5000);
const SEED = 20_261_130;

/** A value of ours, and what Python makes of it. */
const WRITTEN: readonly (readonly [unknown, string])[] = [
  [null, "None"],
  [2 ** 53, "9007199254740992.0"], // beyond the integers that a number counts exactly
  [2n ** 53n + 1n, "9007199254740993"],
  [2n ** 64n - 1n, "18446744073709551615"],
  [-(2n ** 63n), "-9223372036854775808"],
  [[1, 1.5, new Float(1), -0], "[1, 1.5, 1.0, -0.0]"],
  ["\u65e5 \u{1f680}", "'\u65e5 \u{1f680}'"],
  [
    new Date("2026-01-02T03:04:05.678Z"),
    "datetime.datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=Timezone('UTC'))",
  ],
  [
    DateTime.fromISO("2026-01-02T03:04:05.678901"),
    "datetime.datetime(2026, 1, 2, 3, 4, 5, 678901)",
  ],
  [
    DateTime.fromISO("2026-01-02T03:04:05.678901+05:30"),
    'datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=FixedTimezone(19800, name="+05:30"))',
  ],
  [
    new DateTime(Date.UTC(2026, 6, 1), { zone: "Europe/Paris" }),
    "datetime.datetime(2026, 7, 1, 2, 0, tzinfo=Timezone('Europe/Paris'))",
  ],
  [
    new DateTime(0, { zone: "Europe/Paris", isPendulum: true }),
    "DateTime(1970, 1, 1, 1, 0, 0, tzinfo=Timezone('Europe/Paris'))",
  ],
  [
    Timestamp.parse("1950-01-01T00:00:00.000001Z"),
    "datetime.datetime(1950, 1, 1, 0, 0, 0, 1, tzinfo=Timezone('UTC'))",
  ],
  [
    new Date(Date.UTC(9999, 11, 31, 23, 59, 59, 999)),
    "datetime.datetime(9999, 12, 31, 23, 59, 59, 998993, tzinfo=Timezone('UTC'))", // a float is that coarse there
  ],
  [new CalendarDate(2026, 1, 2), "datetime.date(2026, 1, 2)"],
  // 3.3.2 reads no integer here.
  [new Duration({ days: 1 }), "datetime.timedelta(days=1)"],
  [new Duration({ seconds: 90 }), "datetime.timedelta(seconds=90)"],
  [new Duration({ days: -1, microseconds: 1 }), "datetime.timedelta(days=-1, microseconds=1)"],
  [new Duration({}), "datetime.timedelta(0)"],
  [Tuple.of(1, Tuple.of("a"), []), "(1, ('a',), [])"],
  [new Set([1]), "{1}"],
  [new Set(), "set()"],
  [new FrozenSet([Tuple.of(1, 2)]), "frozenset({(1, 2)})"],
  [new Decimal("1.10"), "Decimal('1.10')"],
  [new Decimal("0.123456789012345678901234567890"), "Decimal('0.123456789012345678901234567890')"],
  [new Decimal("1E+3"), "Decimal('1E+3')"],
  [new Decimal("-7"), "Decimal('-7')"],
  [new Decimal("NaN"), "Decimal('NaN')"],
  [new Decimal(10n ** 30n), `Decimal('1${"0".repeat(30)}')`],
  [
    new Uuid("12345678-1234-4678-9234-567812345678"),
    "UUID('12345678-1234-4678-9234-567812345678')",
  ],
  [new TimeZone("Asia/Tokyo"), "zoneinfo.ZoneInfo(key='Asia/Tokyo')"],
  [new TimeZone(3600), 'FixedTimezone(3600, name="+01:00")'],
  [{ a: { "b c": [new Set(["x"])] }, left: undefined }, "{'a': {'b c': [{'x'}]}}"],
];

/** An expression of Python, and what we read. */
const READ: readonly (readonly [string, unknown])[] = [
  ["2**63", 2n ** 63n],
  ["(1, [2.5], {'a': None})", Tuple.from([1, [2.5], { a: null }])],
  ["{1}", new Set([1])],
  ["frozenset({'a'})", new FrozenSet(["a"])],
  ["datetime.timedelta(days=-1, microseconds=1)", new Duration({ days: -1, microseconds: 1 })],
  ["datetime.date(2024, 2, 29)", new CalendarDate(2024, 2, 29)],
  ["decimal.Decimal('1.5')", new Decimal("1.5")],
  ["uuid.UUID(int=1)", new Uuid(`${"0".repeat(31)}1`)],
  ["zoneinfo.ZoneInfo('Asia/Tokyo')", new TimeZone("Asia/Tokyo")],
  ["pendulum.timezone('Asia/Tokyo')", new TimeZone("Asia/Tokyo")],
];

/** An expression of Python, and the same moment as text. */
const MOMENTS: readonly (readonly [string, string])[] = [
  ["datetime.datetime(2026, 1, 2, 3, 4, 5, 678901)", "2026-01-02T03:04:05.678901"],
  [
    "datetime.datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=zoneinfo.ZoneInfo('Europe/Paris'))",
    "2026-10-25T02:30:00+01:00",
  ],
  ["pendulum.datetime(1900, 1, 1, tz='Europe/Paris')", "1900-01-01T00:00:00+00:09:21"],
  ["datetime.datetime.min.replace(tzinfo=datetime.timezone.utc)", "0001-01-01T00:00:00+00:00"],
  ["pendulum.datetime(2026, 1, 2, tz=pendulum.FixedTimezone(7200))", "2026-01-02T00:00:00+02:00"],
];

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: values`;
  const peer = requirePeer(test, label, `airflow-${version}`);
  if (peer !== undefined) registerTests(label, peer);
}

function registerTests(label: string, peer: string): void {
  let serde: SerdePeer | undefined;
  const open = () => {
    serde ??= new SerdePeer(peer);
    return serde;
  };

  test(`${label}: Python reads what we write`, async () => {
    for (const [value, repr] of WRITTEN) {
      assert.is((await open().read(encodeValue(value) as WireValue)).repr, repr);
    }
  });

  test(`${label}: we read what Python writes`, async () => {
    for (const [expression, value] of READ) {
      assert.equal(decodeValue(await open().write(expression)), value, expression);
    }
    for (const [expression, iso] of MOMENTS) {
      const read = decodeValue(await open().write(expression));
      assert.instance(read, DateTime);
      assert.is((read as DateTime).toExactISOString(), iso, expression);
    }
  });

  test(`${label}: random values of Python come back as they were, passed on by us`, async () => {
    const values = await open().random(RANDOM_VALUES, SEED);
    assert.is(values.length, RANDOM_VALUES);
    const passedOn = values.map((value) => encodeValue(decodeValue(value)) as WireValue);
    assert.equal(await open().compare(passedOn), []);
  });

  test.after(() => serde?.close());
}

test.run();
