import type { CommandIo } from "./io.ts";
import { Output } from "./wire/output.ts";

const PIECE_LENGTH = 65_536;

/**
 * Prints a long text and a line end, piece by piece: the whole may be longer than one string can be.
 *
 * @param print - gives the text to the function that it gets, in as many parts as it likes
 */
export async function printInPieces(
  io: CommandIo,
  print: (emit: (part: string) => void) => void,
): Promise<void> {
  const output = new Output(io);
  let text = "";
  print((part) => {
    text += part;
    if (text.length <= PIECE_LENGTH) return;
    output.add(text);
    text = "";
  });
  output.add(`${text}\n`);
  await output.flush();
}
