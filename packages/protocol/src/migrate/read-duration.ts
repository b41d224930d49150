import { isDuration } from "../validation/date-times.ts";
import { numeric } from "../validation/wire-kinds.ts";

const ISO_PART = /(\d+(?:[.,]\d+)?)([YMWDHS])/g;
const CLOCK = /^([+-])?(?:(\d+) ?d(?:ays?)?,? ?)?(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?$/i;

const DAY = 86_400;
const DATE_SECONDS: Readonly<Record<string, number>> = {
  Y: 365 * DAY,
  M: 30 * DAY,
  W: 7 * DAY,
  D: DAY,
};
const TIME_SECONDS: Readonly<Record<string, number>> = { H: 3_600, M: 60, S: 1 };

/** A duration in the ISO 8601 text that stock writes; undefined for what is none. */
export function readDuration(value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "PT1S" : "PT0S";
  if (!isDuration(value)) return undefined;
  return textOf(typeof value === "string" ? microsecondsIn(value) : microsecondsOf(numeric(value)));
}

function microsecondsIn(text: string): bigint {
  const clock = CLOCK.exec(text);
  if (clock !== null) {
    const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0"] = clock;
    const whole = Number(days) * DAY + Number(hours) * 3_600 + Number(minutes) * 60;
    return signed(sign, microsecondsOf(whole) + microsecondsOf(Number(seconds)));
  }
  const [date = "", time = ""] = text.split("T");
  return signed(text[0], sum(date, DATE_SECONDS) + sum(time, TIME_SECONDS));
}

function sum(text: string, units: Readonly<Record<string, number>>): bigint {
  let total = 0n;
  for (const [, count = "0", unit = ""] of text.matchAll(ISO_PART)) {
    total += microsecondsOf(Number(count.replace(",", ".")) * (units[unit] ?? 0));
  }
  return total;
}

function microsecondsOf(seconds: number): bigint {
  const whole = Math.floor(seconds);
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((seconds - whole) * 1e6));
}

function signed(sign: string | undefined, microseconds: bigint): bigint {
  return sign === "-" ? -microseconds : microseconds;
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
