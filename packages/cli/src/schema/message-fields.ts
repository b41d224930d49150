import { type Definition, type Definitions, referredName } from "@parlance/protocol/definitions";
import { isServerModel } from "@parlance/protocol/migrate";
import { type FieldFacts, fieldFacts } from "./field-facts.ts";

/** A field anywhere in a message. */
export interface MessageField extends FieldFacts {
  /** Fields by name with dots between, `[]` for an item, `<Part>` for one of several parts. */
  readonly path: string;
  /** The definition that declares it. */
  readonly definition: string;
  readonly name: string;
  /** In a part that is a class of the API server's: Airflow's steps are not for those. */
  readonly isServer: boolean;
}

/** All fields of a message by path, those of its parts in their places. */
export function messageFields(
  definitions: Definitions,
  message: string,
): ReadonlyMap<string, MessageField> {
  const found = new Map<string, MessageField>();
  const visitPart = (name: string, prefix: string, isInServer: boolean): void => {
    const definition = definitions[name] ?? {};
    const isServer = isInServer || isServerModel(name);
    if (definition.properties === undefined) visit(definition, prefix, isServer);
    for (const [field, node] of Object.entries(definition.properties ?? {})) {
      const path = prefix === "" ? field : `${prefix}.${field}`;
      const facts = fieldFacts(definitions, definition, field, node);
      found.set(path, { path, definition: name, name: field, isServer, ...facts });
      visit(node, path, isServer);
    }
  };
  const visit = (node: Definition, path: string, isServer: boolean): void => {
    if (node.$ref !== undefined) visitPart(referredName(node.$ref), path, isServer);
    for (const branch of node.anyOf ?? []) visit(branch, path, isServer);
    for (const branch of node.oneOf ?? []) {
      const name = referredName(branch.$ref ?? "");
      visitPart(name, `${path}<${name}>`, isServer);
    }
    if (node.items !== undefined) visit(node.items, `${path}[]`, isServer);
    const { additionalProperties: rest } = node;
    if (typeof rest === "object") visit(rest, `${path}[]`, isServer);
  };
  visitPart(message, "", false);
  return found;
}
