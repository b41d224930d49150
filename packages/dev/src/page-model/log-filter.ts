import type { LogEntry } from "../api/types.ts";
import { plainLine } from "./plain-text.ts";

/** The levels of a log, from quiet to loud. */
export const LOG_LEVELS = ["debug", "info", "warning", "error", "critical"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How much of a line is laid out; the rest is shown when the line is opened. */
export const SHOWN_CHARACTERS = 1_000;
const SEARCHED_CHARACTERS = 100_000;

/** What of a log is shown. */
export interface LogFilter {
  readonly levels: ReadonlySet<string>;
  /** Found in either case; empty for all. */
  readonly search: string;
}

/** What was logged as text: an event that is no text, as JSON. */
export function eventText(entry: LogEntry): string {
  return typeof entry.event === "string" ? entry.event : (JSON.stringify(entry.event) ?? "");
}

/** One line to show, of a limited length. */
export function shownLine(entry: LogEntry): string {
  const text = eventText(entry);
  const head = plainLine(text.slice(0, SHOWN_CHARACTERS));
  return text.length > SHOWN_CHARACTERS ? `${head} … ${text.length - SHOWN_CHARACTERS} more` : head;
}

/** The fields that were logged beside the event. */
export function extraFields(entry: LogEntry): readonly (readonly [string, unknown])[] {
  const known = ["timestamp", "level", "logger", "event"];
  return Object.entries(entry).filter(([name]) => !known.includes(name));
}

/**
 * The indexes of the entries from `from` on that pass; of a text, the first 100,000 characters are searched.
 */
export function filterLog(
  entries: readonly LogEntry[],
  { levels, search }: LogFilter,
  from = 0,
): number[] {
  const needle = search.toLowerCase();
  const found: number[] = [];
  for (let index = from; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === undefined || !levels.has(entry.level)) continue;
    if (needle === "" || matches(entry, needle)) found.push(index);
  }
  return found;
}

function matches(entry: LogEntry, needle: string): boolean {
  if (eventText(entry).slice(0, SEARCHED_CHARACTERS).toLowerCase().includes(needle)) return true;
  if (entry.logger.toLowerCase().includes(needle)) return true;
  const fields = extraFields(entry);
  return fields.length > 0 && JSON.stringify(fields).toLowerCase().includes(needle);
}
