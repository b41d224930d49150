import { type CommandIo, write } from "../io.ts";
import { printInPieces } from "../print-in-pieces.ts";
import { printResultValue } from "./values/print-result-value.ts";

/** Prints one JSON document in the notation of values, in pieces, and a line end. */
export async function printDocument(document: unknown, io: CommandIo): Promise<void> {
  await printInPieces(io, (emit) => printResultValue(document, emit));
}

/** Lines of text for a person. */
export async function printLines(lines: readonly string[], io: CommandIo): Promise<void> {
  await write(io.stdout, lines.map((line) => `${line}\n`).join(""));
}
