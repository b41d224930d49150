import { parseExactJson, type ResumeEvent } from "@parlance/coordinator";
import { CliError, ExitCode } from "../errors.ts";

/** More of a text that is no JSON helps nobody. */
const MAX_SHOWN = 100;

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
      `--event got ${JSON.stringify(text.slice(0, MAX_SHOWN))}${text.length > MAX_SHOWN ? "…" : ""}; it takes JSON (${message.slice(0, 2 * MAX_SHOWN)}).`,
      ExitCode.usage,
    );
  }
}
