import { formatLogRecord, type ObservedFrame, type TaskResult } from "@parlance/coordinator";
import pico from "picocolors";
import type { CommandIo } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { endedWell } from "./ended-well.ts";
import { formatDuration } from "./format-duration.ts";
import { formatFrame, frameJson, traceWidth } from "./format-frame.ts";
import { Progress } from "./progress.ts";
import type { TraceOption } from "./run-options.ts";
import type { RunObserver } from "./run-tasks.ts";

/** Colours of a stream, none where they are not wanted. */
export type Colors = ReturnType<typeof pico.createColors>;

/**
 * Prints attempts and their log records as they come, for a person, on stderr.
 *
 * What a child wrote is escaped: it never reaches the terminal as control characters.
 */
export function terminalObserver(
  { stderr, env, cwd, signal }: CommandIo,
  options: { readonly trace: TraceOption; readonly json: boolean },
): RunObserver {
  const colors = colorsFor(stderr, env);
  const progress = new Progress(stderr, signal, { mayWait: !options.json });
  const print = (line: string) => progress.print(line);
  const stopping = "stopping; the task has 5 s to clear up. Ctrl-C again ends it at once";
  signal.addEventListener("abort", () => void print(`  ${colors.yellow(stopping)}`), {
    once: true,
  });
  const frameLine = (taskId: string, frame: ObservedFrame): string => {
    if (options.json) return frameJson(frame, taskId);
    const width = options.trace === "full" ? undefined : traceWidth(stderr, 2);
    return `  ${colors.dim(formatFrame(frame, width))}`;
  };
  return {
    attemptStarted: (taskId, tryNumber) => {
      const tries = tryNumber > 1 ? ` (try ${tryNumber})` : "";
      void print(`${colors.bold(escapeControls(taskId))}${tries}`);
    },
    ...(options.trace !== "none" && {
      frame: (taskId: string, frame: ObservedFrame) => void print(frameLine(taskId, frame)),
    }),
    logged: (_taskId, record) => print(`  ${formatLogRecord(record, { cwd, colors })}`),
    attemptEnded: (_taskId, _tryNumber, result) =>
      void print(`  ${formatVerdict(result, colors)}\n`),
  };
}

/** No colours unless the stream is a terminal; never under NO_COLOR. */
export function colorsFor(stream: NodeJS.WritableStream, env: NodeJS.ProcessEnv): Colors {
  const isTerminal = (stream as NodeJS.WriteStream).isTTY === true;
  return pico.createColors(isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb");
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
  return `→ ${state} in ${formatDuration(result.durationMs)}${exit}${why}`;
}
