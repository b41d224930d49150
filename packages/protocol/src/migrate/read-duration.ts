import { durationMicroseconds } from "../validation/durations.ts";

/** A duration in the ISO 8601 text that stock writes; undefined for what is none. */
export function readDuration(value: unknown): string | undefined {
  // A boolean is a number to stock's models here, though not in a date-time.
  const microseconds = durationMicroseconds(typeof value === "boolean" ? Number(value) : value);
  return microseconds === undefined ? undefined : textOf(microseconds);
}

function textOf(microseconds: bigint): string {
  if (microseconds === 0n) return "PT0S";
  const absolute = microseconds < 0n ? -microseconds : microseconds;
  const fraction = String(absolute % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  const seconds = absolute / 1_000_000n;
  const days = seconds / 86_400n;
  const date = part(days / 365n, "Y") + part(days % 365n, "D");
  const second = `${seconds % 60n}${fraction === "" ? "" : `.${fraction}`}`;
  const time =
    part((seconds / 3_600n) % 24n, "H") +
    part((seconds / 60n) % 60n, "M") +
    (second === "0" ? "" : `${second}S`);
  return `${microseconds < 0n ? "-" : ""}P${date}${time === "" ? "" : `T${time}`}`;
}

function part(count: bigint, unit: string): string {
  return count === 0n ? "" : `${count}${unit}`;
}
