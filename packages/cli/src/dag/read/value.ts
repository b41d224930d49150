import { call, type Py } from "../python/expression.ts";
import { textLiteral } from "../python/text-literal.ts";
import { instant } from "./instant.ts";
import { encodedOf, isMap, isNumber, listOf, mapOf } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";

/**
 * A value of a serialised Dag as Python: plain JSON, and what Airflow wraps.
 *
 * @throws UnwritableError
 */
export function pythonValue(value: unknown): Py {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isNumber(value)) return numberLiteral(value);
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return { list: value.map(pythonValue) };
  const encoded = encodedOf(value);
  if (encoded !== null) return encodedValue(encoded.type, encoded.var);
  if (isMap(value)) return dict(value);
  throw new UnwritableError(`a value that JSON has no place for (${String(value)})`);
}

/** A text as a literal; one of several lines may be broken at its line ends. */
export function text(value: string): Py {
  try {
    const whole = textLiteral(value);
    const lines = value.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    return lines.length < 2 ? whole : { whole, pieces: lines.map(textLiteral) };
  } catch {
    throw new UnwritableError("a text with half a surrogate pair, which no Python file can hold");
  }
}

/** An `int`, or a `float` where it has a fraction or an exponent. */
export function numberLiteral(value: number | bigint): string {
  return Object.is(value, -0) ? "-0.0" : String(value).replace("e+", "e");
}

/** A `float`, also where it is whole. */
export function floatLiteral(value: number | bigint): string {
  const literal = numberLiteral(value);
  return /[.e]/.test(literal) ? literal : `${literal}.0`;
}

const UNITS = [
  ["days", 86_400],
  ["hours", 3_600],
  ["minutes", 60],
] as const;
/** 999,999,999 days. */
const MAX_SECONDS = 86_399_999_913_600;

/** `timedelta(…)` of a number of seconds, in the largest unit that it is a whole number of. */
export function duration(value: unknown): Py {
  const encoded = encodedOf(value);
  const given = encoded?.type === "timedelta" ? encoded.var : value;
  if (!isNumber(given)) throw new UnwritableError("a duration that is no number of seconds");
  const seconds = Number(given);
  if (Math.abs(seconds) > MAX_SECONDS) {
    throw new UnwritableError("a duration beyond a timedelta's 999,999,999 days");
  }
  const [unit, length] = UNITS.find(([, each]) => seconds !== 0 && seconds % each === 0) ?? [
    "seconds",
    1,
  ];
  return call("timedelta", [unit, numberLiteral(seconds / length)]);
}

function dict(value: Readonly<Record<string, unknown>>): Py {
  const entries = Object.entries(value);
  return { dict: entries.map(([key, each]) => [flat(text(key)), pythonValue(each)] as const) };
}

function flat(py: Py): string {
  return typeof py === "string" ? py : "whole" in py ? py.whole : "";
}

function encodedValue(type: string, inner: unknown): Py {
  switch (type) {
    case "dict":
      return dict(mapOf(inner));
    case "tuple":
      return { tuple: listOf(inner).map(pythonValue) };
    case "set": {
      const members = listOf(inner).map(pythonValue);
      return members.length === 0 ? "set()" : call("set", { list: members });
    }
    case "timedelta":
      return duration(inner);
    case "datetime":
      return instant(inner, "UTC");
    default:
      throw new UnwritableError(`a value of Airflow's type ${JSON.stringify(type)}`);
  }
}
