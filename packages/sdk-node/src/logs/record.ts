import { errorDetail, errorText } from "./error-detail.ts";
import { JsonWriter } from "./json-writer.ts";
import type { LogLevel } from "./level-filter.ts";
import { jsonString, wellFormed } from "./well-formed.ts";

/** Fields that a caller adds to a record. */
export type LogFields = { readonly [name: string]: unknown };

/**
 * Names that the record itself or the stock reader uses. A field of one of these names would end
 * the stock supervisor (`msg`, `target`, `self`), hide the record's own value or vanish
 * (`exc_info`, `stack_info`, `positional_args`, `logger_name`).
 */
const RESERVED = new Set([
  "timestamp",
  "level",
  "logger",
  "event",
  "exception",
  "error_detail",
  "msg",
  "target",
  "self",
  "exc_info",
  "stack_info",
  "positional_args",
  "logger_name",
]);

/** Longer field names are cut. */
const MAX_NAME = 1000;
/** Room kept for the marker of a shortened record and for punctuation. */
const MARKER_ROOM = 100;

/** One record before it is written. */
export interface RecordInput {
  readonly time: Date;
  readonly level: LogLevel;
  readonly logger: string;
  readonly event: string;
  readonly fields: LogFields | undefined;
}

/**
 * One record as the line that goes to the log channel, with its line end.
 *
 * - UTF-8 JSON in one physical line; `timestamp` (UTC, six digits, `Z`), `level`, `logger` and
 *   `event` come first and are always text.
 * - A field with a reserved name gets `_` appended, again until the name is free.
 * - The first field that holds an Error becomes `exception` (the shape of Airflow's log view, with
 *   causes); the field itself keeps `Name: message`.
 * - A record beyond `maxBytes` is shortened: texts end in `… [cut: N characters]`, lists and maps
 *   in an entry of that kind, and a field `shortened: true` is added.
 *
 * Never throws: see {@link JsonWriter} for values that JSON cannot hold.
 */
export function recordLine(input: RecordInput, maxBytes: number): string {
  // Bytes are at most three times the characters, and escapes six times: shrink until it fits.
  for (let budget = maxBytes; ; budget = Math.floor(budget / 3)) {
    const line = writeLine(input, budget);
    if (budget < 64 || line.length * 3 <= maxBytes || Buffer.byteLength(line) <= maxBytes) {
      return line;
    }
  }
}

function writeLine({ time, level, logger, event, fields }: RecordInput, budget: number): string {
  const room = Math.max(0, budget - MARKER_ROOM);
  const head = new JsonWriter(Math.floor(room / 2));
  const start =
    `{"timestamp":"${timestamp(time)}","level":"${level}"` +
    `,"logger":${head.write(logger)},"event":${head.write(event)}`;
  const body = new JsonWriter(room - start.length);
  const taken = new Set(RESERVED);
  const parts = [start];
  const add = (name: string, value: unknown): void => {
    const written = body.write(value);
    if (written === undefined) return;
    taken.add(name);
    parts.push(`${jsonString(name)}:${written}`);
    body.spend(name.length);
  };
  const entries = safeEntries(fields);
  const failure = entries.find(([, value]) => value instanceof Error);
  if (failure !== undefined) add("exception", errorDetail(failure[1])); // first: never cut away
  for (const entry of entries) {
    if (body.remaining <= 0) {
      body.cut = true;
      break;
    }
    if (entry[0].length > MAX_NAME) body.cut = true;
    add(freeName(entry[0], taken), entry === failure ? errorText(entry[1]) : entry[1]);
  }
  if (head.cut || body.cut) parts.push(`${jsonString(freeName("shortened", taken))}:true`);
  return `${parts.join(",")}}\n`;
}

function safeEntries(fields: LogFields | undefined): [string, unknown][] {
  if (fields === undefined || fields === null) return [];
  let keys: string[];
  try {
    keys = Object.keys(fields);
  } catch (error) {
    return [["fields", `[threw: ${errorText(error)}]`]];
  }
  return keys.map((key) => {
    try {
      return [key, fields[key]];
    } catch (error) {
      return [key, `[threw: ${errorText(error)}]`];
    }
  });
}

function freeName(key: string, taken: ReadonlySet<string>): string {
  let name = wellFormed(key.length > MAX_NAME ? `${key.slice(0, MAX_NAME)}…` : key);
  while (taken.has(name)) name += "_";
  return name;
}

/** Exactly six digits: the stock reader takes other shapes differently in each release. */
function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, -1)}000Z`;
}
