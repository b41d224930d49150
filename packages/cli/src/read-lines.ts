import { LineDecoder } from "@parlance/framing";
import { CliError, ExitCode } from "./errors.ts";
import type { CommandIo } from "./io.ts";
import { readInput } from "./read-input.ts";

/** Below what one string can hold. */
const MAX_LINE_BYTES = 500_000_000;

/** One line of the input. */
export interface NumberedLine {
  /** From 1 on. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a file, or of stdin without one, that are not blank, as they arrive: all lines of
 * one chunk together, so that what is made of them can be written together.
 *
 * @throws CliError 65 `not-json` for what is no UTF-8, `line-too-long`, `cannot-read`
 */
export async function* readLines(
  io: CommandIo,
  file?: string | undefined,
): AsyncGenerator<readonly NumberedLine[]> {
  const decoder = new LineDecoder({ maxLineBytes: MAX_LINE_BYTES });
  let count = 0;
  const readable = (lines: ReturnType<LineDecoder["push"]>): NumberedLine[] =>
    lines
      .map(({ bytes, truncated }) => lineOf(bytes, truncated, ++count))
      .filter(({ text }) => text.trim() !== "");
  for await (const chunk of readInput(io, file)) yield readable(decoder.push(chunk));
  if (!io.signal.aborted) yield readable(decoder.end()); // else the last line may be half a line
}

function lineOf(bytes: Uint8Array, isTruncated: boolean, number: number): NumberedLine {
  if (isTruncated) throw badLine("line-too-long", number, `over ${MAX_LINE_BYTES} bytes`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { number, text };
  } catch (cause) {
    throw badLine("not-json", number, "the line is not UTF-8", cause);
  }
}

/** What a command ends with over a line of its input. */
export function badLine(code: string, line: number, what: string, cause?: unknown): CliError {
  return new CliError(code, `line ${line}: ${what}`, ExitCode.badInput, { line }, { cause });
}
