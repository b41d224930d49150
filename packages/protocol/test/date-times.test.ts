import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Float, Timestamp } from "./support/wire-values.ts";

function isSent(value: unknown): boolean {
  const body = { type: "SucceedTask", end_date: value };
  return validateBody("2026-06-16", "to-supervisor", body).valid;
}

function isReceived(value: unknown): boolean {
  const body = { type: "TaskRescheduleStartDate", start_date: value };
  return validateBody("2026-06-16", "to-task", body).valid;
}

function isDuration(value: unknown): boolean {
  const body = { type: "AwaitInputTask", next_method: "go", timeout: value };
  return validateBody("2026-06-16", "to-supervisor", body).valid;
}

function isUuid(value: unknown): boolean {
  return validateBody("2026-06-16", "to-supervisor", { type: "ClearTaskStateStore", ti_id: value })
    .valid;
}

function judge(accepts: (value: unknown) => boolean, good: unknown[], bad: unknown[]): void {
  const shown = (value: unknown) =>
    JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `${each}n` : each));
  for (const value of good) assert.ok(accepts(value), `should take ${shown(value)}`);
  for (const value of bad) assert.not(accepts(value), `should refuse ${shown(value)}`);
}

// Both lists were judged by pydantic 2.14 in lax mode, as stock Airflow runs it.
const ZONED = [
  "2026-06-16T01:02:03Z",
  "2026-06-16T01:02:03z",
  "2026-06-16t01:02:03Z",
  "2026-06-16 01:02:03+02:00",
  "2026-06-16_01:02:03Z",
  "2026-06-16T01:02Z",
  "2026-06-16T01:02:03.1Z",
  "2026-06-16T01:02:03,123Z",
  "2026-06-16T01:02:03.123456789Z",
  "2026-06-16T01:02:03+0200",
  "2026-06-16T01:02:03+23:59",
  "2026-06-16T01:02:03\u221202:00",
  "2024-02-29T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
];
const NO_DATE_TIME = [
  "",
  "now",
  "2026-06-16T01Z",
  "2026-06-16T01:02:03+02",
  "2026-06-16T01:02:03-24:00",
  "2026-06-16T01:02:03+01:60",
  "2026-06-16T01:02:03 Z",
  "2026-06-16T24:00:00Z",
  "2026-06-16T23:59:60Z",
  "2026-02-30T00:00:00Z",
  "2025-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "20260616T010203Z",
  "+002026-06-16T01:02:03Z",
  "0000-01-01T00:00:00Z",
  " 2026-06-16T01:02:03Z",
  "2026-06-16T01:02:03Z\n",
  "2026-06-16T01:02:03.Z",
  `2026-06-16T01:02:03.${"1".repeat(100)}Z`,
];
const NAIVE = ["2026-06-16T01:02:03", "2026-06-16 01:02:03.5", "2026-06-16T01:02", "2026-06-16"];

test("a date-time that a task sends needs a zone", () => {
  judge(isSent, ZONED, [...NO_DATE_TIME, ...NAIVE]);
});

test("a date-time that a task sends may be a timestamp or a number of seconds", () => {
  judge(
    isSent,
    [new Timestamp(0n), 0, -5, 1700000000, 1700000000.5, 1700000000000, 1700000000n, new Float(5)],
    [Number.NaN, Infinity, 1e20, 2n ** 63n, true, null, {}, [], new Date(0), new Uint8Array(8)],
  );
  // Numbers beyond 2e10 count milliseconds, from the year 1 to the year 9999.
  judge(
    isSent,
    [-62_135_596_800_000, -2e10, 253_402_300_799_999, 253_402_300_799_999.5],
    [-62_135_596_800_001, 253_402_300_800_000, -253_402_300_799_999],
  );
});

test("text that is only a number is refused, where stock would read seconds", () => {
  judge(isSent, [], ["1700000000", "1700000000.5", "-1"]);
});

test("a date-time that a task receives may be without a zone", () => {
  judge(isReceived, [...ZONED, ...NAIVE, new Timestamp(5n, 999_999_999), null], NO_DATE_TIME);
  judge(isReceived, [], [5, 5n, true, {}, new Date(0)]);
});

test("a duration is ISO 8601 text, clock text or a number of seconds", () => {
  judge(
    isDuration,
    [
      ...["PT30S", "P1D", "P1DT2H3M4.5S", "P1W", "P1Y2M", "-PT30S", "+PT30S", "PT1,5S", "P0.5D"],
      ...["P1DT", "00:00:30", "1 day, 00:00:30", "1d 00:00:30", "-00:00:30", "01:02:03.5"],
      ...[30, 30.5, -30, 30n, new Float(30), null],
    ],
    [
      ...["PT", "P", "-PT", "pt30s", "30", "30.5", "1 00:00:30", "10:00:00Z", "soon", ""],
      ...[Number.NaN, Infinity, 1e15, true, {}, [], `PT${"1".repeat(100)}S`],
    ],
  );
});

test("durations keep to what stock takes, run against pydantic 2.14", () => {
  judge(
    isDuration,
    [
      ...["0:00:30", "05:00", "005:00", "100:02", "1 day, 0:00:30", "1Days", "1 DAYS 01:02", "1d,"],
      ...["-1d 01:02", "1 day ", "P1.D", "P1D1D", "PT1S1H", "P1.5DT", "P999999999D", "P142857142W"],
      ...["PT4294967295S", "2400000000:00", "999999999d 23:59:59.9999999"],
      ...[86_399_999_999_999.98, -86_399_999_913_600],
    ],
    [
      ...["5:00", "1 day 0:30", "1d 24:00", "1  d", "1d  01:02", "dayS", "1dayS", "1da", "01:60"],
      ...["01:02:3", "01:02:03.", "01:02Z", "- 01:02", "PT.5S", "PT1.5M1S", "P1.5DT1S", "P1H"],
      ...["P1000000000D", "P142857143W", "PT4294967296S", "2400000001:00", "1000000000d"],
      ...["-P999999999DT1S", "25:61", " P1D", "P-1D", 86_400_000_000_000, -86_399_999_913_601],
    ],
  );
});

test("a UUID may be written in each way that stock reads", () => {
  judge(
    isUuid,
    [
      "019a0000-0000-7000-8000-000000000001",
      "019A0000-0000-7000-8000-000000000001",
      "019a0000000070008000000000000001",
      "{019a0000-0000-7000-8000-000000000001}",
      "urn:uuid:019a0000-0000-7000-8000-000000000001",
      "{019A0000-0000-7000-8000-00000000000A}",
    ],
    [
      "{019a0000000070008000000000000001}",
      "urn:uuid:019a0000000070008000000000000001",
      "URN:UUID:019a0000-0000-7000-8000-000000000001",
      "{019a0000-0000-7000-8000-000000000001",
      "019a00000000-7000-8000-000000000001",
      "019a0000-0000-7000-8000-00000000000",
      ...["x", "", 1, null, new Uint8Array(16)],
    ],
  );
});

test.run();
