import type { DateOptions } from "./options.ts";
import { utcText, type WallClock, wallClock } from "./wall-clock.ts";

/** How one store writes, compares and reads `date_done`. */
export interface DateRule {
  /** Of a finished task. */
  done(now: Date): string;
  /**
   * Of an unready state that is stored over an unready state: Celery's column fills itself on such an
   * update, with UTC whatever the app's zone is.
   */
  filled(now: Date): string;
  /** Tasks with a smaller `date_done` are older than `seconds`. */
  cutoff(now: Date, seconds: number): string;
  /** The same for groups, whose time is always a `filled` one. */
  filledCutoff(now: Date, seconds: number): string;
  /** The time of a task; `null` for text that is none. */
  read(text: string): Date | null;
  /** The time of a group. */
  readFilled(text: string): Date | null;
  /**
   * True where PostgreSQL is to turn instants into its session's zone, as for Celery: the texts above then
   * carry `+00` and are to be bound as `timestamptz`, and a column has to be read through that type.
   */
  readonly sessionZone: boolean;
}

const UTC = wallClock("UTC");

/** @throws RangeError for a `timezone` that is none. */
export function dateRule(options: DateOptions, dialect: string): DateRule {
  const stock =
    options.dates === "celery" ||
    (options.dates === undefined &&
      (options.timezone !== undefined || options.enableUtc === false));
  const zone = stock ? appZone(options) : "UTC";
  const clock = wallClock(zone);
  return stock && dialect === "postgresql" ? sessionRule() : wallRule(clock);
}

function appZone(options: DateOptions): string {
  if (options.timezone !== undefined) return options.timezone;
  return options.enableUtc === false ? new Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
}

function wallRule(clock: WallClock): DateRule {
  return {
    done: (now) => clock.text(now),
    filled: utcText,
    cutoff: (now, seconds) => clock.text(before(now, seconds)),
    filledCutoff: (now, seconds) => utcText(before(now, seconds)),
    read: (text) => clock.instant(text),
    readFilled: (text) => UTC.instant(text),
    sessionZone: false,
  };
}

function sessionRule(): DateRule {
  const text = (instant: Date) => `${utcText(instant)}+00`;
  return {
    done: text,
    filled: text,
    cutoff: (now, seconds) => text(before(now, seconds)),
    filledCutoff: (now, seconds) => text(before(now, seconds)),
    read: (stored) => UTC.instant(stored),
    readFilled: (stored) => UTC.instant(stored),
    sessionZone: true,
  };
}

const YEAR_ONE_MS = Date.parse("0001-01-02T00:00:00Z");

/** An older age means this one: every database reads the year 1, none a year before it in this form. */
function before(now: Date, seconds: number): Date {
  return new Date(Math.max(now.getTime() - seconds * 1000, YEAR_ONE_MS));
}
