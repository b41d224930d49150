import type { CommandIo } from "./io.ts";
import { type NumberedLine, type ReadLinesOptions, readLines } from "./read-lines.ts";
import { Output } from "./wire/output.ts";

/**
 * Writes an answer to each line of a file or of stdin, in order and as they arrive. Ends early where
 * the reader has gone. What `answer` throws ends it after the answers before were written.
 *
 * @param answer - gives the pieces of the answer to `emit`, or none
 */
export async function answerLines(
  io: CommandIo,
  options: ReadLinesOptions,
  answer: (line: NumberedLine, emit: (piece: string | Uint8Array) => void) => void,
): Promise<void> {
  const output = new Output(io);
  const emit = (piece: string | Uint8Array): void => output.add(piece);
  try {
    for await (const lines of readLines(io, options)) {
      for (const line of lines) {
        answer(line, emit);
        await output.offer();
      }
      await output.flush();
      if (output.isClosed) return;
    }
  } finally {
    await output.flush();
  }
}
