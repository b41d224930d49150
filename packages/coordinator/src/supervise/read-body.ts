import { Timestamp } from "@parlance/framing";
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

/** A map index: absent, null and everything below 0 name the unmapped instance, -1. */
export function mapIndexOf(value: unknown): number {
  const index = numberOf(value) ?? -1;
  return index < 0 ? -1 : index;
}

/** Milliseconds since 1970 of a date-time in any of its wire forms; null where there is none. */
export function epochMsOf(value: unknown): number | null {
  if (typeof value === "string") {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? null : parsed;
  }
  if (value instanceof Timestamp) return value.toDate().getTime();
  const seconds = numberOf(value);
  return seconds === null ? null : seconds * 1000;
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
