/** `YYYY-MM-DD HH:MM:SS.ffffff`, the form that Celery's text comparison in SQLite depends on. */
export function utcText(instant: Date): string {
  return `${instant.toISOString().replace("T", " ").slice(0, 23)}000`;
}

/** Between wall clock texts and instants of one zone. */
export interface WallClock {
  text(instant: Date): string;
  instant(text: string): Date | null;
}

const UTC: WallClock = { text: utcText, instant: parseUtc };

/** Nearly every row has the form of `utcText`, which needs no pattern to be read. */
function parseUtc(text: string): Date | null {
  if (text.length === 26 && text[10] === " ") {
    const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 23)}Z`);
    if (!Number.isNaN(ms)) return new Date(ms);
  }
  return parseWall(text, (ms) => ms);
}

/**
 * The wall clock of an IANA zone. In the hour that a clock goes through twice the earlier instant is
 * meant; a time that a clock skipped is read as the zone's offset before the change.
 *
 * @throws RangeError for a name that is no zone.
 */
export function wallClock(zone: string): WallClock {
  if (/^(etc\/)?(utc|gmt|z(ulu)?|universal|greenwich)$/i.test(zone)) return UTC;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const wallMs = (ms: number): number => {
    const parts: Record<string, number> = {};
    for (const part of format.formatToParts(ms)) parts[part.type] = Number(part.value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const whole = Date.UTC(year, month - 1, day, hour, minute, second);
    return whole + (((ms % 1000) + 1000) % 1000);
  };
  return {
    text: (instant) => utcText(new Date(wallMs(instant.getTime()))),
    instant: (text) =>
      parseWall(text, (wall) => {
        // The offsets a day before and after are those on both sides of any change that is near.
        const before = wallMs(wall - 86_400_000) - (wall - 86_400_000);
        const after = wallMs(wall + 86_400_000) - (wall + 86_400_000);
        if (wallMs(wall - before) === wall) return wall - before;
        return wallMs(wall - after) === wall ? wall - after : wall - before;
      }),
  };
}

const TEXT =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?$/i;

/** A text with an offset of its own (rows of other writers have some) says its instant itself. */
function parseWall(text: string, toInstant: (wallMs: number) => number): Date | null {
  const match = TEXT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", offset] = match;
  const wall =
    Date.UTC(+(year ?? 0), +(month ?? 1) - 1, +(day ?? 1), +hour, +minute, +second) +
    Number(fraction.slice(0, 3).padEnd(3, "0"));
  if (Number.isNaN(wall)) return null;
  return new Date(offset === undefined ? toInstant(wall) : wall - offsetMs(offset));
}

function offsetMs(offset: string): number {
  if (offset === "Z" || offset === "z") return 0;
  const digits = offset.slice(1).replaceAll(":", "").padEnd(6, "0");
  const seconds = +digits.slice(0, 2) * 3600 + +digits.slice(2, 4) * 60 + +digits.slice(4, 6);
  return (offset[0] === "-" ? -1 : 1) * seconds * 1000;
}
