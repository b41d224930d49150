import { asset, dag, param, requiredParam } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type RefusedCase, refusal } from "../support/refusal.ts";

type Any = never;

const CASES: readonly RefusedCase[] = [
  ["an asset without a name", () => asset({}), /bad-option: asset\(…\): name is missing/],
  ["an asset of a reserved scheme", () => asset({ uri: "airflow://x" }), /airflow: is reserved/],
  ["an asset of a reserved name", () => asset("self"), /Airflow keeps it for itself/],
  ["assets joined with none", () => asset("a").and("b" as Any), /asset\.and\(…\) got the text "b"/],
  [
    "a bad cron text",
    () => dag("d", { schedule: "5 * *" }),
    /bad-option: dag\("d", …\): schedule "5 \* \*" has 3 fields, expected 5/,
  ],
  ["a bad cron field", () => dag("d", { schedule: "61 * * * *" }), /has "61" as minute, expected/],
  [
    "an unknown preset",
    () => dag("d", { schedule: "@dayly" }),
    /is no preset; there are @hourly, @daily/,
  ],
  [
    "a schedule of another kind",
    () => dag("d", { schedule: { every: 5 } as Any }),
    /schedule is an object, expected a cron text/,
  ],
  ["an empty period", () => dag("d", { schedule: { everyMs: 0 } }), /schedule\.everyMs is 0/],
  [
    "no asset in a schedule",
    () => dag("d", { schedule: ["a"] as Any }),
    /one of schedule is the text "a"/,
  ],
  ["a date", () => dag("d", { startDate: new Date("x") }), /startDate is an invalid Date/],
  [
    "dates in a wrong order",
    () => dag("d", { startDate: new Date(2), endDate: new Date(1) }),
    /endDate is a Date, expected one that is not before startDate/,
  ],
  ["a zone", () => dag("d", { timezone: "Mars/Base" }), /timezone is the text "Mars\/Base"/],
  ["tags", () => dag("d", { tags: [""] }), /one of tags is empty text/],
  ["a link", () => dag("d", { ownerLinks: { me: "x" } }), /ownerLinks\.me is the text "x"/],
  [
    "catch up from never",
    () => dag("d", { schedule: "@daily", catchup: true }),
    /startDate is missing, expected a Date to catch up from/,
  ],
  [
    "runs beside each other, always",
    () => dag("d", { schedule: "@continuous", maxActiveRuns: 2 }),
    /maxActiveRuns is 2, expected 1/,
  ],
  [
    "a param of another kind",
    () => dag("d", { params: { a: 5 as Any } }),
    /params\.a is 5, expected param\(default/,
  ],
  [
    "a default against its schema",
    () => dag("d", { params: { a: param(0, { minimum: 1 }) } }),
    /the default of params\.a is 0, below 1/,
  ],
  [
    "a schema that is no JSON",
    () => dag("d", { params: { a: param(0, { x: (() => 1) as Any }) } }),
    /params\.a: its schema/,
  ],
  [
    "a param that must be given, with a schedule",
    () => dag("d", { schedule: "@daily", params: { a: requiredParam() } }),
    /has no default, so no run can be started by a schedule/,
  ],
  [
    "an option of the Dag",
    () => dag("d", { max_active_runs: 5 } as Any),
    /it is called maxActiveRuns here/,
  ],
];

for (const [name, call, expected] of CASES) {
  test(`refused: ${name}`, () => assert.match(refusal(call), expected));
}

test.run();
