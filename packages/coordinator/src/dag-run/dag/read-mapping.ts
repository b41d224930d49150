import { type FieldReader, isMap, kindOf } from "./reader.ts";
import type { MappingLength, MappingPart, TaskMapping } from "./runnable-dag.ts";

/** `expand_input` and its like: `{"type": "dict-of-lists" | "list-of-dicts", "value": …}`. */
export function readMapping(reader: FieldReader, key: string): TaskMapping {
  const input = reader.raw(key);
  if (!isMap(input)) {
    return reader.fail(
      "bad-dag",
      key,
      `${kindOf(input)} stands where what is mapped over is expected`,
    );
  }
  const { type } = input;
  if (type === "list-of-dicts") {
    const length = lengthOf(input["value"]);
    if (length === undefined) return reader.fail("bad-dag", key, "its value is no list");
    return { kind: "list", parts: [{ name: "", length }] };
  }
  if (type !== "dict-of-lists") {
    return reader.fail(
      "unsupported",
      key,
      `it is mapped by ${kindOf(type)}, which is not known here`,
    );
  }
  const value = dictOf(input["value"]);
  if (value === undefined) return reader.fail("bad-dag", key, "its value is no map of lists");
  const parts = Object.entries(value).map(([name, list]): MappingPart => {
    const length = lengthOf(list);
    if (length !== undefined) return { name, length };
    return reader.fail(
      "bad-dag",
      key,
      `${kindOf(list)} is given for ${JSON.stringify(name)}; expected a list`,
    );
  });
  return { kind: "product", parts };
}

/** Undefined for what has no length. */
function lengthOf(value: unknown): MappingLength | undefined {
  if (Array.isArray(value)) return { kind: "literal", length: value.length };
  if (!isMap(value)) return undefined;
  const inner = value["__var"];
  switch (value["__type"]) {
    case "xcomref":
      return isMap(inner) ? referenced(inner) : undefined;
    case "mapped_argument":
      return { kind: "unknown", what: "an element of the mapped group around it" };
    case "dict":
      return isMap(inner) ? { kind: "literal", length: Object.keys(inner).length } : undefined;
    case "set":
    case "tuple":
      return Array.isArray(inner) ? { kind: "literal", length: inner.length } : undefined;
    case undefined:
      return { kind: "literal", length: Object.keys(value).length };
    default:
      return undefined;
  }
}

/** Inside of an `xcomref` the references of zip and concat stand without a wrapping of their own. */
function referenced(reference: { readonly [key: string]: unknown }): MappingLength | undefined {
  const { type, task_id: taskId, key } = reference;
  if (type === "map") return isMap(reference["arg"]) ? referenced(reference["arg"]) : undefined;
  if (type === "zip" || type === "concat") {
    const args = Array.isArray(reference["args"]) ? reference["args"] : [];
    const of = args.map((arg: unknown) => (isMap(arg) ? referenced(arg) : undefined));
    if (!of.every((length) => length !== undefined)) return undefined;
    if (type === "concat") return { kind: "concat", of };
    const fill = reference["fillvalue"];
    const longest = fill !== undefined && !(isMap(fill) && fill["__type"] === "arg_not_set");
    return { kind: "zip", of, longest };
  }
  if (typeof taskId !== "string") return undefined;
  return { kind: "xcom", taskId, key: typeof key === "string" ? key : "return_value" };
}

function dictOf(value: unknown): { readonly [key: string]: unknown } | undefined {
  if (!isMap(value)) return undefined;
  if (value["__type"] !== "dict") return value["__type"] === undefined ? value : undefined;
  const inner = value["__var"];
  return isMap(inner) ? inner : undefined;
}

/** Ids of the tasks whose values are mapped over, each once. */
export function referencesOf(mapping: TaskMapping): string[] {
  const found = new Set<string>();
  const visit = (length: MappingLength): void => {
    if (length.kind === "xcom") found.add(length.taskId);
    else if ("of" in length) length.of.forEach(visit);
  };
  for (const { length } of mapping.parts) visit(length);
  return [...found];
}
