import { BundleError } from "../errors.ts";
import { PythonFailure } from "./python-failure.ts";
import { YamlDate, YamlDateTime } from "./values.ts";

const PARTS =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(Z|([-+])(\d\d?)(?::(\d\d))?))?)?$/;

/**
 * A YAML timestamp as Python builds it: without a time a date, else a date-time whose fraction is
 * cut to microseconds.
 *
 * @throws BundleError `bad-metadata` for a day or a time that does not exist
 */
export function parseTimestamp(text: string): YamlDate | YamlDateTime {
  const parts = PARTS.exec(text);
  if (parts === null) throw noTimestamp(text);
  const [, year = "", month = "", day = "", hour, minute = "", second = "", fraction = ""] = parts;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Date.parse lets 30 February pass, as 2 March
  if (Number(year) < 1 || Number.isNaN(midnight)) throw noTimestamp(text);
  if (new Date(midnight).toISOString().slice(0, 10) !== date) throw noTimestamp(text);
  if (hour === undefined) return new YamlDate(date);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw noTimestamp(text);
  const [, , , , , , , , zone, zoneSign, zoneHour = "", zoneMinute = "00"] = parts;
  const offset =
    zone === undefined || zone === "Z" ? 0 : Number(zoneHour) * 60 + Number(zoneMinute);
  if (offset >= 24 * 60) throw noTimestamp(text);
  const minutes = zoneSign === "-" ? -offset : offset;
  const micros = fraction.slice(0, 6).padEnd(6, "0");
  const seconds =
    midnight / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - minutes * 60;
  const time = `${hour.padStart(2, "0")}:${minute}:${second}${Number(micros) === 0 ? "" : `.${micros}`}`;
  const aware = zone !== undefined;
  return new YamlDateTime(
    `${date}T${time}${aware ? zoneText(minutes) : ""}`,
    aware,
    BigInt(seconds) * 1_000_000n + BigInt(micros),
  );
}

function zoneText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function noTimestamp(text: string): BundleError {
  return new BundleError(
    "bad-metadata",
    `The metadata has ${JSON.stringify(text)}, which YAML reads as a date, and there is no such date. Quote it.`,
    { cause: new PythonFailure(PARTS.test(text) ? "ValueError" : "AttributeError") },
  );
}
