import type { SchemaVersion } from "@parlance/protocol";
import {
  type Definition,
  type Definitions,
  definitionsOf,
  resolveDefinition,
} from "@parlance/protocol/definitions";

type Fields = { readonly [field: string]: unknown };

/** A body that the schema refuses, made of a good one, and where it is wrong. */
export interface BadBody {
  readonly body: Fields;
  readonly path: string;
  readonly what: string;
}

const NAIVE = "2026-01-02T03:04:05";

/** What a message refuses: each field missing, of a wrong type, out of range; a field too many. */
export function badBodies(version: SchemaVersion, good: Fields & { type: string }): BadBody[] {
  const definitions = definitionsOf(version);
  const message = definitions[good.type];
  if (message === undefined) throw new Error(`no ${good.type} in ${version}`);
  const bad: BadBody[] = [];
  for (const [field, node] of Object.entries(message.properties ?? {})) {
    if (field === "type") continue;
    if (message.required?.includes(field)) {
      const { [field]: _, ...rest } = good;
      bad.push({ body: rest, path: `/${field}`, what: `without ${field}` });
    }
    for (const [what, value, at = ""] of badValues(definitions, node)) {
      bad.push({
        body: { ...good, [field]: value },
        path: `/${field}${at}`,
        what: `${field} ${what}`,
      });
    }
  }
  if (message.additionalProperties === false) {
    bad.push({ body: { ...good, surprise: 1 }, path: "/surprise", what: "a field too many" });
  }
  return bad;
}

type BadValue = readonly [what: string, value: unknown, at?: string];

function badValues(definitions: Definitions, node: Definition): BadValue[] {
  const forms = formsOf(definitions, node);
  const isAnything = forms.some((form) => form.type === undefined && form.const === undefined);
  if (isAnything) return [];
  const values: BadValue[] = [];
  const types = new Set(
    forms.flatMap((form) => form.type ?? (form.const === undefined ? [] : "string")),
  );
  if (!forms.some((form) => form.type === "null")) values.push(["null", null]);
  if (node.$ref?.endsWith("/JsonValue") || forms.some((form) => Array.isArray(form.type))) {
    return [["bytes", new Uint8Array([1])]];
  }
  const candidates: readonly [string, unknown][] = [
    ["object", { of: {} }],
    ["array", [[{}]]],
    ["number", 5.5],
  ];
  const wrong = candidates.find(
    ([type]) => !types.has(type) && !(type === "number" && types.has("integer")),
  );
  if (wrong !== undefined) values.push([`of type ${wrong[0]}`, wrong[1]]);
  for (const form of forms) {
    if (form.format === "date-time") values.push(["without a zone", NAIVE]);
    if (form.format === "uuid") values.push(["no UUID", "11111111-1111"]);
    if (form.format === "duration") values.push(["no duration", "soon"]);
    if (form.enum !== undefined || form.const !== undefined) values.push(["unknown", "nonsense"]);
    if (form.minItems !== undefined) values.push(["empty", []]);
    if (form.exclusiveMinimum !== undefined) values.push(["too small", form.exclusiveMinimum]);
    if (form.type !== "array" || form.items === undefined) continue;
    for (const [what, value, at = ""] of badValues(definitions, form.items).slice(0, 3)) {
      values.push([`item ${what}`, [value], `/0${at}`]);
    }
  }
  return values;
}

function formsOf(definitions: Definitions, node: Definition): Definition[] {
  const resolved = resolveDefinition(definitions, node);
  const choices = resolved.anyOf ?? resolved.oneOf;
  return choices === undefined
    ? [resolved]
    : choices.flatMap((choice) => formsOf(definitions, choice));
}
