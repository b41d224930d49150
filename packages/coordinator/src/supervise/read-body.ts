import { Timestamp } from "@parlance/framing";
import { StoreError } from "../store/task-store.ts";
import type { Body } from "./answers.ts";

/*
 * Fields of a validated body. The wire is decoded so that whole floats stay apart from integers, and
 * big integers are bigint: outside of values that are passed on, both are plain numbers here.
 */

/** A text field; "" where validation should have refused it. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A text field that may be null or absent. */
export function optionalText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A number field, whatever it came as; null where it is null or absent. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "object" && value !== null && "value" in value) {
    return typeof value.value === "number" ? value.value : null;
  }
  return null;
}

/** A list of texts; undefined where it is null or absent. */
export function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

/**
 * A map index: absent, null and everything below 0 name the unmapped instance, -1.
 *
 * @throws StoreError `bad-value` for one that no database's integers hold
 */
export function mapIndexOf(value: unknown): number {
  const index = numberOf(value) ?? -1;
  if (index > MAX_MAP_INDEX) {
    throw new StoreError("bad-value", `a map index of ${index} is beyond ${MAX_MAP_INDEX}`);
  }
  return index < 0 ? -1 : index;
}

/** A column's 32 bits, in Airflow. */
const MAX_MAP_INDEX = 2 ** 31 - 1;

/** A place in a list, in numbers that are exact: far beyond any list it makes no difference. */
export function offsetOf(value: unknown): number | null {
  const offset = numberOf(value);
  if (offset === null) return null;
  return Math.min(Math.max(offset, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** The same, and undefined for an empty list too: to Airflow's server it filters nothing. */
export function filterOf(value: unknown): string[] | undefined {
  const texts = textsOf(value);
  return texts?.length === 0 ? undefined : texts;
}

/** A map; undefined where it is null or absent. */
export function mapOf(value: unknown): Body | undefined {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? (value as Body) : undefined;
}

/** A number beyond it counts milliseconds, not seconds, as in stock. */
const MAX_EPOCH_SECONDS = 2e10;

/** A date-time in any of its wire forms; null where there is none. */
export function momentOf(value: unknown): Timestamp | null {
  if (value instanceof Timestamp) return value;
  if (typeof value === "string") return momentOfText(value);
  const number = numberOf(value);
  if (number === null) return null;
  const milliseconds = Math.abs(number) > MAX_EPOCH_SECONDS;
  const micros = BigInt(Math.round(number * (milliseconds ? 1e3 : 1e6)));
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
  return new Timestamp(seconds, Number(micros - seconds * 1_000_000n) * 1000);
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt _](\d\d:\d\d)(?::(\d\d))?(?:[.,](\d+))?([Zz]|([+\-\u2212])(\d\d):?(\d\d))$/;

/** What validation lets through is more than ISO 8601 as `Timestamp.parse` reads it. */
function momentOfText(text: string): Timestamp | null {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return null;
  const [, date, time, seconds = "00", fraction = "", , sign, hours, minutes] = parts;
  const zone = sign === undefined ? "Z" : `${sign === "+" ? "+" : "-"}${hours}:${minutes}`;
  const micros = fraction === "" ? "" : `.${fraction.slice(0, 6)}`;
  return Timestamp.parse(`${date}T${time}:${seconds}${micros}${zone}`);
}

/** A date-time as ISO 8601 text in UTC, as stores keep it. */
export function isoOf(value: unknown): string | null {
  return momentOf(value)?.toISOString() ?? null;
}

/** A list of date-times as ISO 8601 texts; undefined where it is null, absent or empty. */
export function momentsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map(isoOf).filter((iso) => iso !== null);
}

/** Milliseconds since 1970 of a date-time in any of its wire forms; null where there is none. */
export function epochMsOf(value: unknown): number | null {
  return momentOf(value)?.toDate().getTime() ?? null;
}

/** What the wire calls the parts of an XCom's identity. */
export function seriesOf(body: Body): {
  dagId: string;
  runId: string;
  taskId: string;
  key: string;
} {
  return {
    dagId: textOf(body["dag_id"]),
    runId: textOf(body["run_id"]),
    taskId: textOf(body["task_id"]),
    key: textOf(body["key"]),
  };
}
