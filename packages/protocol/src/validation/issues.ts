import { pointerToken } from "./json-value.ts";

/** One fault of a body. */
export interface ValidationIssue {
  /** JSON pointer (RFC 6901) to the field that is wrong, missing or unknown; "" is the body. */
  readonly path: string;
  /** What was expected, and what kind of thing came: never the value itself. */
  readonly message: string;
}

/** What a generated validator says about a fault: see scripts/schema/keywords.mjs. */
type Fault =
  | { readonly missing: string }
  | { readonly unknown: string }
  | {
      readonly expected: string;
      readonly got: unknown;
      readonly at?: string;
      readonly show?: boolean;
    };

interface GeneratedValidator {
  (body: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly fault: Fault }[] | null;
}

/** More faults than this help nobody. */
const MAX_ISSUES = 20;
const MAX_PATH_LENGTH = 400;
const MAX_SHOWN_LENGTH = 40;

/** Runs a generated validator and turns its faults into issues; [] means valid. */
export function issues(validator: GeneratedValidator, body: unknown): readonly ValidationIssue[] {
  if (validator(body)) return [];
  const found = (validator.errors ?? []).slice(0, MAX_ISSUES);
  // Keeps no hold of the body after the call.
  validator.errors = null;
  return found.map(({ instancePath, fault }) => issueOf(instancePath, fault));
}

function issueOf(path: string, fault: Fault): ValidationIssue {
  if ("missing" in fault) {
    return issue(`${path}/${pointerToken(fault.missing)}`, "is missing");
  }
  if ("unknown" in fault) {
    return issue(
      `${path}/${pointerToken(fault.unknown)}`,
      "is no field of this map, which refuses unknown ones",
    );
  }
  const got = fault.show === true ? shown(fault.got) : kindOf(fault.got);
  return issue(path + (fault.at ?? ""), `expected ${fault.expected}, got ${got}`);
}

function issue(path: string, message: string): ValidationIssue {
  const isLong = path.length > MAX_PATH_LENGTH;
  return { path: isLong ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path, message };
}

/** Enumerations hold no secrets, so a short wrong value is worth its place. */
function shown(value: unknown): string {
  const isShort = typeof value === "string" && value.length <= MAX_SHOWN_LENGTH;
  return isShort ? JSON.stringify(value) : kindOf(value);
}

/** What kind of thing a value is, in the words of the messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return value === "" ? "empty text" : "text";
    case "boolean":
      return String(value);
    case "number":
      return numberKind(value);
    case "bigint":
      return "a whole number";
    case "object":
      return objectKind(value);
    default:
      return typeof value;
  }
}

function numberKind(value: number): string {
  if (Number.isInteger(value)) return "a whole number";
  return Number.isFinite(value) ? "a number with a fraction" : String(value);
}

function objectKind(value: object): string {
  if (Array.isArray(value))
    return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (ArrayBuffer.isView(value)) return "bytes";
  const name: unknown = value.constructor?.name;
  return typeof name !== "string" || name === "Object"
    ? "a map"
    : `an instance of ${name.slice(0, MAX_SHOWN_LENGTH)}`;
}
