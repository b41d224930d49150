import { type Line, LineDecoder } from "@parlance/framing";
import type { CommandIo } from "./io.ts";
import { readInput } from "./read-input.ts";
import { Output } from "./wire/output.ts";

/** Where lines come from, and how long one may be. */
export interface AnswerLinesOptions {
  /** Stdin when absent or `-`. */
  readonly file?: string | undefined;
  readonly maxLineBytes: number;
}

/**
 * Writes an answer to each line of a file or of stdin, in order and as they arrive. Ends early where
 * the reader has gone. What `answer` throws ends it after the answers before were written.
 *
 * @param answer - of a line and its number, from 1 on; undefined for a line without an answer
 */
export async function answerLines(
  io: CommandIo,
  { file, maxLineBytes }: AnswerLinesOptions,
  answer: (line: Line, number: number) => string | Uint8Array | undefined,
): Promise<void> {
  const lines = new LineDecoder({ maxLineBytes });
  const output = new Output(io);
  let count = 0;
  const take = async (line: Line): Promise<void> => {
    count++;
    const text = answer(line, count);
    if (text !== undefined) output.add(text);
    await output.offer();
  };
  try {
    for await (const chunk of readInput(io, file)) {
      for (const line of lines.push(chunk)) await take(line);
      await output.flush();
      if (output.isClosed) return;
    }
    if (io.signal.aborted) return; // the last line may be half a line
    for (const line of lines.end()) await take(line);
  } finally {
    await output.flush();
  }
}
