import { answerLines } from "../answer-lines.ts";
import type { CommandIo } from "../io.ts";
import { parseExactJson } from "../notation/exact-json.ts";
import { NotationError } from "../notation/notation-error.ts";
import { badLine, MAX_TEXT_LINE_BYTES, textOfLine } from "../read-lines.ts";
import { parseValue } from "../wire/parse-value.ts";
import { plainValue } from "./plain-value.ts";

/**
 * Writes what `answer` makes of each body of a file or of stdin, a line each, as they arrive.
 *
 * @throws CliError 65 with the number of the line that is no JSON (`not-json`) or holds an object
 * with `$` that is not of the notation (`bad-value`), after the lines before it were answered
 */
export async function answerBodies(
  io: CommandIo,
  file: string | undefined,
  answer: (body: unknown, emit: (piece: string) => void) => void,
): Promise<void> {
  await answerLines(io, { file, maxLineBytes: MAX_TEXT_LINE_BYTES }, (line, emit) => {
    const text = textOfLine(line);
    if (text === undefined) return;
    answer(bodyOf(text, line.number), emit);
    emit("\n");
  });
}

/** The body as framing would have decoded it. */
function bodyOf(text: string, number: number): unknown {
  try {
    return plainValue(parseValue(parseExactJson(text)));
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw badLine("not-json", number, `no JSON: ${cause.message}`, cause);
    }
    if (cause instanceof NotationError) throw badLine("bad-value", number, cause.message, cause);
    throw cause;
  }
}
