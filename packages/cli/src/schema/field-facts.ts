import type { Definition, Definitions } from "@parlance/protocol/definitions";
import { typeText } from "./type-text.ts";

/** What is said about a field; `default` is there when the schema names one. */
export interface FieldFacts {
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
}

/** The facts of a field of a definition. */
export function fieldFacts(
  definitions: Definitions,
  { required = [] }: Definition,
  name: string,
  node: Definition,
): FieldFacts {
  const type = typeText(definitions, node);
  const isRequired = required.includes(name);
  return node.default === undefined || isRequired
    ? { type, required: isRequired }
    : { type, required: isRequired, default: node.default };
}

/** `type, required` or `type, default X`. */
export function factsText(facts: FieldFacts): string {
  if (facts.required) return `${facts.type}, required`;
  return "default" in facts ? `${facts.type}, default ${defaultText(facts)}` : facts.type;
}

/** The default as JSON, empty without one. */
export function defaultText(facts: FieldFacts): string {
  return "default" in facts ? JSON.stringify(facts.default) : "";
}
