import { type FieldReader, isMap, kindOf, unwrapped } from "./reader.ts";
import type { RunnableParam } from "./runnable-dag.ts";

/** `params` of a Dag: a list of pairs of name and param. */
export function readParams(dag: FieldReader): RunnableParam[] {
  const list = dag.raw("params") ?? [];
  if (!Array.isArray(list)) return dag.fail("bad-dag", "params", `${kindOf(list)} is no list`);
  return list.map((pair: unknown, at) => {
    const [name, param]: unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof name !== "string" || !isMap(param)) {
      return dag.fail("bad-dag", `params/${at}`, "it is no pair of a name and a param");
    }
    const given = param["default"];
    const hasDefault = given !== undefined && !(isMap(given) && given["__type"] === "arg_not_set");
    const schema = unwrapped(param["schema"]);
    const { description } = param;
    return {
      name,
      hasDefault,
      default: hasDefault ? unwrapped(given) : null,
      schema: isMap(schema) ? schema : {},
      description: typeof description === "string" ? description : null,
    };
  });
}
