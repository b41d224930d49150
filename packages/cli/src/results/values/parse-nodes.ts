import { decodeChildren, type ResultNode } from "@parlance/results";
import { CliError, ExitCode } from "../../errors.ts";
import { parseResultValue } from "./parse-result-value.ts";

/**
 * Reads the tasks and groups of a JSON array: ids, or Celery's own tuples
 * `[[id, parent|null], null]` and `[[id, parent|null], [member, …]]`.
 *
 * @param what - names the option in errors
 * @throws CliError `bad-json`, `bad-value` (65)
 */
export function parseNodes(text: string, what: string): readonly ResultNode[] {
  const takes = "an array of task ids or of Celery's tuples";
  const value = parseResultValue(text, what, { tags: false });
  if (!Array.isArray(value)) throw badNodes(what, takes, "it is no array");
  const tuples = value.map((item: unknown) =>
    typeof item === "string" ? [[item, null], null] : item,
  );
  return nodesOf(tuples, what, takes);
}

/**
 * Reads one task or group: its id as it is, or one of Celery's tuples, which begins with `[`.
 *
 * @throws CliError `bad-json`, `bad-value` (65)
 */
export function parseNode(text: string, what: string): ResultNode {
  if (!text.trimStart().startsWith("[")) return { kind: "task", id: text, parent: null };
  const takes = "a task id or one of Celery's tuples";
  const value = parseResultValue(text, what, { tags: false });
  const [node] = nodesOf([value], what, takes);
  if (node === undefined) throw badNodes(what, takes, "it is none");
  return node;
}

function nodesOf(tuples: readonly unknown[], what: string, takes: string): readonly ResultNode[] {
  try {
    return decodeChildren(tuples) ?? [];
  } catch (error) {
    throw badNodes(what, takes, (error as Error).message, error);
  }
}

function badNodes(what: string, takes: string, why: string, cause?: unknown): CliError {
  const message = `${what} takes ${takes}: ${why}`;
  return new CliError("bad-value", message, ExitCode.badInput, {}, { cause });
}
