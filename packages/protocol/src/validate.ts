import * as sent20260616 from "../validators/2026-06-16/all-to-supervisor.js";
import * as received20260616 from "../validators/2026-06-16/all-to-task.js";
import * as sent20261030 from "../validators/2026-10-30/all-to-supervisor.js";
import * as received20261030 from "../validators/2026-10-30/all-to-task.js";
import { SCHEMA_VERSIONS, type SchemaVersion } from "./schema-version.ts";
import type { ValidationIssue } from "./validation/issues.ts";
import { kindOf } from "./validation/kind-of.ts";
import { isMap } from "./validation/wire-kinds.ts";
import type { Direction } from "./wire-values.ts";

export type { ValidationIssue } from "./validation/issues.ts";

type Validators = { readonly [type: string]: (body: unknown) => readonly ValidationIssue[] };

/** `type` is there when the body says one, also when no such message is known. */
export type ValidationResult =
  | { readonly valid: true; readonly type: string }
  | {
      readonly valid: false;
      readonly type?: string;
      readonly errors: readonly ValidationIssue[];
    };

// Namespace objects have no prototype: a `type` of "constructor" finds nothing.
const VALIDATORS: { readonly [V in SchemaVersion]: { readonly [D in Direction]: Validators } } = {
  "2026-06-16": { "to-supervisor": sent20260616, "to-task": received20260616 },
  "2026-10-30": { "to-supervisor": sent20261030, "to-task": received20261030 },
};

/** Longer text is no message's name and is not repeated. */
const MAX_TYPE_LENGTH = 64;

/**
 * Judges a body as it comes out of a frame, or as it is about to go into one.
 *
 * What a task sends is refused where stock Airflow would not answer it; beyond that every
 * date-time needs a zone, and text, integers and booleans must be just that (stock also
 * reads `"1"` as a number). What a task receives may carry fields that are not known here.
 * At most 20 errors are given; lists are judged up to their first bad element.
 */
export function validateBody(
  version: SchemaVersion,
  direction: Direction,
  body: unknown,
): ValidationResult {
  if (!isMap(body)) return invalid("", `expected a map with a type, got ${kindOf(body)}`);
  const type = body["type"];
  if (type === undefined) return invalid("/type", "is missing");
  if (typeof type !== "string") {
    return invalid("/type", `expected the name of a message, got ${kindOf(type)}`);
  }
  const validate = VALIDATORS[version][direction][type];
  if (validate === undefined) return unknownType(version, direction, type);
  const errors = validate(body);
  return errors.length === 0 ? { valid: true, type } : { valid: false, type, errors };
}

function unknownType(version: SchemaVersion, direction: Direction, type: string): ValidationResult {
  const expected = `expected a message that goes ${direction} in schema ${version}`;
  if (type.length > MAX_TYPE_LENGTH) return invalid("/type", `${expected}, got text`);
  const message = `${expected}, got ${JSON.stringify(type)}${elsewhere(version, direction, type)}`;
  return { ...invalid("/type", message), type };
}

function elsewhere(version: SchemaVersion, direction: Direction, type: string): string {
  const back = direction === "to-task" ? "to-supervisor" : "to-task";
  if (VALIDATORS[version][back][type] !== undefined) return `, which goes ${back}`;
  const other = SCHEMA_VERSIONS.find((each) => VALIDATORS[each][direction][type] !== undefined);
  return other === undefined ? "" : `, which schema ${other} has`;
}

function invalid(path: string, message: string): { valid: false; errors: ValidationIssue[] } {
  return { valid: false, errors: [{ path, message }] };
}
