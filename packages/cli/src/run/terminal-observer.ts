import type { LogRecord, ObservedMessage, TaskResult } from "@parlance/coordinator";
import pico from "picocolors";
import { escapeControls } from "../terminal-text.ts";
import { endedWell } from "./ended-well.ts";
import { errorLines } from "./error-lines.ts";
import type { RunObserver } from "./run-tasks.ts";

type Colors = ReturnType<typeof pico.createColors>;

/** Fields that have a place of their own in the printed line. */
const PLACED = new Set(["timestamp", "level", "logger", "event"]);

/**
 * Prints attempts and their log records as they come, for a person.
 *
 * What a child wrote is escaped: it never reaches the terminal as control characters.
 */
export function terminalObserver(
  stream: NodeJS.WritableStream,
  env: NodeJS.ProcessEnv,
  options: { readonly trace: boolean },
): RunObserver {
  const colors = colorsFor(stream, env);
  const print = (line: string) => void stream.write(`${line}\n`);
  return {
    attemptStarted: (taskId, tryNumber) => {
      print(`${colors.bold(escapeControls(taskId))}${tryNumber > 1 ? ` (try ${tryNumber})` : ""}`);
    },
    ...(options.trace && {
      message: (message: ObservedMessage) => print(`  ${colors.dim(formatMessage(message))}`),
    }),
    logged: (_taskId, record) => print(`  ${formatRecord(record, colors)}`),
    attemptEnded: (_taskId, _tryNumber, result) => print(`  ${formatVerdict(result, colors)}\n`),
  };
}

/** No colours unless the stream is a terminal; never under NO_COLOR. */
export function colorsFor(stream: NodeJS.WritableStream, env: NodeJS.ProcessEnv): Colors {
  const isTerminal = (stream as NodeJS.WriteStream).isTTY === true;
  return pico.createColors(isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb");
}

/** One line of `--trace`: no values, they may be secrets. */
function formatMessage({ direction, id, type, error, errorSlot }: ObservedMessage): string {
  const word = escapeControls(type ?? "(empty)");
  const detail = error === null ? "" : ` ${escapeControls(error)} (${errorSlot} slot)`;
  return `frame ${direction.padEnd(13)} ${String(id).padStart(3)} ${word}${detail}`;
}

function formatRecord(record: LogRecord, colors: Colors): string {
  const { timestamp, level, logger, event } = record;
  const trace = errorLines(record["error_detail"]);
  // The trace says it all; the runtime's short `error` beside it would say it again.
  const shownElsewhere = trace.length > 0 ? ["error_detail", "error"] : [];
  const time = /T(\d\d:\d\d:\d\d\.\d{3})/.exec(String(timestamp))?.[1] ?? "";
  const fields = Object.entries(record)
    .filter(([name]) => !PLACED.has(name) && !shownElsewhere.includes(name))
    .map(([name, value]) => `${escapeControls(name)}=${formatValue(value)}`);
  const text = typeof event === "string" ? event : formatValue(event);
  const line = [
    colors.dim(time),
    colorOf(level, colors)(String(level).padEnd(8)),
    escapeControls(text, { keepLineEnds: true }).replaceAll("\n", "\n    "),
    colors.dim([...fields, `(${escapeControls(String(logger))})`].join(" ")),
  ].join(" ");
  return [line, ...trace].join("\n    ");
}

function formatValue(value: unknown): string {
  const text =
    typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return escapeControls(text ?? "null");
}

function colorOf(level: unknown, colors: Colors): (text: string) => string {
  if (level === "critical" || level === "error") return colors.red;
  if (level === "warning") return colors.yellow;
  return level === "debug" ? colors.dim : colors.cyan;
}

/** One line: the state, how long it took, and why it is not success. */
function formatVerdict(result: TaskResult, colors: Colors): string {
  const color = endedWell(result.finalState) ? colors.green : colors.red;
  const state = color(result.finalState);
  const exit =
    result.exitCode === null || result.exitCode === 0 ? "" : `, exit code ${result.exitCode}`;
  const why =
    result.error === undefined
      ? ""
      : `: ${escapeControls(result.error.message, { keepLineEnds: true })}`;
  return `→ ${state} in ${Math.round(result.durationMs)} ms${exit}${why}`;
}
