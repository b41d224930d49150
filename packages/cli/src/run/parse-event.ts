import { parseExactJson, type ResumeEvent } from "@parlance/coordinator";
import { CliError, ExitCode } from "../errors.ts";

/**
 * Reads `--event`: JSON in which `{"$":"float","v":"1.0"}` and the like stand for what JSON can't hold.
 *
 * @throws CliError `usage` (2)
 */
export function parseEvent(text: string | undefined): ResumeEvent | undefined {
  if (text === undefined) return undefined;
  try {
    return { event: parseExactJson(text) };
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(
      "usage",
      `--event got ${JSON.stringify(text)}; it takes JSON (${message}).`,
      ExitCode.usage,
    );
  }
}
