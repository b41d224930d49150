import { type InnerFault, pointerToken } from "./json-value.ts";

/** One fault of a body. */
export interface ValidationIssue {
  /** JSON pointer (RFC 6901) to the field that is wrong, missing or unknown; "" is the body. */
  readonly path: string;
  /** What was expected, and what kind of thing came: never the value itself. */
  readonly message: string;
}

/** What a generated validator says about a fault: see scripts/schema/keywords.mjs. */
export type Fault = { readonly missing: string } | { readonly unknown: string } | InnerFault;

/** A fault with the place of the map or value that has it. */
export interface FoundFault {
  readonly instancePath: string;
  readonly fault: Fault;
}

/** A validator as the generated modules have them. */
export interface GeneratedValidator {
  (body: unknown, place?: { readonly instancePath?: string }): boolean;
  /** What was wrong the last time. */
  errors?: readonly FoundFault[] | null;
}

/** More faults than this help nobody. */
const MAX_ISSUES = 20;
const MAX_PATH_LENGTH = 400;

/** Runs a generated validator and turns its faults into issues; [] means valid. */
export function issues(validator: GeneratedValidator, body: unknown): readonly ValidationIssue[] {
  if (validator(body)) return [];
  const found = (validator.errors ?? []).slice(0, MAX_ISSUES);
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
  return issue(path + (fault.at ?? ""), `expected ${fault.expected}, got ${fault.got}`);
}

function issue(path: string, message: string): ValidationIssue {
  const isLong = path.length > MAX_PATH_LENGTH;
  return { path: isLong ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path, message };
}
