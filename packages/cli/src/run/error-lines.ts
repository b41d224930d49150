import { escapeControls } from "../terminal-text.ts";

/** The shape in which a record carries an exception (Airflow's own); frames are oldest first. */
interface ExceptionInfo {
  readonly exc_type?: unknown;
  readonly exc_value?: unknown;
  readonly is_cause?: unknown;
  readonly frames?: unknown;
}

const MAX_FRAMES = 8;

/**
 * A record's `error_detail` as the lines of a JavaScript stack trace: newest frame first, Node's
 * own left out. Empty where the field has another shape.
 */
export function errorLines(detail: unknown): readonly string[] {
  if (!Array.isArray(detail)) return [];
  return detail.flatMap((info: ExceptionInfo, index) => {
    if (typeof info !== "object" || info === null) return [];
    const head = `${String(info.exc_type)}: ${String(info.exc_value)}`;
    const lead = index === 0 ? "" : "caused by ";
    return [`${lead}${escapeControls(head, { keepLineEnds: true })}`, ...frameLines(info.frames)];
  });
}

function frameLines(frames: unknown): readonly string[] {
  if (!Array.isArray(frames)) return [];
  return frames
    .filter((frame) => typeof frame?.filename === "string" && !frame.filename.startsWith("node:"))
    .reverse()
    .slice(0, MAX_FRAMES)
    .map(({ name, filename, lineno }) => escapeControls(`  at ${name} (${filename}:${lineno})`));
}
