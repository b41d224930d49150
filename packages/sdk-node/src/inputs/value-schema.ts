import { types } from "node:util";
import { Float } from "@parlance/framing";
import { pythonKind } from "../values/python-kind.ts";
import type { PythonObject } from "../values/python-object.ts";
import { toPointer } from "../values/value-path.ts";
import type { ValueSchema } from "./argument-binding.ts";

const MAX_DEPTH = 100;

/** Which formats of a JSON text a value of one of Python's classes has. */
const FORMATS: { readonly [kind: string]: readonly unknown[] } = {
  datetime: ["date-time", "date"],
  date: ["date"],
  timedelta: ["duration"],
  uuid: ["uuid"],
};

interface Walk {
  readonly root: ValueSchema;
  readonly path: (string | number)[];
}

/**
 * Says what of a value is not as the annotation of its parameter has it; undefined when nothing is.
 * Knows what pydantic makes of annotations (`type`, `anyOf`, `enum`, `items`, `prefixItems`,
 * `properties`, `required`, `additionalProperties`, `$ref`); any other keyword allows everything.
 *
 * @param value - with Python's classes taken out of their wrappers
 */
export function findMismatch(value: unknown, schema: ValueSchema): string | undefined {
  return find(value, schema, { root: schema, path: [] });
}

function find(value: unknown, schema: unknown, walk: Walk): string | undefined {
  if (!isSchema(schema) || walk.path.length > MAX_DEPTH) return undefined;
  const { $ref, anyOf, type } = schema;
  if (typeof $ref === "string") return find(value, definitionOf($ref, walk.root), walk);
  if (Array.isArray(anyOf)) {
    const isOne = anyOf.some((each) => find(value, each, walk) === undefined);
    return isOne ? undefined : wrong(value, anyOf.map(expectedBy).join(" or "), walk);
  }
  const allowed = schema["enum"];
  if (Array.isArray(allowed)) {
    return allowed.includes(value) ? undefined : wrong(value, expectedBy(schema), walk);
  }
  if (typeof type === "string" && !hasType(value, type, schema)) {
    return wrong(value, expectedBy(schema), walk);
  }
  return findInside(value, schema, walk);
}

function hasType(value: unknown, type: string, schema: ValueSchema): boolean {
  const kind = typeof value === "object" && value !== null ? pythonKind(value) : undefined;
  switch (type) {
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return (
        typeof value === "number" ||
        typeof value === "bigint" ||
        value instanceof Float ||
        kind === "decimal"
      );
    case "string":
      if (typeof value === "string") return true;
      return kind !== undefined && (FORMATS[kind]?.includes(schema["format"]) ?? false);
    case "array":
      return Array.isArray(value) || types.isSet(value);
    case "object":
      return isPlain(value) || kind === "object";
    default:
      return true;
  }
}

function findInside(value: unknown, schema: ValueSchema, walk: Walk): string | undefined {
  if (Array.isArray(value)) return findInItems(value, schema, walk);
  if (types.isSet(value)) return findInItems([...value], schema, walk);
  if (typeof value !== "object" || value === null) return undefined;
  const data = pythonKind(value) === "object" ? (value as PythonObject).data : value;
  return isPlain(data) ? findInProperties(data, schema, walk) : undefined;
}

function findInItems(
  items: readonly unknown[],
  { items: each, prefixItems }: ValueSchema,
  walk: Walk,
): string | undefined {
  const places = Array.isArray(prefixItems) ? prefixItems : [];
  if (places.length > 0 && items.length !== places.length) {
    return wrong(items, `${places.length} elements`, walk);
  }
  for (const [index, item] of items.entries()) {
    const mismatch = under(index, item, places[index] ?? each, walk);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function findInProperties(
  map: { readonly [key: string]: unknown },
  { properties, required, additionalProperties }: ValueSchema,
  walk: Walk,
): string | undefined {
  const known = isSchema(properties) ? properties : {};
  for (const key of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(map, key)) return wrong(map, `a map with ${JSON.stringify(key)}`, walk);
  }
  for (const [key, item] of Object.entries(map)) {
    const schema = Object.hasOwn(known, key) ? known[key] : additionalProperties;
    const mismatch = under(key, item, schema, walk);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function under(key: string | number, value: unknown, schema: unknown, walk: Walk) {
  walk.path.push(key);
  const mismatch = find(value, schema, walk);
  walk.path.pop();
  return mismatch;
}

function definitionOf(reference: string, root: ValueSchema): unknown {
  const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1];
  const definitions = root["$defs"];
  return name !== undefined && isSchema(definitions) ? definitions[name] : undefined;
}

function wrong(value: unknown, expected: string, { path }: Walk): string {
  const place = path.length === 0 ? "" : `${toPointer(path)} `;
  return `${place}is ${describe(value)}, expected ${expected}`;
}

function expectedBy(schema: unknown): string {
  if (!isSchema(schema)) return "anything";
  const { type, format } = schema;
  const allowed = schema["enum"];
  if (Array.isArray(allowed)) return `one of ${JSON.stringify(allowed)}`;
  if (type === "string" && Object.values(FORMATS).flat().includes(format)) return `a ${format}`;
  const names: { readonly [type: string]: string } = {
    string: "text",
    integer: "an integer",
    number: "a number",
    array: "a list",
    object: "a map",
    null: "null",
    boolean: "true or false",
  };
  return names[String(type)] ?? String(schema["title"] ?? schema["$ref"] ?? "another value");
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return "text";
  if (typeof value !== "object") return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const kind = pythonKind(value);
  return kind === undefined ? "a map" : `a ${kind}`;
}

function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isSchema(value: unknown): value is ValueSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
