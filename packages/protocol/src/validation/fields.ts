import { dateTimeKind, isDateTimeReceived, isDateTimeSent } from "./date-times.ts";
import { isDuration } from "./durations.ts";
import type { Fault, FoundFault, GeneratedValidator } from "./issues.ts";
import { type InnerFault, jsonFault, jsonMapFault } from "./json-value.ts";
import { kindOf, shown } from "./kind-of.ts";
import { unknownFields } from "./unknown-fields.ts";
import { isFreeMap, isInteger, isMap, isNumber, isUuid } from "./wire-kinds.ts";

/** What is wrong with a value that has to be of one kind; undefined when nothing is. */
export type FieldKind = (value: unknown) => InnerFault | undefined;

const kind =
  (
    expected: string,
    isGood: (value: unknown) => boolean,
    describe: (value: unknown) => string = kindOf,
  ): FieldKind =>
  (value) =>
    isGood(value) ? undefined : { expected, got: describe(value) };

export const text: FieldKind = kind("text", (value) => typeof value === "string");
export const flag: FieldKind = kind("true or false", (value) => typeof value === "boolean");
export const integer: FieldKind = kind("a whole number", isInteger);
export const float: FieldKind = kind("a finite number", isNumber);
export const dateTimeSent: FieldKind = kind(
  "a date-time with a zone",
  isDateTimeSent,
  dateTimeKind,
);
export const dateTimeReceived: FieldKind = kind("a date-time", isDateTimeReceived);
export const duration: FieldKind = kind("a duration (ISO 8601 text or seconds)", isDuration);
export const uuid: FieldKind = kind("a UUID", isUuid);
export const freeMap: FieldKind = kind("a map with text keys", isFreeMap);
export const json: FieldKind = (value) => jsonFault(value);
export const jsonMap: FieldKind = (value) => jsonMapFault(value);
const list: FieldKind = kind("a list", Array.isArray);

const DEMANDED = 1;
const NULLABLE = 2;

/** A text is the only one that may stand there, a kind in brackets is that of a list's items. */
type Wanted = string | FieldKind | readonly [FieldKind];

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
  wanted: Wanted,
  flags: number,
): FoundFault[] | null {
  if (value === undefined) {
    return (flags & DEMANDED) === 0 ? faults : add(faults, path, { missing: key });
  }
  if (value === null && (flags & NULLABLE) !== 0) return faults;
  if (typeof wanted === "string") {
    if (value === wanted) return faults;
    return add(faults, `${path}/${key}`, { expected: JSON.stringify(wanted), got: shown(value) });
  }
  if (typeof wanted === "function" || !Array.isArray(value)) {
    const fault = (typeof wanted === "function" ? wanted : list)(value);
    return fault === undefined ? faults : add(faults, `${path}/${key}`, fault);
  }
  for (const [at, item] of value.entries()) {
    const fault = wanted[0](item);
    if (fault !== undefined) return add(faults, `${path}/${key}/${at}`, fault); // the first will do
  }
  return faults;
}

/**
 * A validator of maps whose fields do not depend on each other.
 *
 * @param fields - each with its name, what is wanted and the flags of {@link field}
 * @param isClosed - refuse fields that are not among them
 */
export function fields(
  fields: readonly (readonly [key: string, wanted: Wanted, flags: number])[],
  isClosed: boolean = false,
): GeneratedValidator {
  const known = isClosed ? new Set(fields.map(([key]) => key)) : undefined;
  const validator: GeneratedValidator = (data, { instancePath: path = "" } = {}) => {
    let faults: FoundFault[] | null = null;
    if (isMap(data)) {
      for (let at = 0; at < fields.length; at++) {
        const row = fields[at] as (typeof fields)[number]; // taken apart by an iterator it takes twice as long
        faults = field(faults, path, data[row[0]], row[0], row[1], row[2]);
      }
      if (known !== undefined) {
        for (const key of unknownFields(data, known)) faults = add(faults, path, { unknown: key });
      }
    } else {
      faults = add(null, path, { expected: "a map", got: kindOf(data) });
    }
    validator.errors = faults;
    return faults === null;
  };
  return validator;
}

function add(faults: FoundFault[] | null, instancePath: string, fault: Fault): FoundFault[] {
  const found = { instancePath, fault };
  if (faults === null) return [found];
  faults.push(found);
  return faults;
}
