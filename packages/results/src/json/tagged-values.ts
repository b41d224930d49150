import { decodeBase64 } from "../values/base64.ts";
import { CalendarDate } from "../values/calendar-date.ts";
import { DateTime } from "../values/date-time.ts";
import { dateTimeOf } from "../values/date-time-of.ts";
import { Decimal } from "../values/decimal.ts";
import { TimeOfDay } from "../values/time-of-day.ts";
import { Uuid } from "../values/uuid.ts";
import { quoteJson } from "./json-text.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether kombu's reader takes an object for a tagged value: exactly these two keys. */
export function isTagged(object: Readonly<Record<string, unknown>>): boolean {
  return (
    Object.hasOwn(object, "__type__") &&
    Object.hasOwn(object, "__value__") &&
    Object.keys(object).length === 2
  );
}

/**
 * The JSON of a value that kombu marks with a tag, or `undefined` for an object that has none.
 *
 * @throws EncodeFault for a Date that is none
 */
export function printTagged(value: object): string | undefined {
  if (value instanceof Uint8Array) return printBytes(value);
  if (value instanceof Date) return tag("datetime", `"${dateTimeOf(value)}"`);
  if (value instanceof DateTime) return tag("datetime", `"${value}"`);
  if (value instanceof CalendarDate) return tag("date", `"${value}"`);
  if (value instanceof TimeOfDay) return tag("time", `"${value}"`);
  if (value instanceof Decimal) return tag("decimal", `"${value}"`);
  if (value instanceof Uuid) return tag("uuid", `{"hex": "${value.hex}"}`);
  return undefined;
}

/**
 * The value of `{"__type__": type, "__value__": value}`, as kombu 5.7.0 reads it.
 *
 * @throws Error for a tag that kombu does not know, and for a value that does not fit its tag
 */
export function readTagged(type: unknown, value: unknown): unknown {
  switch (type) {
    case "datetime":
      return DateTime.parse(textOf(value));
    case "date":
      return CalendarDate.parse(textOf(value));
    case "time":
      return TimeOfDay.parse(textOf(value));
    case "decimal":
      return new Decimal(isInt(value) ? String(value) : textOf(value));
    case "uuid":
      return readUuid(value);
    case "bytes":
      return readText(textOf(value));
    case "base64":
      return decodeBase64(textOf(value));
    default:
      throw new RangeError(`kombu knows no tag ${JSON.stringify(type)?.slice(0, 100)}`);
  }
}

function printBytes(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    return tag("base64", `"${base64}"`);
  }
  return tag("bytes", quoteJson(text));
}

function readText(text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError("a lone surrogate has no bytes");
  return new TextEncoder().encode(text);
}

/** kombu 5.3 and 5.4 wrote `version` beside `hex`; Python then sets the version's bits. */
function readUuid(value: unknown): Uuid {
  if (typeof value !== "object" || value === null) throw new RangeError("expected {hex}");
  const { hex, version, ...rest } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(rest).length > 0) throw new RangeError("expected {hex}");
  const uuid = new Uuid(textOf(hex));
  if (version === undefined || version === null) return uuid;
  if (typeof version !== "number" || !/^[1-8]$/.test(String(version))) {
    throw new RangeError("expected a version of 1 to 8");
  }
  const variant = ((Number.parseInt(uuid.hex[16] as string, 16) & 3) | 8).toString(16);
  return new Uuid(
    `${uuid.hex.slice(0, 12)}${version}${uuid.hex.slice(13, 16)}${variant}${uuid.hex.slice(17)}`,
  );
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new RangeError("expected text behind the tag");
  return value;
}

function isInt(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
}

function tag(type: string, value: string): string {
  return `{"__type__": "${type}", "__value__": ${value}}`;
}
