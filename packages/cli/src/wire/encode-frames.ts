import type { Line } from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { answerLines } from "../answer-lines.ts";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { encodeFrameLine, LineError } from "./frame-line.ts";

/** Below what one string can hold. */
const MAX_LINE_BYTES = 500_000_000;

/** Flags of `parlance wire encode`. */
export interface EncodeFramesOptions {
  readonly direction: Direction;
  /** Stdin when absent or `-`. */
  readonly file?: string | undefined;
}

/**
 * Writes the frames that the lines of a file or of stdin describe, as they arrive.
 *
 * @throws CliError 65 with the code and the number of the bad line, after the frames before it
 * were written
 */
export async function encodeFrames(io: CommandIo, options: EncodeFramesOptions): Promise<void> {
  const { file, direction } = options;
  await answerLines(io, { file, maxLineBytes: MAX_LINE_BYTES }, (line, number) =>
    encodeLine(line, number, direction),
  );
}

function encodeLine(line: Line, number: number, direction: Direction): Uint8Array | undefined {
  if (line.truncated) throw badLine("line-too-long", number, `over ${MAX_LINE_BYTES} bytes`);
  try {
    return encodeFrameLine(line.bytes, direction);
  } catch (error) {
    throw error instanceof LineError ? badLine(error.code, number, error.message, error) : error;
  }
}

function badLine(code: string, line: number, what: string, cause?: unknown): CliError {
  const message = `line ${line}: ${what}`;
  return new CliError(code, message, ExitCode.badInput, { line }, { cause });
}
