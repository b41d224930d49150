// From a wire schema to one that json-schema-to-typescript turns into the types we want.
import { requireFromPackage } from "./load.mjs";

/** TypeScript of a date-time, by the direction its message goes in. */
const DATE_TIME = {
  "to-supervisor": "(string | WireDateTime | number)",
  "to-task": "(string | WireDateTime)",
};
// Stock Airflow reads a duration from ISO 8601 text or from a number of seconds.
const DURATION = { "to-supervisor": "(string | number)", "to-task": "string" };

/**
 * @param {object} node - a JSON schema
 * @param {string} direction
 * @returns the same shape: no titles, tuples in the older spelling, our own types named
 */
export function typeSchema(node, direction) {
  if (Array.isArray(node)) return node.map((each) => typeSchema(each, direction));
  if (node === null || typeof node !== "object") return node;
  if (node.format === "date-time") return { tsType: DATE_TIME[direction] };
  if (node.format === "duration") return { tsType: DURATION[direction] };
  if (typeof node.$ref === "string" && node.$ref.endsWith("/JsonValue"))
    return { tsType: "JsonValue" };
  const result = {};
  for (const [keyword, value] of Object.entries(node)) {
    // Titles become numbered aliases (DagId1, DagId2, ...), descriptions become comments, and
    // a default is no part of the type.
    if (["title", "description", "discriminator", "default"].includes(keyword)) continue;
    if (keyword === "properties" || keyword === "$defs") {
      const entries = Object.entries(value).map(([name, each]) => [
        name,
        typeSchema(each, direction),
      ]);
      result[keyword] = Object.fromEntries(entries);
    } else if (keyword === "const" || keyword === "enum") {
      result[keyword] = value;
    } else {
      result[keyword] = typeSchema(value, direction);
    }
  }
  // As a definition of its own an empty schema would become an empty interface.
  return Object.keys(result).length === 0 ? { tsType: "unknown" } : tuple(result);
}

/** `prefixItems` is unknown to json-schema-to-typescript: `items` as a list says the same. */
function tuple({ prefixItems, ...node }) {
  if (prefixItems === undefined) {
    // `[string, ...string[]]` would refuse the plain arrays that people have.
    const { minItems: _minItems, maxItems: _maxItems, ...rest } = node;
    return rest;
  }
  return {
    ...node,
    items: prefixItems,
    minItems: prefixItems.length,
    maxItems: prefixItems.length,
    additionalItems: false,
  };
}

/** TypeScript text of a schema whose parts stand under `$defs`, all of them exported. */
export async function compileTypes(schema, rootName) {
  const { compile } = requireFromPackage("json-schema-to-typescript");
  // A root that only points at a definition would get a numbered second type.
  const { $ref: _pointer, ...root } = schema;
  return await compile(root, rootName, {
    additionalProperties: true,
    bannerComment: "",
    declareExternallyReferenced: true,
    enableConstEnums: false,
    format: true,
    style: { printWidth: 100 },
    ignoreMinAndMaxItems: false,
    unknownAny: true,
    unreachableDefinitions: true,
  });
}
