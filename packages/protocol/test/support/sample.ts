import type { Definition, SchemaFile } from "./read-data.ts";

const TEXTS: { readonly [format: string]: string } = {
  "date-time": "2026-06-16T01:02:03.123456+02:00",
  duration: "PT30S",
  uuid: "019a0000-0000-7000-8000-000000000001",
};

/** Follows a reference; JsonValue and other empty schemas come back as they are. */
export function resolve(schema: SchemaFile, node: Definition): Definition {
  if (node.$ref === undefined) return node;
  const found = schema.$defs[node.$ref.replace("#/$defs/", "")];
  if (found === undefined) throw new Error(`no ${node.$ref}`);
  return resolve(schema, found);
}

/** The smallest value of a schema: only required fields, `type` among them, first branches. */
export function smallest(schema: SchemaFile, node: Definition): unknown {
  return build(schema, node, false);
}

/** A value with every field there, and lists and maps that are not empty. */
export function fullest(schema: SchemaFile, node: Definition): unknown {
  return build(schema, node, true);
}

function build(schema: SchemaFile, given: Definition, isFull: boolean): unknown {
  const node = resolve(schema, given);
  const [branch] = node.anyOf ?? node.oneOf ?? [];
  if (branch !== undefined) return build(schema, branch, isFull);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  switch (node.type) {
    case "string":
      return TEXTS[node.format ?? ""] ?? "text";
    case "integer":
    case "number":
      return 7;
    case "boolean":
      return true;
    case "array":
      return list(schema, node, isFull);
    case "object":
      return map(schema, node, isFull);
    default:
      return { any: ["value", null] };
  }
}

function list(schema: SchemaFile, node: Definition, isFull: boolean): unknown[] {
  if (node.prefixItems !== undefined) {
    return node.prefixItems.map((each) => build(schema, each, isFull));
  }
  const isEmpty = !isFull && (node.minItems ?? 0) === 0;
  return isEmpty ? [] : [build(schema, node.items ?? {}, isFull)];
}

function map(schema: SchemaFile, node: Definition, isFull: boolean): Record<string, unknown> {
  const rest = node.additionalProperties;
  if (node.properties === undefined) {
    return isFull && typeof rest === "object" ? { key: build(schema, rest, isFull) } : {};
  }
  const isTag = (name: string) => name === "type" || name === "kind";
  const names = Object.keys(node.properties).filter(
    (name) => isFull || isTag(name) || node.required?.includes(name),
  );
  return Object.fromEntries(
    names.map((name) => [name, build(schema, node.properties?.[name] ?? {}, isFull)]),
  );
}
