import { dateTimeKind, isDateTimeReceived, isDateTimeSent } from "./date-times.ts";
import type { InnerFault } from "./json-value.ts";
import { kindOf, shown } from "./kind-of.ts";
import { isInteger, isUuid } from "./wire-kinds.ts";

/** A fault as the generated validators collect them. */
interface FoundFault {
  readonly instancePath: string;
  readonly fault: InnerFault | { readonly missing: string };
}

/** What a field has to be, and what is said when it is not. */
export interface FieldKind {
  readonly isGood: (value: unknown) => boolean;
  readonly expected: string;
  readonly describe: (value: unknown) => string;
}

const kind = (
  expected: string,
  isGood: FieldKind["isGood"],
  describe: FieldKind["describe"] = kindOf,
): FieldKind => ({ isGood, expected, describe });

export const text: FieldKind = kind("text", (value) => typeof value === "string");
export const flag: FieldKind = kind("true or false", (value) => typeof value === "boolean");
export const integer: FieldKind = kind("a whole number", isInteger);
export const dateTimeSent: FieldKind = kind(
  "a date-time with a zone",
  isDateTimeSent,
  dateTimeKind,
);
export const dateTimeReceived: FieldKind = kind("a date-time", isDateTimeReceived);
export const uuid: FieldKind = kind("a UUID", isUuid);

const DEMANDED = 1;
const NULLABLE = 2;

/**
 * Judges one field of a map.
 *
 * @param faults - what was found so far; null is nothing
 * @param flags - 1: it has to be there, 2: it may be null
 * @returns the faults with those of the field
 */
export function field(
  faults: FoundFault[] | null,
  path: string,
  value: unknown,
  key: string,
  { isGood, expected, describe }: FieldKind,
  flags: number,
): FoundFault[] | null {
  if (value === undefined) {
    if ((flags & DEMANDED) === 0) return faults;
    return add(faults, path, { missing: key });
  }
  if (isGood(value) || (value === null && (flags & NULLABLE) !== 0)) return faults;
  return add(faults, `${path}/${key}`, { expected, got: describe(value) });
}

/** As {@link field}, for a list of such values; only its first fault is told. */
export function listField(
  faults: FoundFault[] | null,
  path: string,
  value: unknown,
  key: string,
  { isGood, expected, describe }: FieldKind,
  flags: number,
): FoundFault[] | null {
  if (!Array.isArray(value)) return field(faults, path, value, key, NO_LIST, flags);
  const at = value.findIndex((item) => !isGood(item));
  if (at < 0) return faults;
  return add(faults, `${path}/${key}/${at}`, { expected, got: describe(value[at]) });
}

/** As {@link field}, for one text and no other. */
export function constant(
  faults: FoundFault[] | null,
  path: string,
  value: unknown,
  key: string,
  only: string,
  flags: number,
): FoundFault[] | null {
  if (value === only) return faults;
  const none: FieldKind = kind(JSON.stringify(only), () => false, shown);
  return field(faults, path, value, key, none, flags);
}

const NO_LIST: FieldKind = kind("a list", () => false);

function add(
  faults: FoundFault[] | null,
  instancePath: string,
  fault: FoundFault["fault"],
): FoundFault[] {
  const found = { instancePath, fault };
  if (faults === null) return [found];
  faults.push(found);
  return faults;
}
