import { isKnownZone } from "../../../values/time-zone.ts";

/** Takes one problem: where in the document (`/dag/tasks/0/__var/retry_delay`), and what is wrong there. */
export type Tell = (path: string, problem: string) => void;

/** Looks at the value at a path and tells what is wrong with it. */
export type Check = (value: unknown, path: string, tell: Tell) => void;

/** An object of plain JSON. */
export interface JsonRecord {
  readonly [key: string]: unknown;
}

/** Whether a value is an object and no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list or an object. */
export function isDeep(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** What a value is, in a word or two, for a message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 80))}`;
  return typeof value === "boolean" ? String(value) : `a value of type ${typeof value}`;
}

/** A place one step below another; `~` and `/` as JSON pointers have them. */
export function below(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

const expecting =
  (what: string, is: (value: unknown) => boolean): Check =>
  (value, path, tell) => {
    if (!is(value)) tell(path, `is ${kindOf(value)}, expected ${what}`);
  };

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

export const text: Check = expecting("text", (value) => typeof value === "string");
export const flag: Check = expecting("true or false", (value) => typeof value === "boolean");
export const number: Check = expecting("a number", isNumber);
export const seconds: Check = expecting(
  "a number of seconds, 0 or more",
  (value) => isNumber(value) && value >= 0,
);
/** Seconds since 1970; Python knows the years 1 to 9999. */
export const moment: Check = expecting(
  "the seconds since 1970 as a number",
  (value) => isNumber(value) && value >= -62_135_596_800 && value < 253_402_300_800,
);
export const list: Check = expecting("a list", Array.isArray);
export const record: Check = expecting("an object", isRecord);
/** No list and no object: Python can have it in a set. */
export const scalar: Check = expecting("text", (value) => !isDeep(value));
export const anything: Check = () => {};

/** A time zone: its name, or its seconds ahead of UTC. */
export const zone: Check = (value, path, tell) => {
  if (typeof value === "number") {
    if (!Number.isInteger(value)) tell(path, `is ${kindOf(value)}, expected whole seconds`);
    return;
  }
  text(value, path, tell);
  if (typeof value !== "string" || isKnownZone(value)) return;
  tell(path, `is ${kindOf(value)}, which is no time zone that is known here`);
};

/** Null, or what another check takes. */
export function orNull(check: Check): Check {
  return (value, path, tell) => {
    if (value !== null) check(value, path, tell);
  };
}

/** A list whose every entry another check takes. */
export function listOf(check: Check): Check {
  return (value, path, tell) => {
    if (!Array.isArray(value)) return list(value, path, tell);
    for (const [index, entry] of value.entries()) check(entry, below(path, index), tell);
  };
}

/** How the fields of an object are checked. */
export interface Fields {
  readonly [name: string]: Check;
}

/** An object with these fields; others are told where `isClosed`. */
export function fields(
  known: Fields,
  options: { readonly required?: readonly string[]; readonly isClosed?: boolean } = {},
): Check {
  return (value, path, tell) => {
    if (!isRecord(value)) return record(value, path, tell);
    for (const name of options.required ?? []) {
      if (!Object.hasOwn(value, name)) tell(path, `has no ${JSON.stringify(name)}`);
    }
    for (const [name, entry] of Object.entries(value)) {
      const check = Object.hasOwn(known, name) ? known[name] : undefined;
      if (check !== undefined) check(entry, below(path, name), tell);
      else if (options.isClosed)
        tell(path, `has the key ${JSON.stringify(name)}, which is unknown`);
    }
  };
}
