import { type CommandIo, write } from "../io.ts";
import { Output } from "../wire/output.ts";
import { printResultValue } from "./print-result-value.ts";

/** Prints one JSON document in the notation of values, in pieces, and a line end. */
export async function printDocument(document: unknown, io: CommandIo): Promise<void> {
  const output = new Output(io);
  let text = "";
  const endPiece = (): void => {
    output.add(text);
    text = "";
  };
  printResultValue(document, (piece) => {
    text += piece;
    if (text.length > 65_536) endPiece();
  });
  text += "\n";
  endPiece();
  await output.flush();
}

/** Lines of text for a person. */
export async function printLines(lines: readonly string[], io: CommandIo): Promise<void> {
  await write(io.stdout, lines.map((line) => `${line}\n`).join(""));
}
