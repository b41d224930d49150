import { CalendarDate } from "../values/calendar-date.ts";
import { PythonFloat } from "../values/python-float.ts";

type Entry = readonly [unknown, unknown];

/** Entries as Python's `sorted` orders them by key; in their own order where it would give up. */
export function sortEntries(entries: readonly Entry[]): readonly Entry[] {
  const [first] = entries;
  if (first === undefined || entries.length === 1) return entries;
  const kind = kindOf(first[0]);
  if (kind === undefined || entries.some(([key]) => kindOf(key) !== kind)) return entries;
  return [...entries].sort(([a], [b]) => compare(a, b, kind));
}

function kindOf(key: unknown): "text" | "number" | "bytes" | "date" | undefined {
  if (typeof key === "string") return "text";
  if (typeof key === "number" || typeof key === "bigint" || typeof key === "boolean")
    return "number";
  if (key instanceof PythonFloat) return "number";
  if (key instanceof Uint8Array) return "bytes";
  return key instanceof CalendarDate ? "date" : undefined;
}

function compare(a: unknown, b: unknown, kind: "text" | "number" | "bytes" | "date"): number {
  if (kind === "text") return compareText(a as string, b as string);
  if (kind === "bytes") return Buffer.compare(a as Uint8Array, b as Uint8Array);
  if (kind === "date") return String(a) < String(b) ? -1 : 1;
  const left = a as number; // whatever JavaScript compares as a number
  const right = b as number;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** By code point, as Python compares; JavaScript puts astral characters before U+E000. */
function compareText(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // the units may differ in the second half of an astral character
  const before = at === 0 ? 0 : a.charCodeAt(at - 1);
  const start = before >= 0xd800 && before < 0xdc00 ? at - 1 : at;
  return codeAt(a, start) - codeAt(b, start) || codeAt(a, at) - codeAt(b, at);
}

/** The end of a text comes before every character. */
function codeAt(text: string, at: number): number {
  return text.codePointAt(at) ?? -1;
}
