import type { ArgumentBinding } from "./argument-binding.ts";
import type { InputDeclarations } from "./input.ts";

/** `userId` -> `user_id`; a name in snake case stays as it is. */
export function snakeCase(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1_$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase();
}

/**
 * Which binding each input takes: the one of its `argument`; else of its own name; else of its name
 * in snake case, where no other input has that name.
 */
export function matchArguments(
  declarations: InputDeclarations,
  bindings: readonly ArgumentBinding[],
): ReadonlyMap<string, ArgumentBinding> {
  const named = new Map(bindings.map((binding) => [binding.argument, binding]));
  const matches = new Map<string, ArgumentBinding>();
  for (const [name, { argument }] of Object.entries(declarations)) {
    const binding = named.get(argument ?? name) ?? named.get(argument ?? snakeCase(name));
    if (binding !== undefined) matches.set(name, binding);
  }
  return matches;
}

/**
 * Two inputs that would take the same argument, whatever arguments arrive; undefined when there
 * are none.
 */
export function findClash(declarations: InputDeclarations): readonly [string, string] | undefined {
  const takers = new Map<string, string>();
  for (const [name, { argument }] of Object.entries(declarations)) {
    const names = argument === undefined ? new Set([name, snakeCase(name)]) : [argument];
    for (const each of names) {
      const other = takers.get(each);
      if (other !== undefined) return [other, name];
      takers.set(each, name);
    }
  }
  return undefined;
}
