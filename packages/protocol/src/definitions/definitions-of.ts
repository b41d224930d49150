import type { SchemaVersion } from "../schema-version.ts";
import type { Definition, Definitions } from "./definition.ts";
import { DEFINITIONS as from20260616 } from "./generated/v2026-06-16.ts";
import { DEFINITIONS as from20261030 } from "./generated/v2026-10-30.ts";

const BY_VERSION: { readonly [V in SchemaVersion]: Definitions } = {
  "2026-06-16": from20260616,
  "2026-10-30": from20261030,
};

/**
 * The definitions of a schema version, as in `schema/supervisor/VERSION.json`: `type` of a
 * message and `kind` of an argument binding are required, as they are on the wire.
 */
export function definitionsOf(version: SchemaVersion): Definitions {
  return BY_VERSION[version];
}

/** The name behind `#/$defs/NAME`. */
export function referredName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** Follows references to a definition that is none. */
export function resolveDefinition(definitions: Definitions, node: Definition): Definition {
  if (node.$ref === undefined) return node;
  const found = definitions[referredName(node.$ref)];
  if (found === undefined) throw new RangeError(`resolveDefinition: there is no ${node.$ref}`);
  return resolveDefinition(definitions, found);
}
