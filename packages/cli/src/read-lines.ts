import { LineDecoder } from "@parlance/framing";
import { CliError, ExitCode } from "./errors.ts";
import type { CommandIo } from "./io.ts";
import { readInput } from "./read-input.ts";

/** Below what one string can hold. */
export const MAX_TEXT_LINE_BYTES = 500_000_000;

/** One line of the input. */
export interface NumberedLine {
  /** From 1 on. */
  readonly number: number;
  /** Without its end; the beginning of it where it is `truncated`. */
  readonly bytes: Uint8Array;
  /** It was longer than it may be. */
  readonly truncated: boolean;
}

/** Where lines come from, and how long one may be. */
export interface ReadLinesOptions {
  /** Stdin when absent or `-`. */
  readonly file?: string | undefined;
  readonly maxLineBytes: number;
}

/**
 * The lines of a file or of stdin as they arrive: all lines of one chunk together, so that what is
 * made of them can be written together. Nothing is said of what is in them: whoever answers lines
 * one by one has then answered those before a bad one. Ends early on Ctrl-C, without the last line,
 * which may be half a line.
 *
 * @throws CliError 65 `cannot-read`
 */
export async function* readLines(
  io: CommandIo,
  { file, maxLineBytes }: ReadLinesOptions,
): AsyncGenerator<readonly NumberedLine[]> {
  const decoder = new LineDecoder({ maxLineBytes });
  let count = 0;
  const numbered = (lines: ReturnType<LineDecoder["push"]>): NumberedLine[] =>
    lines.map(({ bytes, truncated }) => ({ number: ++count, bytes, truncated }));
  for await (const chunk of readInput(io, file)) yield numbered(decoder.push(chunk));
  if (!io.signal.aborted) yield numbered(decoder.end());
}

/**
 * A line of at most {@link MAX_TEXT_LINE_BYTES} as text; undefined for one that is blank.
 *
 * @throws CliError 65 `not-json` for what is no UTF-8, `line-too-long`
 */
export function textOfLine({ number, bytes, truncated }: NumberedLine): string | undefined {
  if (truncated) throw badLine("line-too-long", number, `over ${MAX_TEXT_LINE_BYTES} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw badLine("not-json", number, "the line is not UTF-8", cause);
  }
  return text.trim() === "" ? undefined : text;
}

/** What a command ends with over a line of its input. */
export function badLine(code: string, line: number, what: string, cause?: unknown): CliError {
  return new CliError(code, `line ${line}: ${what}`, ExitCode.badInput, { line }, { cause });
}
