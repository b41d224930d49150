import { answerVector, parseRetryVector, RetryError } from "@parlance/retry";
import { answerLines } from "../answer-lines.ts";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import type { NumberedLine } from "../read-lines.ts";

/** A question has a few hundred bytes; Airflow's ids have at most 250 characters. */
const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Answers questions of a file or of stdin, one JSON line each, in order and as they arrive. An
 * error of the calculation is an answer.
 *
 * @throws CliError 65 with the number of a line that is no question, after those before it were
 * answered
 */
export async function delayCommand(file: string | undefined, io: CommandIo): Promise<void> {
  await answerLines(io, { file, maxLineBytes: MAX_LINE_BYTES }, (line, emit) => {
    const answer = answerLine(line);
    if (answer !== undefined) emit(answer);
  });
}

/** Undefined for an empty line. */
function answerLine({ number, bytes, truncated }: NumberedLine): string | undefined {
  if (truncated) throw badLine(number, `it has more than ${MAX_LINE_BYTES} bytes`);
  const text = decode(bytes, number);
  if (text.trim() === "") return undefined;
  const answer = answerVector(parse(text, number));
  if ("error" in answer) return `{"error":"${answer.error}"}\n`;
  // The digits of a delay that no double holds are written out, as the recorder does.
  const { delayUs, nextRetry } = answer;
  return `{"delay_us":${delayUs},"next_retry":"${nextRetry.toIso({ fraction: "always" })}"}\n`;
}

function decode(bytes: Uint8Array, number: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badLine(number, "it is no UTF-8", cause);
  }
}

function parse(text: string, number: number): ReturnType<typeof parseRetryVector> {
  try {
    return parseRetryVector(text);
  } catch (error) {
    if (!(error instanceof RetryError)) throw error;
    throw badLine(number, error.message, error);
  }
}

function badLine(line: number, what: string, cause?: unknown): CliError {
  return new CliError(
    "bad-vector",
    `line ${line}: ${what}`,
    ExitCode.badInput,
    { line },
    { cause },
  );
}
