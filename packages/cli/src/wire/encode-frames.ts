import type { Direction } from "@parlance/protocol";
import { answerLines } from "../answer-lines.ts";
import type { CommandIo } from "../io.ts";
import { badLine, MAX_TEXT_LINE_BYTES, type NumberedLine } from "../read-lines.ts";
import { encodeFrameLine, LineError } from "./frame-line.ts";

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
  await answerLines(io, { file, maxLineBytes: MAX_TEXT_LINE_BYTES }, (line, emit) => {
    const frame = encodeLine(line, direction);
    if (frame !== undefined) emit(frame);
  });
}

function encodeLine(line: NumberedLine, direction: Direction): Uint8Array | undefined {
  const { number, bytes, truncated } = line;
  if (truncated) throw badLine("line-too-long", number, `over ${MAX_TEXT_LINE_BYTES} bytes`);
  try {
    return encodeFrameLine(bytes, direction);
  } catch (error) {
    throw error instanceof LineError ? badLine(error.code, number, error.message, error) : error;
  }
}
