import { markKind } from "./python-kind.ts";

/** A zone: an IANA name such as `Europe/Paris`, or the seconds that it is ahead of UTC. */
export type Zone = string | number;

/** Python's `zoneinfo.ZoneInfo`, or the zone of a pendulum date-time, as a value of its own. */
export class TimeZone {
  readonly zone: Zone;

  /** @throws RangeError for an offset that is not whole, or is a day and more */
  constructor(zone: Zone) {
    const fault = zoneFault(zone);
    if (fault !== undefined) throw new RangeError(`new TimeZone(${String(zone)}): ${fault}`);
    this.zone = zone;
  }

  toString(): string {
    return typeof this.zone === "string" ? this.zone : offsetText(this.zone);
  }

  toJSON(): string {
    return this.toString();
  }
}

markKind(TimeZone.prototype, "timezone");

/** What is wrong with a zone; its name is not looked up. */
export function zoneFault(zone: unknown): string | undefined {
  if (typeof zone === "string") return zone === "" ? "a zone has a name" : undefined;
  const isOffset = typeof zone === "number" && Number.isInteger(zone) && Math.abs(zone) < 86_400;
  return isOffset ? undefined : "expected a name, or whole seconds of less than a day";
}

/** Whether this machine knows a zone of that name. */
export function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Seconds that a zone is ahead of UTC at a moment. @throws RangeError for a name that is unknown */
export function offsetAt(zone: Zone, date: Date): number {
  if (typeof zone === "number") return zone;
  if (zone === "UTC") return 0;
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const name = format.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value;
  const match = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? "");
  if (match === null) return 0; // it is "GMT" alone
  const [, sign, hours, minutes, seconds = "0"] = match;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -size : size;
}

/** `+05:30`, with seconds where there are any. */
export function offsetText(seconds: number): string {
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  const shown = parts.at(2) === 0 ? parts.slice(0, 2) : parts;
  return (seconds < 0 ? "-" : "+") + shown.map((part) => String(part).padStart(2, "0")).join(":");
}
