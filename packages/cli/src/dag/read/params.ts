import { call, type Py, type PyArgument } from "../python/expression.ts";
import { isIdentifier } from "../python/identifiers.ts";
import { textLiteral } from "../python/text-literal.ts";
import { encodedOf, type JsonMap, listOf, mapOf } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";
import { pythonValue, text } from "./value.ts";

/** Arguments of Param itself: a JSON schema can't have keywords of these names there. */
const OWN = new Set(["default", "description", "source", "schema", "self"]);

/**
 * Params of a serialised Dag or task as a dict; undefined when there are none.
 *
 * @param source - of which of them: a task lists those of its Dag as well
 * @throws UnwritableError
 */
export function params(value: unknown, source: "dag" | "task"): Py | undefined {
  const pairs = Array.isArray(value)
    ? listOf(value).map((pair) => [String(listOf(pair)[0]), listOf(pair)[1]] as const)
    : Object.entries(mapOf(value));
  const own = pairs.filter(([, each]) => source === "dag" || mapOf(each)["source"] === "task");
  if (own.length === 0) return undefined;
  return { dict: own.map(([name, each]) => [textLiteral(name), param(mapOf(each))] as const) };
}

function param(value: JsonMap): Py {
  const { default: initial, description } = value;
  const schema = schemaOf(value["schema"]);
  const hasNone = encodedOf(initial)?.type === "arg_not_set" || !("default" in value);
  if (schema.length === 0 && !hasNone && (description ?? null) === null)
    return pythonValue(initial);
  const args: PyArgument[] = hasNone ? [] : [pythonValue(initial)];
  if (typeof description === "string") args.push(["description", text(description)]);
  const isPlain = ([keyword]: readonly [string, unknown]) => isIdentifier(keyword);
  for (const [keyword, each] of schema.filter(isPlain)) args.push([keyword, pythonValue(each)]);
  const odd = schema.filter((each) => !isPlain(each));
  if (odd.length > 0) {
    const entries = odd.map(
      ([keyword, each]) => [textLiteral(keyword), pythonValue(each)] as const,
    );
    args.push(["**", { dict: entries }]);
  }
  return call("Param", ...args);
}

function schemaOf(value: unknown): readonly (readonly [string, unknown])[] {
  const encoded = encodedOf(value);
  const entries = Object.entries(mapOf(encoded?.type === "dict" ? encoded.var : value));
  const clash = entries.find(([keyword]) => OWN.has(keyword));
  if (clash !== undefined) {
    throw new UnwritableError(`a param whose schema has the keyword ${JSON.stringify(clash[0])}`);
  }
  return entries;
}
