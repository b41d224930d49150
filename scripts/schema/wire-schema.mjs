// From Airflow's JSON schema to the keywords of keywords.mjs, which say what is on the wire:
// a date-time may be a timestamp extension, an integer a bigint, bytes are no JSON value.
import { REF } from "./load.mjs";

/**
 * @param {object} node - a JSON schema from schema/supervisor
 * @param {"to-supervisor" | "to-task"} direction - decides on date-times and unknown fields:
 *   what a task sends needs a zone and is refused exactly where Airflow refuses it; what a
 *   task receives may carry more than it knows, newer servers send it
 */
export function wireSchema(node, direction) {
  const convert = (each) => wireSchema(each, direction);
  if (node.$ref !== undefined)
    return node.$ref === `${REF}JsonValue` ? { json: true } : { $ref: node.$ref };
  if (node.oneOf !== undefined && node.discriminator !== undefined) return tagged(node, convert);
  if (node.anyOf !== undefined) return alternatives(node.anyOf, convert);
  if (Array.isArray(node.type))
    return alternatives(
      node.type.map((type) => ({ ...node, type })),
      convert,
    );
  if (node.const !== undefined) return { among: [node.const] };
  if (node.enum !== undefined) return { among: node.enum };
  switch (node.type) {
    case undefined:
      return nothing(node);
    case "string":
      return { wire: text(node.format, direction) };
    case "integer":
      return { wire: "integer", ...limits(node) };
    case "number":
      return { wire: "number", ...limits(node) };
    case "boolean":
    case "null":
      return { wire: node.type };
    case "array":
      return list(node, convert);
    case "object":
      return map(node, direction, convert);
    default:
      throw new Error(`no rule for ${JSON.stringify(node).slice(0, 200)}`);
  }
}

/** A schema without a type judges nothing; one with other keywords would be lost in silence. */
function nothing(node) {
  const known = new Set(["default", "title", "description", "$defs"]);
  const unknown = Object.keys(node).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`no rule for ${unknown.join(", ")} without a type`);
  return {};
}

function text(format, direction) {
  if (format === undefined || format === "path") return "text";
  if (format === "date-time")
    return direction === "to-supervisor" ? "dateTimeSent" : "dateTimeReceived";
  if (format === "duration" || format === "uuid") return format;
  throw new Error(`no rule for the format ${format}`);
}

function limits({ minimum, exclusiveMinimum }) {
  return {
    ...(minimum === undefined ? {} : { atLeast: minimum }),
    ...(exclusiveMinimum === undefined ? {} : { above: exclusiveMinimum }),
  };
}

function list({ items, prefixItems, minItems, maxItems }, convert) {
  if (prefixItems !== undefined) {
    const isClosed = items === false || maxItems === prefixItems.length;
    if (!isClosed || minItems !== prefixItems.length) throw new Error("no rule for open tuples");
    return { tuple: prefixItems.map(convert) };
  }
  const each = items === undefined ? {} : convert(items);
  return {
    each,
    ...(minItems === undefined ? {} : { atLeastItems: minItems }),
    ...atMost(maxItems),
  };
}

function atMost(maxItems) {
  if (maxItems !== undefined) throw new Error("no rule for maxItems outside a tuple");
  return {};
}

function map(node, direction, convert) {
  const { properties, required = [], additionalProperties: rest = true } = node;
  if (properties !== undefined) {
    if (typeof rest === "object") throw new Error("no rule for named and typed fields in one map");
    const fields = Object.entries(properties).map(([name, each]) => [name, convert(each)]);
    return {
      fields: Object.fromEntries(fields),
      demanded: required,
      closed: rest === false && direction === "to-supervisor",
    };
  }
  if (rest === true) return { wire: "freeMap" };
  const value = convert(rest);
  return value.json === true ? { json: "map" } : { eachValue: value };
}

function alternatives(branches, convert) {
  const present = branches.filter((branch) => branch.type !== "null");
  const converted = present.map(convert);
  if (converted.some((branch) => branch.json === true)) return { json: true };
  const only = converted.length === 1 ? converted[0] : { kinds: byKind(converted) };
  return present.length === branches.length ? only : { orNull: only };
}

/** Alternatives are told apart by what JavaScript value they want, so that one branch speaks. */
function byKind(branches) {
  const kinds = {};
  for (const branch of branches) {
    const kind = kindOf(branch);
    if (kinds[kind] !== undefined) throw new Error(`two alternatives are a ${kind}`);
    kinds[kind] = branch;
  }
  return kinds;
}

function kindOf(branch) {
  if (branch.wire === "text") return "text";
  if (branch.wire === "integer" || branch.wire === "number") return "number";
  if (branch.each !== undefined || branch.tuple !== undefined) return "list";
  if (branch.fields !== undefined || branch.eachValue !== undefined) return "map";
  if (branch.wire === "freeMap" || branch.json === "map") return "map";
  throw new Error(`no kind of ${JSON.stringify(branch).slice(0, 100)}`);
}

function tagged({ discriminator: { propertyName, mapping } }, convert) {
  const cases = Object.entries(mapping).map(([tag, $ref]) => [tag, convert({ $ref })]);
  return { tagged: Object.fromEntries(cases), tag: propertyName };
}
