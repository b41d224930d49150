import {
  type Definition,
  type Definitions,
  resolveDefinition,
} from "@parlance/protocol/definitions";
import type { Random } from "./random.ts";

const TEXTS = [
  "",
  "a",
  "key_1",
  "日本",
  "x y",
  "return_value",
  "é",
  "long".repeat(40),
  "5",
  "true",
];

/** What a mutation puts where something else was. */
const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  2 ** 40,
  "",
  "1",
  " 7 ",
  "1.0",
  "1.5",
  "1e3",
  "nan",
  "yes",
  "off",
  "text",
  "2026-06-16",
  "2026-06-16T01:02:03",
  "2026-06-16 01:02:03.5+02",
  "2026-06-16 01:02:03.123456789+02:00",
  "PT1M",
  "P1Y2DT3H4.5S",
  "3 days, 01:02:03",
  "019A0000-0000-7000-8000-000000000001",
  "019a000000007000800000000000000f",
  [],
  ["a"],
  [1, null],
  {},
  { bad: ["x"] },
  { type: "Nope" },
];

/** A good body of a message: fields that need not be there are there at random. */
export function randomBody(definitions: Definitions, type: string, random: Random): Body {
  const fullness = random.pick([0, 0.5, 0.5, 1]);
  const make = (node: Definition): unknown => value(definitions, node, random, fullness);
  return make({ $ref: `#/$defs/${type}` }) as Body;
}

export type Body = Record<string, unknown>;

function value(
  definitions: Definitions,
  given: Definition,
  random: Random,
  fullness: number,
): unknown {
  const node = resolveDefinition(definitions, given);
  const make = (each: Definition): unknown => value(definitions, each, random, fullness);
  const branches = node.anyOf ?? node.oneOf;
  if (branches !== undefined) return make(random.pick(branches));
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return random.pick(node.enum);
  switch (node.type) {
    case "string":
      return text(node.format, random);
    case "integer":
      return Math.max(random.below(10) - 1, node.minimum ?? -1, (node.exclusiveMinimum ?? -2) + 1);
    case "number":
      return random.pick([0.5, 12.25, 3, 1e20]);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "array":
      return list(node, random, make);
    case "object":
      return map(node, random, fullness, make);
    default:
      return json(random, 0);
  }
}

function list(node: Definition, random: Random, make: (node: Definition) => unknown): unknown[] {
  if (node.prefixItems !== undefined) return node.prefixItems.map(make);
  const length = Math.max(random.below(3), node.minItems ?? 0);
  return Array.from({ length }, () => make(node.items ?? {}));
}

function map(
  { properties, required = [], additionalProperties: rest }: Definition,
  random: Random,
  fullness: number,
  make: (node: Definition) => unknown,
): Body {
  if (properties === undefined) {
    const keys = ["k1", "type", "é"].slice(0, random.below(4));
    return Object.fromEntries(
      keys.map((key) => [key, typeof rest === "object" ? make(rest) : json(random, 0)]),
    );
  }
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || random.chance(fullness),
  );
  return Object.fromEntries(names.map((name) => [name, make(properties[name] ?? {})]));
}

function text(format: Definition["format"], random: Random): unknown {
  switch (format) {
    case "uuid": {
      const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    }
    case "date-time":
      return dateTime(random);
    case "duration":
      return random.pick(["PT30S", "P1DT2H", "-PT0.5S", "P400D", 90, 12.5, "01:02:03.25", "PT0S"]);
    case "path":
      return random.pick(["/b/x", "/b//y/./z/", "", "//a"]);
    default:
      return random.pick(TEXTS);
  }
}

function dateTime(random: Random): unknown {
  const date = new Date(Date.UTC(2026, 0, 1) + random.below(3e10) * 1e-3 * 1000);
  const whole = date.toISOString().slice(0, 19);
  const fraction = random.pick(["", ".5", ".123000", ".678901"]);
  const zone = random.pick(["Z", "+00:00", "+05:30", "-01:45", "-00:00"]);
  const written = `${whole}${fraction}${zone}`;
  if (random.chance(0.1)) return { $: "datetime", iso: `${whole}${fraction}+00:00` };
  return random.chance(0.1) ? written.replace("T", " ") : written;
}

function json(random: Random, depth: number): unknown {
  switch (random.below(depth < 2 ? 8 : 5)) {
    case 0:
      return null;
    case 1:
      return true;
    case 2:
      return random.below(2 ** 31) - 5;
    case 3:
      return 1.5;
    case 4:
      return random.pick(TEXTS);
    case 5:
      return [json(random, depth + 1)];
    case 6:
      return { k: json(random, depth + 1) };
    default:
      return {};
  }
}

/** The body with one thing in it changed: a field left out, added or made another thing. */
export function mutated(body: Body, random: Random): Body {
  const copy = structuredClone(body);
  const places = placesIn(copy, []);
  const [holder, key] = random.pick(places);
  if (random.chance(0.25) && !Array.isArray(holder)) {
    if (key !== "type" || holder !== copy) delete (holder as Body)[key as string];
  } else if (random.chance(0.3) && !Array.isArray(holder)) {
    (holder as Body)["zz_unknown"] = 1;
  } else if (key !== "type" || holder !== copy) {
    (holder as Body)[key as string] = structuredClone(random.pick(JUNK));
  }
  return copy;
}

type Place = readonly [holder: object, key: string | number];

function placesIn(value: unknown, found: Place[]): Place[] {
  if (typeof value !== "object" || value === null || "$" in value) return found;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    found.push([value, key]);
    placesIn((value as Body)[key as string], found);
  }
  return found;
}
