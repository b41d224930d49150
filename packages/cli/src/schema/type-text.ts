import { type Definition, type Definitions, referredName } from "@parlance/protocol/definitions";

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "date-time",
  duration: "duration",
  path: "path",
  uuid: "UUID",
};

/** What a field takes, in words: `text or null`, `list of TaskArgBinding`, `"a" | "b"`. */
export function typeText(definitions: Definitions, node: Definition): string {
  if (node.$ref !== undefined) return referredText(definitions, referredName(node.$ref));
  if (node.oneOf !== undefined) {
    const branches = node.oneOf.map((branch) => typeText(definitions, branch)).join(" | ");
    return `${branches}, told apart by ${node.discriminator?.propertyName}`;
  }
  if (node.anyOf !== undefined) return alternativesText(definitions, node.anyOf);
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((each) => JSON.stringify(each)).join(" | ");
  switch (node.type) {
    case "string":
      return FORMATS[node.format ?? ""] ?? "text";
    case "integer":
    case "number":
      return node.type + limitText(node);
    case "array":
      return listText(definitions, node);
    case "object":
      return mapText(definitions, node);
    case undefined:
      return "anything";
    default:
      return String(node.type);
  }
}

/** Parts with fields of their own go by their name, short definitions are written out. */
function referredText(definitions: Definitions, name: string): string {
  if (name === "JsonValue") return "any JSON value";
  const definition = definitions[name];
  if (definition?.properties !== undefined || definition?.oneOf !== undefined) return name;
  return definition === undefined ? name : typeText(definitions, definition);
}

function alternativesText(definitions: Definitions, branches: readonly Definition[]): string {
  const texts = branches.map((branch) => typeText(definitions, branch));
  // Null says nothing more where any value will do.
  if (texts.includes("any JSON value")) return "any JSON value";
  const [only, ...others] = texts;
  const isSimple = others.length === 1 && others[0] === "null";
  return isSimple && only?.includes(" | ") ? `${only} | null` : texts.join(" or ");
}

function limitText({ minimum, exclusiveMinimum }: Definition): string {
  if (minimum !== undefined) return ` >= ${minimum}`;
  return exclusiveMinimum === undefined ? "" : ` > ${exclusiveMinimum}`;
}

function listText(definitions: Definitions, { items, prefixItems, minItems }: Definition): string {
  if (prefixItems !== undefined) {
    return `[${prefixItems.map((each) => typeText(definitions, each)).join(", ")}]`;
  }
  const least = minItems === undefined ? "" : `, at least ${minItems}`;
  const item = items === undefined ? "anything" : typeText(definitions, items);
  return `list of ${/ or |\|/.test(item) ? `(${item})` : item}${least}`;
}

function mapText(definitions: Definitions, { additionalProperties: rest }: Definition): string {
  if (typeof rest !== "object") return "map";
  const value = typeText(definitions, rest);
  return `map of text to ${/ or |\|/.test(value) ? `(${value})` : value}`;
}
