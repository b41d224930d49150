import type { Definition, Definitions } from "../definitions/definition.ts";
import { referredName } from "../definitions/definitions-of.ts";
import type { ValidationIssue } from "../validation/issues.ts";
import { jsonFault, pointerToken } from "../validation/json-value.ts";
import { kindOf, shown } from "../validation/kind-of.ts";
import { unknownFields } from "../validation/unknown-fields.ts";
import { isFreeMap, isMap, numeric } from "../validation/wire-kinds.ts";
import { readDateTime } from "./read-date-time.ts";
import { readDuration } from "./read-duration.ts";
import { readBoolean, readInteger, readNumber, readPath, readUuid } from "./read-scalar.ts";
import {
  defaultOf,
  demandsZone,
  dropMissingRegion,
  isServerModel,
  mayBeNull,
  type Place,
  writtenName,
} from "./stock-models.ts";

/** How a body is to be read. */
export interface BodyReaderOptions {
  readonly definitions: Definitions;
  /** `DEFINITION.FIELD` of what the reader of the result does not know. */
  readonly dropped: ReadonlySet<string>;
  /** Fields that are left out get their defaults. */
  readonly fillsDefaults: boolean;
  /** As in what a supervisor sends: see `mayBeNull` in stock-models.ts. */
  readonly allowsNull: boolean;
}

/** More faults than this help nobody. */
const MAX_ISSUES = 20;

/**
 * Reads a body as stock's models read it and gives what they would send: defaults filled in,
 * unknown fields dropped where they are not refused, scalars in one form. The body is not
 * changed; what is free of a schema is shared with the result.
 */
export class BodyReader {
  readonly #options: BodyReaderOptions;
  readonly #issues: ValidationIssue[] = [];

  constructor(options: BodyReaderOptions) {
    this.#options = options;
  }

  /** What was wrong, at most 20; a result is worth nothing unless this is empty. */
  get issues(): readonly ValidationIssue[] {
    return this.#issues;
  }

  readMessage(name: string, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const node = this.#definition(name);
    return this.#model(name, node, body, "", false);
  }

  #definition(name: string): Definition {
    const found = this.#options.definitions[name];
    if (found === undefined) throw new RangeError(`BodyReader: there is no definition ${name}`);
    return found;
  }

  #model(
    name: string,
    { properties = {}, required = [], additionalProperties }: Definition,
    body: Readonly<Record<string, unknown>>,
    path: string,
    isInServer: boolean,
  ): Record<string, unknown> {
    const isServer = isInServer || isServerModel(name);
    const result: Record<string, unknown> = {};
    for (const [field, node] of Object.entries(properties)) {
      const place = { definition: name, field, isServer };
      // A tag with a default is demanded only where it tells messages apart, which was looked at.
      const isRequired = node.default === undefined && required.includes(field);
      const value = this.#field(node, body[field], isRequired, `${path}/${field}`, place);
      const isDropped = !isServer && this.#options.dropped.has(`${name}.${field}`);
      if (value !== undefined && !isDropped) result[writtenName(place)] = value;
    }
    if (additionalProperties === false) {
      for (const key of unknownFields(body, new Set(Object.keys(properties)))) {
        this.#tell(
          `${path}/${pointerToken(key)}`,
          "is no field of this map, which refuses unknown ones",
        );
      }
    }
    if (isServer && name === "TaskInstance") dropMissingRegion(result);
    return result;
  }

  #field(
    node: Definition,
    value: unknown,
    isRequired: boolean,
    path: string,
    place: Place,
  ): unknown {
    if (value === undefined) {
      if (isRequired) this.#tell(path, "is missing");
      else if (this.#options.fillsDefaults) return defaultOf(node, place);
      return undefined;
    }
    const isNull = value === null && !isRequired && this.#options.allowsNull;
    if (isNull && mayBeNull(this.#definition(place.definition), node, place)) return null;
    return this.#value(node, value, path, place);
  }

  /** undefined after a fault. */
  #value(node: Definition, value: unknown, path: string, place: Place): unknown {
    if (node.$ref !== undefined) return this.#referred(referredName(node.$ref), value, path, place);
    if (node.discriminator !== undefined)
      return this.#tagged(node.discriminator, value, path, place);
    if (node.anyOf !== undefined) return this.#alternatives(node.anyOf, value, path, place);
    const among = node.const === undefined ? node.enum : [node.const];
    if (among !== undefined) return this.#among(among, value, path);
    switch (node.type) {
      case undefined:
        return value;
      case "array":
        return this.#list(node, value, path, place);
      case "object":
        return this.#map(node, value, path, place);
      default:
        return this.#scalar(node, value, path, place);
    }
  }

  #referred(name: string, value: unknown, path: string, place: Place): unknown {
    if (name === "JsonValue") return this.#json(value, path);
    const node = this.#definition(name);
    if (node.properties === undefined) return this.#value(node, value, path, place);
    if (!isMap(value)) return this.#refuse("a map", value, path);
    return this.#model(name, node, value, path, place.isServer);
  }

  #json(value: unknown, path: string): unknown {
    const fault = jsonFault(value);
    if (fault === undefined) return value;
    this.#tell(`${path}${fault.at ?? ""}`, `expected ${fault.expected}, got ${fault.got}`);
    return undefined;
  }

  #tagged(
    { propertyName, mapping }: NonNullable<Definition["discriminator"]>,
    value: unknown,
    path: string,
    place: Place,
  ): unknown {
    if (!isMap(value)) return this.#refuse("a map", value, path);
    const tag = value[propertyName];
    if (tag === undefined) return this.#tell(`${path}/${propertyName}`, "is missing");
    const known = typeof tag === "string" && Object.hasOwn(mapping, tag) ? mapping[tag] : undefined;
    if (known !== undefined) return this.#referred(referredName(known), value, path, place);
    return this.#refuse(oneOf(Object.keys(mapping)), tag, `${path}/${propertyName}`);
  }

  #alternatives(
    branches: readonly Definition[],
    value: unknown,
    path: string,
    place: Place,
  ): unknown {
    if (value === null && branches.some(({ type }) => type === "null")) return null;
    const present = branches.filter(({ type }) => type !== "null");
    const kind = Array.isArray(value) ? "array" : isFreeMap(value) ? "object" : "string";
    const branch = present.find(({ type }) => type === kind) ?? present[0];
    return branch === undefined
      ? this.#refuse("null", value, path)
      : this.#value(branch, value, path, place);
  }

  #among(allowed: readonly unknown[], value: unknown, path: string): unknown {
    return allowed.includes(value) ? value : this.#refuse(oneOf(allowed), value, path);
  }

  #list(
    { items, prefixItems, minItems = 0 }: Definition,
    value: unknown,
    path: string,
    place: Place,
  ): unknown {
    const expected = prefixItems === undefined ? "a list" : `a list of ${prefixItems.length}`;
    if (!Array.isArray(value)) return this.#refuse(expected, value, path);
    if (prefixItems === undefined ? value.length < minItems : value.length !== prefixItems.length) {
      return this.#refuse(
        prefixItems === undefined ? `a list of at least ${minItems}` : expected,
        value,
        path,
      );
    }
    return value.map((each: unknown, index) =>
      this.#value(prefixItems?.[index] ?? items ?? {}, each, `${path}/${index}`, place),
    );
  }

  #map(
    { additionalProperties: rest }: Definition,
    value: unknown,
    path: string,
    place: Place,
  ): unknown {
    if (!isFreeMap(value)) return this.#refuse("a map with text keys", value, path);
    if (typeof rest !== "object") return value;
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    // fromEntries, so that a key of `__proto__` becomes a key like any other.
    return Object.fromEntries(
      entries
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => [
          key,
          this.#value(rest, each, `${path}/${pointerToken(key)}`, place),
        ]),
    );
  }

  #scalar(node: Definition, value: unknown, path: string, place: Place): unknown {
    const [expected, read] = scalarOf(node, value, place);
    if (read === undefined) return this.#refuse(expected, value, path);
    const { minimum, exclusiveMinimum } = node;
    if (minimum !== undefined && numeric(read) < minimum) {
      return this.#refuse(`${expected} of at least ${minimum}`, value, path);
    }
    // Not <=: NaN is above nothing.
    if (exclusiveMinimum !== undefined && !(numeric(read) > exclusiveMinimum)) {
      return this.#refuse(`${expected} above ${exclusiveMinimum}`, value, path);
    }
    return read;
  }

  #refuse(expected: string, value: unknown, path: string): undefined {
    return this.#tell(path, `expected ${expected}, got ${kindOf(value)}`);
  }

  #tell(path: string, message: string): undefined {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ path, message });
  }
}

function scalarOf(
  node: Definition,
  value: unknown,
  place: Place,
): readonly [expected: string, read: unknown] {
  switch (node.type) {
    case "integer":
      return ["a whole number", readInteger(value)];
    case "number":
      return ["a number", readNumber(value)];
    case "boolean":
      return ["true or false", readBoolean(value)];
    case "string":
      break;
    default:
      throw new RangeError(`BodyReader: no rule for the type ${String(node.type)}`);
  }
  switch (node.format) {
    case "date-time": {
      const rule = { demandsZone: demandsZone(place), inUtc: place.isServer };
      const expected = rule.demandsZone ? "a date-time with a zone" : "a date-time";
      return [expected, readDateTime(value, rule)];
    }
    case "duration":
      return ["a duration", readDuration(value)];
    case "uuid":
      return ["a UUID", readUuid(value)];
    case "path":
      return ["a path", readPath(value)];
    default:
      return ["text", typeof value === "string" ? value : undefined];
  }
}

function oneOf(allowed: readonly unknown[]): string {
  const words = allowed.map(shown).join(", ");
  return allowed.length === 1 ? words : `one of ${words}`;
}
