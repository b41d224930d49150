import type { Readable } from "node:stream";
import {
  formatLogRecord,
  type LogRecord,
  type RawLine,
  readLogLine,
  readOutputLine,
  StartError,
  startTaskProcess,
} from "@parlance/coordinator";
import { LineDecoder, type WireValue } from "@parlance/framing";
import { CliError, ExitCode } from "../../errors.ts";
import { type CommandIo, write } from "../../io.ts";
import { jsonText } from "../../json-text.ts";
import { signalExitCode } from "../../signal-exit-code.ts";
import { cutText, escapeControls } from "../../terminal-text.ts";
import { ValuePrinter } from "../value-printer.ts";
import { readTranscript } from "./read-transcript.ts";
import { type ReplayDifference, type ReplayResult, replay } from "./replay.ts";

/** Longer lines of the runtime are cut, in bytes. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Values are cut for people, in characters. */
const MAX_VALUE_CHARACTERS = 400;

/** The options of `parlance wire replay`. */
export interface ReplayCommandOptions {
  readonly strict?: boolean;
  /** In seconds. */
  readonly timeout: number;
  readonly json?: boolean;
}

/** `parlance wire replay`: plays a transcript to a runtime and tells the first difference. */
export async function replayCommand(
  file: string,
  argv: readonly string[],
  options: ReplayCommandOptions,
  io: CommandIo,
): Promise<void> {
  if (argv.length === 0) {
    const message = "wire replay needs the runtime's command line: FILE -- ARGV…. See --help.";
    throw new CliError("usage", message, ExitCode.usage);
  }
  const entries = await readTranscript(file, io);
  const env = Object.entries(io.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  try {
    const task = await startTaskProcess({
      argv,
      env: Object.fromEntries(env),
      cwd: io.cwd,
      startupTimeoutMs: options.timeout * 1000,
      signal: io.signal,
      ...(io.killSignal && { killSignal: io.killSignal }),
      onSpawn: ({ stdout, stderr }) => {
        show(stdout, (line) => readOutputLine("stdout", line, new Date()), io);
        show(stderr, (line) => readOutputLine("stderr", line, new Date()), io);
      },
    });
    const stop = (): void => void task.close();
    io.signal.addEventListener("abort", stop, { once: true });
    try {
      show(task.logs, (line) => readLogLine(line, new Date()), io);
      const timeoutMs = options.timeout * 1000;
      const result = await replay(entries, task, { strict: options.strict === true, timeoutMs });
      if (io.signal.aborted) io.setExitCode(signalExitCode(io));
      else await tell(result, options.json === true, io);
    } finally {
      io.signal.removeEventListener("abort", stop);
      await task.close();
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new CliError(error.code, `wire replay: ${error.message}`, ExitCode.failed);
  }
}

/** What the runtime says goes to stderr, for a person. */
function show(stream: Readable, read: (line: RawLine) => LogRecord, io: CommandIo): void {
  const decoder = new LineDecoder({ maxLineBytes: MAX_LINE_BYTES });
  const print = (lines: readonly RawLine[]): void => {
    for (const line of lines) {
      io.stderr.write(`  ${formatLogRecord(read(line), { cwd: io.cwd })}\n`);
    }
  };
  stream.on("data", (chunk: Uint8Array) => print(decoder.push(chunk)));
  stream.on("end", () => print(decoder.end()));
}

async function tell(result: ReplayResult, json: boolean, io: CommandIo): Promise<void> {
  const { frames, exitCode, difference } = result;
  const count = `${frames} frame${frames === 1 ? "" : "s"}`;
  if (difference !== undefined) io.setExitCode(ExitCode.failed);
  if (json) await write(io.stdout, `${resultJson(result)}\n`);
  else if (difference === undefined) {
    const exit = exitCode === undefined ? "" : `, exit code ${exitCode}`;
    await write(io.stdout, `equal: ${count}${exit}\n`);
  } else await write(io.stdout, `${differenceText(difference)} (equal before it: ${count})\n`);
}

function differenceText({ frame, type, path, expected, got, reason }: ReplayDifference): string {
  const name = type === null ? "" : ` (${escapeControls(type)})`;
  const where = frame === null ? "at the end" : `frame ${frame}${name}`;
  const place = path === "" ? "" : ` ${escapeControls(path)}`;
  const told = reason === undefined ? "" : ` ${escapeControls(reason)};`;
  return `different: ${where}${place}:${told} expected ${shown(expected)}, got ${shown(got)}`;
}

function shown(value: WireValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = valueJson(value);
  return text.length > MAX_VALUE_CHARACTERS
    ? `${cutText(text).slice(0, MAX_VALUE_CHARACTERS)}…`
    : text;
}

/** A value that is not there has no key. */
function resultJson({ frames, exitCode, difference }: ReplayResult): string {
  let text = `{"equal":${difference === undefined},"frames":${frames}`;
  if (exitCode !== undefined) text += `,"exitCode":${exitCode}`;
  if (difference === undefined) return `${text}}`;
  const { frame, type, path, expected, got, reason } = difference;
  text += `,"difference":${jsonText({ frame, type, path, reason }).slice(0, -1)}`;
  if (expected !== undefined) text += `,"expected":${valueJson(expected)}`;
  if (got !== undefined) text += `,"got":${valueJson(got)}`;
  return `${text}}}`;
}

function valueJson(value: WireValue): string {
  let text = "";
  new ValuePrinter((piece) => {
    text += piece;
  }).print(value);
  return text;
}
