import { sourcePlace } from "./source-place.ts";
import { cutCodePoints, wellFormed } from "./well-formed.ts";

/** One error of a chain, as Python's structlog writes it and Airflow's log view draws it. */
export interface ErrorDetail {
  readonly exc_type: string;
  readonly exc_value: string;
  /** `property: value` of an error's own properties. */
  readonly exc_notes: readonly string[];
  readonly syntax_error: null;
  /** True for the cause of the entry before it. */
  readonly is_cause: boolean;
  /** Innermost call last, as Python prints tracebacks. */
  readonly frames: readonly ErrorFrame[];
  /** Never: the log view draws one list, so members of a group stand in it themselves. */
  readonly is_group: false;
  readonly exceptions: readonly [];
}

/** One line of a call stack. */
export interface ErrorFrame {
  readonly filename: string;
  readonly lineno: number;
  readonly name: string;
}

const MAX_CHAIN = 10;
const MAX_FRAMES = 50;
const MAX_NOTES = 10;
const MAX_NOTE_CHARACTERS = 200;
/** They are shown anyway. */
const NOT_NOTED = new Set(["name", "message", "stack"]);
const FRAME = /^ {4}at (?:async )?(?:(.*?) \()?(.*?):(\d+):(\d+)\)?$/;
/** What runs a handler is called so: from there on a stack is the runtime's own. */
const HANDLER_CALLER = "parlanceCallsHandler";

/**
 * An error and its causes, outermost first, for a record's `exception` field. Members of an
 * AggregateError follow their group. At most 10 errors of at most 50 frames. Never throws;
 * any thrown value will do.
 */
export function errorDetail(thrown: unknown): readonly ErrorDetail[] {
  const chain: ErrorDetail[] = [];
  const seen = new Set<unknown>();
  const add = (value: unknown, isCause: boolean): void => {
    if (chain.length >= MAX_CHAIN || seen.has(value)) return;
    seen.add(value);
    chain.push(describe(value, isCause));
    const cause = read(value, "cause");
    if (cause !== undefined && cause !== null) add(cause, true);
    const members = read(value, "errors");
    if (Array.isArray(members)) for (const member of members) add(member, true);
  };
  add(thrown, false);
  return chain;
}

/** `Name: message` of an error, or the text of any other thrown value. Never throws. */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return text(thrown);
  const [name, message] = [nameOf(thrown), text(read(thrown, "message"))];
  return message === "" ? name : `${name}: ${message}`;
}

/** What an error inside a field is written as; own properties such as `code` follow. */
export function errorSummary(error: Error): Record<string, unknown> {
  const summary: Record<string, unknown> = {};
  for (const key of ["name", "message", "stack", "cause", "errors"]) {
    const value = read(error, key);
    if (value !== undefined) summary[key] = value;
  }
  for (const key of Object.keys(error)) summary[key] ??= read(error, key);
  return summary;
}

function describe(value: unknown, isCause: boolean): ErrorDetail {
  const isError = value instanceof Error;
  const stack = isError ? read(value, "stack") : undefined;
  return {
    exc_type: isError ? nameOf(value) : `thrown ${typeName(value)}`,
    exc_value: isError ? text(read(value, "message")) : text(value),
    exc_notes: isError ? notesOf(value) : [],
    syntax_error: null,
    is_cause: isCause,
    frames: typeof stack === "string" ? readFrames(stack) : [],
    is_group: false,
    exceptions: [],
  };
}

/** Properties of an error that say something in a line, such as `code`. */
function notesOf(error: Error): string[] {
  const notes: string[] = [];
  for (const key of Object.keys(error)) {
    const value = read(error, key);
    const isPlain = ["string", "number", "boolean", "bigint"].includes(typeof value);
    if (!isPlain || NOT_NOTED.has(key) || notes.length === MAX_NOTES) continue;
    notes.push(cutCodePoints(`${key}: ${String(value)}`, MAX_NOTE_CHARACTERS));
  }
  return notes;
}

/** The calls of a stack's text, innermost last: at places of the source, where there is a map. */
export function readFrames(stack: string): ErrorFrame[] {
  const frames: ErrorFrame[] = [];
  for (const line of stack.slice(0, 1 << 16).split("\n")) {
    const [, name, file, lineno, column] = FRAME.exec(line) ?? [];
    if (name?.endsWith(HANDLER_CALLER)) break;
    if (file === undefined) continue;
    const place = sourcePlace(file, Number(lineno), Number(column));
    frames.push({
      filename: wellFormed(place.file),
      lineno: place.line,
      name: wellFormed(name ?? "<anonymous>"),
    });
    if (frames.length === MAX_FRAMES) break;
  }
  return frames.reverse();
}

function nameOf(error: Error): string {
  return text(read(error, "name")) || "Error";
}

function typeName(value: unknown): string {
  return value === null ? "null" : typeof value;
}

function read(value: unknown, key: string): unknown {
  try {
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)[key]
      : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  try {
    if (typeof value === "object" && value !== null) {
      return JSON.stringify(value) ?? Object.prototype.toString.call(value);
    }
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
