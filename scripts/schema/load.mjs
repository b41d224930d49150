// Reads schema/supervisor/*.json and answers what the generators ask about it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export const ROOT = new URL("../../", import.meta.url);
export const PACKAGE = new URL("packages/protocol/", ROOT);
export const VERSIONS = ["2026-06-16", "2026-10-30"];
export const REF = "#/$defs/";
export const DIRECTIONS = ["to-supervisor", "to-task"];

/** The generators' npm dependencies are devDependencies of packages/protocol. */
export const requireFromPackage = createRequire(new URL("package.json", PACKAGE));

/**
 * @typedef {object} SupervisorSchema
 * @property {string} version
 * @property {Record<string, Record<string, string[]>>} channels - channel -> direction -> names
 * @property {Record<string, string[]>} messages - direction -> names, both channels together, sorted
 * @property {Record<string, object>} definitions - with `type` required on every message
 * @property {string} origin - the package and release it was read from
 */

/** @returns {SupervisorSchema} */
export function loadSchema(version) {
  const file = new URL(`schema/supervisor/${version}.json`, ROOT);
  const { channels, $defs, origin } = JSON.parse(readFileSync(file, "utf8"));
  const messages = {};
  for (const direction of DIRECTIONS) {
    const names = Object.values(channels).flatMap((channel) => channel[direction]);
    messages[direction] = [...new Set(names)].sort();
  }
  const definitions = structuredClone($defs);
  for (const name of Object.values(messages).flat()) demand(definitions[name], "type");
  demandTags(definitions, definitions);
  const { package: name, version: release } = origin.schema;
  return { version, channels, messages, definitions, origin: `${name} ${release}` };
}

/**
 * The schema file lists `type`, and `kind` in unions, as optional because they have a
 * default; on the wire they are the tag by which a union is read, and always demanded.
 */
function demand(definition, property) {
  definition.required = [...new Set([...(definition.required ?? []), property])];
}

function demandTags(node, definitions) {
  if (node === null || typeof node !== "object") return;
  const { propertyName, mapping } = node.discriminator ?? {};
  for (const ref of Object.values(mapping ?? {}))
    demand(definitions[ref.slice(REF.length)], propertyName);
  for (const value of Object.values(node)) demandTags(value, definitions);
}

/**
 * The definitions as they hold for one direction.
 *
 * Airflow makes its schema file from the server's models; the task SDK's own models, which
 * it really sends from, let every field that is not required be null as well (a 3.4.0b2
 * supervisor does send `region_id: null`). They differ only in parts that a task receives.
 */
export function definitionsFor({ definitions }, direction) {
  if (direction === "to-supervisor") return definitions;
  const entries = Object.entries(definitions);
  return Object.fromEntries(entries.map(([name, each]) => [name, withNulls(each)]));
}

function withNulls(definition) {
  const { properties, required = [] } = definition;
  if (properties === undefined) return definition;
  const entries = Object.entries(properties).map(([name, field]) => [
    name,
    required.includes(name) || isNullable(field) ? field : { anyOf: [field, { type: "null" }] },
  ]);
  return { ...definition, properties: Object.fromEntries(entries) };
}

function isNullable({ anyOf = [] }) {
  return anyOf.some(({ type }) => type === "null");
}

/** Names of all definitions that the named ones refer to, themselves included. */
export function reachable(definitions, names) {
  const found = new Set();
  const visit = (node) => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (node === null || typeof node !== "object") return;
    if (typeof node.$ref === "string") add(node.$ref.slice(REF.length));
    for (const value of Object.values(node)) visit(value);
  };
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    visit(definitions[name]);
  };
  for (const name of names) add(name);
  return found;
}
