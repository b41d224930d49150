import { Float } from "@parlance/framing";
import { CalendarDate, DateTime, Decimal, PythonFloat, TimeOfDay, Uuid } from "@parlance/results";
import { CliError, ExitCode } from "../../errors.ts";
import { parseExactJson } from "../../notation/exact-json.ts";
import {
  bytesField,
  entriesField,
  floatField,
  integerField,
  ranged,
  textField,
} from "../../notation/marked-fields.ts";
import { NotationError } from "../../notation/notation-error.ts";
import { type Kind, type Marked, NotationReader } from "../../notation/notation-reader.ts";
import { readTagged } from "./celery-tags.ts";

/** Python reads no longer integer from text, unless it is told to. */
const MAX_INTEGER_DIGITS = 4300;

const KINDS: Readonly<Record<string, Kind<unknown>>> = {
  int: [
    ["v"],
    (marked) => integerField(marked, MAX_INTEGER_DIGITS, "integer of 4,300 digits at most"),
  ],
  float: [["v"], (marked) => wrapWhole(floatField(marked))],
  bytes: [["hex"], bytesField],
  datetime: [["iso", "aware"], makeDateTime],
  date: [["iso"], (marked) => ranged(() => CalendarDate.parse(textField(marked, "iso")))],
  time: [["iso"], (marked) => ranged(() => TimeOfDay.parse(textField(marked, "iso")))],
  decimal: [["v"], (marked) => ranged(() => new Decimal(textField(marked, "v")))],
  uuid: [["v"], (marked) => ranged(() => new Uuid(textField(marked, "v")))],
  map: [["entries"], entriesField],
};

const SCALARS = {
  kinds: KINDS,
  scalar: (scalar: unknown) => (scalar instanceof Float ? wrapWhole(scalar.value) : scalar),
  list: (items: unknown[]) => items,
};

const PLAIN = new NotationReader<unknown>({ ...SCALARS, object: (entries) => entries });
const TAGGED = new NotationReader<unknown>({ ...SCALARS, object: readTagged });

/**
 * Reads a value from the command line: exact JSON, with marks for what JSON lacks. Objects become
 * Maps, which keep the order of their keys.
 *
 * @param what - names the option in errors
 * @param options.tags - read `{"__type__","__value__"}` as the value that it stands for: only in json
 *   does Celery write a value so; elsewhere it is a dict like any other
 * @throws CliError `bad-json`, `bad-value` (65)
 */
export function parseResultValue(
  text: string,
  what: string,
  options: { readonly tags: boolean },
): unknown {
  try {
    const json = parseExactJson(text, { maxIntegerDigits: MAX_INTEGER_DIGITS });
    return (options.tags ? TAGGED : PLAIN).read(json);
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw badInput("bad-json", `${what} is not JSON: ${cause.message}.${hintFor(text)}`, cause);
    }
    if (!(cause instanceof NotationError)) throw cause;
    throw badInput("bad-value", `${what}: ${cause.message}.`, cause);
  }
}

function makeDateTime(marked: Marked): DateTime {
  const moment = ranged(() => DateTime.parse(textField(marked, "iso")));
  const aware = marked.get("aware") ?? !moment.isNaive;
  if (aware === !moment.isNaive) return moment;
  throw new NotationError('{"$":"datetime"} is aware: true with an offset, and false without');
}

/** A whole number that is a float; other floats say so themselves. */
function wrapWhole(value: number): number | PythonFloat {
  return Number.isInteger(value) ? new PythonFloat(value) : value;
}

/** A shell takes away the quotes that make a text; Python's json has tokens that JSON has not. */
function hintFor(text: string): string {
  const [, token] = /^\s*(NaN|-?Infinity)\s*$/.exec(text) ?? [];
  if (token !== undefined) {
    const v = token.replace("NaN", "nan").replace("Infinity", "inf");
    return ` Here it is written {"$":"float","v":"${v}"}.`;
  }
  return /^[A-Za-z]/.test(text) ? ` A text needs quotes of its own: '"text"'.` : "";
}

function badInput(code: string, message: string, cause: unknown): CliError {
  return new CliError(code, message, ExitCode.badInput, {}, { cause });
}
