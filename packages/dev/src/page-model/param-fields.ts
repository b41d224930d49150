import type { Param } from "../api/types.ts";

/** How a param is asked for. */
export type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "json";

/** A field of the form that starts a run. */
export interface ParamField {
  readonly name: string;
  readonly kind: FieldKind;
  /** What stands in it at first; nothing of a secret or of what has no default. */
  readonly initial: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** Of `choice`: what there is to choose, as JSON. */
  readonly choices: readonly string[];
  readonly description: string | null;
  /** In words: what the schema asks for. */
  readonly hint: string;
}

/** The field for a param, by its JSON Schema and else by its value. */
export function paramField(param: Param): ParamField {
  const { name, value, schema, description, isRequired, isSecret } = param;
  const choices = Array.isArray(schema["enum"]) ? schema["enum"].map((one) => json(one)) : [];
  const kind = choices.length > 0 ? "choice" : kindOf(schema["type"], value);
  const isAsked = isRequired || isSecret;
  const given = kind === "text" && typeof value === "string" ? value : json(value);
  const initial = isAsked ? "" : given;
  return { name, kind, choices, description, hint: hintOf(schema), initial, isRequired, isSecret };
}

/** Whether the field says anything: what is left as it was need not be sent. */
export function isFilledIn({ initial, isRequired }: ParamField, text: string): boolean {
  return isRequired || text !== initial;
}

/** The value of a filled in field; throws a SyntaxError for people where it is none. */
export function fieldValue({ name, kind }: ParamField, text: string): unknown {
  if (kind === "text") return text;
  if (kind === "number" || kind === "integer") {
    const number = Number(text.trim());
    const isGood = text.trim() !== "" && Number.isFinite(number);
    if (isGood && (kind === "number" || Number.isInteger(number))) return number;
    throw new SyntaxError(`${name}: ${kind === "integer" ? "a whole number" : "a number"}, please`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`${name}: this is no JSON (a text needs its double quotes)`);
  }
}

function kindOf(type: unknown, value: unknown): FieldKind {
  if (type === "string") return typeof value === "string" || value === null ? "text" : "json";
  if (type === "number" || type === "integer" || type === "boolean") {
    return value === null ? "json" : type;
  }
  if (type !== undefined) return "json";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "number" ? "number" : "json";
}

function hintOf(schema: Param["schema"]): string {
  const words: string[] = [];
  const type = schema["type"];
  if (type !== undefined) words.push(Array.isArray(type) ? type.join(" or ") : String(type));
  for (const [keyword, word] of [
    ["minimum", "at least"],
    ["maximum", "at most"],
    ["minLength", "characters at least"],
    ["maxLength", "characters at most"],
    ["pattern", "like"],
    ["format", "format"],
  ] as const) {
    if (schema[keyword] !== undefined) words.push(`${word} ${String(schema[keyword])}`);
  }
  return words.join(", ");
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
