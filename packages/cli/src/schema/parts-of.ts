import { type Definition, type Definitions, referredName } from "@parlance/protocol/definitions";

/**
 * The definitions that one refers to, through others too, in the order in which they are met;
 * those without fields of their own only with `all`.
 */
export function partsOf(
  definitions: Definitions,
  definition: Definition,
  options: { readonly all?: boolean } = {},
): readonly string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { $ref: reference } = node as Definition;
    if (reference !== undefined) add(referredName(reference));
    for (const each of Object.values(node)) visit(each);
  };
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    visit(definitions[name]);
  };
  visit(definition);
  const names = [...found];
  if (options.all === true) return names;
  return names.filter((name) => definitions[name]?.properties !== undefined);
}
