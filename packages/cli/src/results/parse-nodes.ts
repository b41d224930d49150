import { decodeChildren, type ResultNode } from "@parlance/results";
import { CliError, ExitCode } from "../errors.ts";
import { parseResultValue } from "./parse-result-value.ts";

/**
 * Reads the tasks and groups of a JSON array: ids, or Celery's own tuples
 * `[[id, parent|null], null]` and `[[id, parent|null], [member, …]]`.
 *
 * @param what - names the option in errors
 * @throws CliError `bad-json`, `bad-value` (65)
 */
export function parseNodes(text: string, what: string): readonly ResultNode[] {
  const value = parseResultValue(text, what, { tags: false });
  if (!Array.isArray(value)) throw badNodes(what, "it is no array");
  const tuples = value.map((item: unknown) =>
    typeof item === "string" ? [[item, null], null] : item,
  );
  try {
    return decodeChildren(tuples) ?? [];
  } catch (error) {
    throw badNodes(what, (error as Error).message, error);
  }
}

function badNodes(what: string, why: string, cause?: unknown): CliError {
  const message = `${what} takes an array of task ids or of Celery's tuples: ${why}`;
  return new CliError("bad-value", message, ExitCode.badInput, {}, { cause });
}
