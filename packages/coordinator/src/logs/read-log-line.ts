import { hasMoreValues } from "./json-text.ts";
import type { LogLevel, LogRecord } from "./log-record.ts";
import { logTimestamp, SUPERVISOR_LOGGER } from "./log-record.ts";
import { normaliseLogTimestamp } from "./log-timestamp.ts";
import { parseExactIntegers } from "./parse-exact-integers.ts";

/** A line as framing's `LineDecoder` gives it. */
export interface RawLine {
  readonly bytes: Uint8Array;
  /** True where the line was longer than the limit and `bytes` is its beginning. */
  readonly truncated: boolean;
}

/** The level words stock Airflow understands, and what it writes for them. Every other one it drops. */
const LEVELS: ReadonlyMap<string, LogLevel> = new Map([
  ["debug", "debug"],
  ["info", "info"],
  ["warn", "warning"],
  ["warning", "warning"],
  ["error", "error"],
  ["exception", "error"],
  ["critical", "critical"],
  ["fatal", "critical"],
]);

/** Deeper records are refused: what writes them out again would run out of stack. */
const MAX_DEPTH = 512;

/** Parsed, a line of empty lists takes fifty times its length, and minutes: more are not parsed. */
export const MAX_VALUES: number = 2 ** 20;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads one line of the log channel. It never throws: a line that can't be read as a record, or that
 * stock Airflow would drop or break on, becomes one record of level `warning` that carries the whole
 * line (`line`, or `line_base64` where it is no UTF-8) and says why.
 *
 * As in stock, `exception` becomes `error_detail` and a lone `logger_name` names the logger. All
 * other fields pass through, integers beyond ±(2^53-1) as `{"$":"int","v":"…"}`.
 */
export function readLogLine(line: RawLine, now: Date): LogRecord {
  const text = decode(line.bytes);
  if (text === undefined) return unreadable(line, undefined, "it is no UTF-8", now);
  const refuse = (why: string): LogRecord => unreadable(line, text, why, now);

  if (line.truncated) return refuse("it is longer than the limit and was cut");
  if (hasMoreValues(text, MAX_VALUES)) return refuse(`it holds more than ${MAX_VALUES} values`);
  if (!text.startsWith("{") && text.trim() === "") return refuse("it is empty");
  let fields: unknown;
  try {
    fields = parseExactIntegers(text);
  } catch {
    return refuse("it is no JSON");
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return refuse("it is JSON, but no object");
  }
  return toRecord(fields as Fields, refuse, now);
}

/**
 * Makes a record of a line the process printed, verbatim: level `info` and logger `task.stdout`, or
 * `error` and `task.stderr`, as stock has it. A line that is no UTF-8 also carries its bytes.
 */
export function readOutputLine(stream: "stdout" | "stderr", line: RawLine, now: Date): LogRecord {
  const text = decode(line.bytes);
  return {
    timestamp: logTimestamp(now),
    level: stream === "stdout" ? "info" : "error",
    logger: `task.${stream}`,
    event: text ?? lenientUtf8.decode(line.bytes),
    ...(text === undefined && { line_base64: base64(line.bytes) }),
    ...(line.truncated && { truncated: true }),
  };
}

/** Whether a record with this level is one to stock Airflow. */
export function isLevelWord(word: string): boolean {
  return LEVELS.has(word);
}

type Fields = { [key: string]: unknown };

/** The parsed object is nobody else's: it becomes the record. */
function toRecord(fields: Fields, refuse: (why: string) => LogRecord, now: Date): LogRecord {
  const word = fields["level"];
  if (word === undefined) return refuse("it has no level");
  const level = typeof word === "string" ? LEVELS.get(word) : undefined;
  if (level === undefined) {
    const words = [...LEVELS.keys()].join(", ");
    // Not as JSON when it is nested: it may be so deep that writing it runs out of stack.
    const shown =
      typeof word === "object" && word !== null ? "of another type" : JSON.stringify(word);
    return refuse(`its level ${shown.slice(0, 100)} is none of ${words}`);
  }
  const timestamp = readTimestamp(fields["timestamp"], now);
  if (timestamp === undefined) return refuse("its timestamp is no RFC 3339 date-time");
  if (!isShallow(fields, 0)) return refuse(`it has more than ${MAX_DEPTH} levels`);

  const record = needsRenaming(fields) ? rename(fields) : fields;
  record["timestamp"] = timestamp;
  record["level"] = level;
  const logger = record["logger"] ?? "task";
  record["logger"] = typeof logger === "string" ? logger : JSON.stringify(logger);
  record["event"] ??= "";
  return record as unknown as LogRecord;
}

function needsRenaming(fields: Fields): boolean {
  return fields["exception"] !== undefined || fields["logger_name"] !== undefined;
}

function rename(fields: Fields): Fields {
  const namesLogger = fields["logger"] === undefined && typeof fields["logger_name"] === "string";
  const renamed: Fields = {};
  for (const [key, value] of Object.entries(fields)) {
    if (key === "logger_name" && namesLogger) setOwn(renamed, "logger", value);
    else if (key === "exception" && !Object.hasOwn(fields, "error_detail"))
      setOwn(renamed, "error_detail", value);
    else setOwn(renamed, key, value);
  }
  return renamed;
}

/** A plain assignment to `__proto__` would change the object instead of giving it a field. */
function setOwn(record: { [field: string]: unknown }, key: string, value: unknown): void {
  if (key !== "__proto__") record[key] = value;
  else Object.defineProperty(record, key, { value, enumerable: true });
}

function readTimestamp(value: unknown, now: Date): string | null | undefined {
  if (value === undefined) return logTimestamp(now);
  if (value === null || value === "") return value;
  return typeof value === "string" ? normaliseLogTimestamp(value) : undefined;
}

function unreadable(line: RawLine, text: string | undefined, why: string, now: Date): LogRecord {
  return {
    timestamp: logTimestamp(now),
    level: "warning",
    logger: SUPERVISOR_LOGGER,
    event: `a line on the log channel is no record: ${why}`,
    ...(text === undefined ? { line_base64: base64(line.bytes) } : { line: text }),
    ...(line.truncated && { truncated: true }),
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

function isShallow(value: object, depth: number): boolean {
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    return value.every(
      (item) => typeof item !== "object" || item === null || isShallow(item, depth + 1),
    );
  }
  for (const key in value) {
    const item = (value as Fields)[key];
    if (typeof item === "object" && item !== null && !isShallow(item, depth + 1)) return false;
  }
  return true;
}
