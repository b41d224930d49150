import { cutText } from "../text/cut-text.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { errorHead, errorLines } from "./error-lines.ts";
import type { LogRecord } from "./log-record.ts";

/** Fields that have a place of their own in the printed line. */
const PLACED = new Set(["timestamp", "level", "logger", "event", "error_detail"]);
/** The logger of `log` in a handler: not worth a word on every line. */
const TASK_LOGGER = "task";

/** What makes parts of a line stand out; picocolors and the like fit as they are. */
export interface LogColors {
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** @see formatLogRecord */
export interface FormatLogRecordOptions {
  /** Paths below this folder are shown from there. Default: all are shown whole. */
  readonly cwd?: string | undefined;
  /** Default: none. */
  readonly colors?: LogColors | undefined;
  /** `clock` (default): the time of day, in UTC; `full`: the timestamp as it is. */
  readonly time?: "clock" | "full";
}

/**
 * A log record for a person: time (UTC), level, text, fields and logger on one line, further lines
 * of the text below it, then the stack of an error, all of these set in by four spaces.
 *
 * Control characters, bidirectional marks and foreign line ends are escaped, so that nothing a task
 * logs acts upon a terminal or looks like another record. A text of more than 262,144 characters is
 * cut, and says so.
 */
export function formatLogRecord(record: LogRecord, options: FormatLogRecordOptions = {}): string {
  const { cwd, colors = PLAIN } = options;
  const { level, logger, event, error_detail: detail } = record;
  const trace = errorLines(detail, cwd);
  // The stack says it all; the runtime's short text of the same error would say it again.
  const told = errorHead(detail);
  const fields = Object.entries(record)
    .filter(([name, value]) => !PLACED.has(name) && (told === undefined || value !== told))
    .map(([name, value]) => `${escapeControls(name)}=${formatValue(value)}`);
  if (logger !== TASK_LOGGER) fields.push(`(${escapeControls(String(logger))})`);
  const text = typeof event === "string" ? cutText(event) : formatValue(event);
  const [first = "", ...more] = escapeControls(text, { keepLineEnds: true }).split("\n");
  const line = [
    colors.dim(timeOf(record, options.time ?? "clock")),
    colorOf(level, colors)(String(level).padEnd(8)),
    first,
    ...(fields.length > 0 ? [colors.dim(fields.join(" "))] : []),
  ].join(" ");
  return [line, ...more, ...trace].join("\n    ");
}

const same = (text: string): string => text;
const PLAIN: LogColors = { dim: same, red: same, yellow: same, cyan: same };

function timeOf({ timestamp }: LogRecord, form: "clock" | "full"): string {
  if (form === "full") return escapeControls(String(timestamp));
  return /T(\d\d:\d\d:\d\d\.\d{3})/.exec(String(timestamp))?.[1] ?? "";
}

function formatValue(value: unknown): string {
  const text =
    typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return escapeControls(cutText(text ?? "null"));
}

function colorOf(level: unknown, colors: LogColors): (text: string) => string {
  if (level === "critical" || level === "error") return colors.red;
  if (level === "warning") return colors.yellow;
  return level === "debug" ? colors.dim : colors.cyan;
}
