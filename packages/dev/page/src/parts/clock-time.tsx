import type { JSX } from "preact";

const TIME = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** `12:03:04`, with the day before it where it was not today. */
export function clockText(iso: string, nowMs: number = Date.now()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const isToday = date.toDateString() === new Date(nowMs).toDateString();
  return isToday ? TIME.format(date) : `${DAY.format(date)}, ${TIME.format(date)}`;
}

/** A time of the reader's own zone; the exact one is its title. */
export function ClockTime({ iso }: { iso: string }): JSX.Element {
  return (
    <time dateTime={iso} title={iso}>
      {clockText(iso)}
    </time>
  );
}
