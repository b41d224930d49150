import type { LogRecord } from "@parlance/coordinator";
import { escapeControls } from "../terminal-text.ts";
import { cutText } from "./cut-text.ts";
import { errorHead, errorLines } from "./error-lines.ts";
import type { Colors } from "./terminal-observer.ts";

/** Fields that have a place of their own in the printed line. */
const PLACED = new Set(["timestamp", "level", "logger", "event", "error_detail"]);
/** The logger of `log` in a handler: not worth a word on every line. */
const TASK_LOGGER = "task";

/**
 * A log record for a person: time (UTC), level, text, fields and logger on one line, further lines
 * of the text below it, then the stack of an error.
 *
 * @param cwd - paths below it are shown from there
 */
export function formatRecord(record: LogRecord, cwd: string, colors: Colors): string {
  const { timestamp, level, logger, event, error_detail: detail } = record;
  const trace = errorLines(detail, cwd);
  // The stack says it all; the runtime's short text of the same error would say it again.
  const told = errorHead(detail);
  const time = /T(\d\d:\d\d:\d\d\.\d{3})/.exec(String(timestamp))?.[1] ?? "";
  const fields = Object.entries(record)
    .filter(([name, value]) => !PLACED.has(name) && (told === undefined || value !== told))
    .map(([name, value]) => `${escapeControls(name)}=${formatValue(value)}`);
  if (logger !== TASK_LOGGER) fields.push(`(${escapeControls(String(logger))})`);
  const text = typeof event === "string" ? cutText(event) : formatValue(event);
  const [first = "", ...more] = escapeControls(text, { keepLineEnds: true }).split("\n");
  const line = [
    colors.dim(time),
    colorOf(level, colors)(String(level).padEnd(8)),
    first,
    ...(fields.length > 0 ? [colors.dim(fields.join(" "))] : []),
  ].join(" ");
  return [line, ...more, ...trace].join("\n    ");
}

function formatValue(value: unknown): string {
  const text =
    typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return escapeControls(cutText(text ?? "null"));
}

function colorOf(level: unknown, colors: Colors): (text: string) => string {
  if (level === "critical" || level === "error") return colors.red;
  if (level === "warning") return colors.yellow;
  return level === "debug" ? colors.dim : colors.cyan;
}
