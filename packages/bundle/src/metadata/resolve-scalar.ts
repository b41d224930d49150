import { BundleError } from "../errors.ts";
import { parseTimestamp } from "./parse-timestamp.ts";
import { PythonFailure } from "./python-failure.ts";
import { type MetadataValue, YamlFloat } from "./values.ts";

/*
 * Plain scalars get their type as in PyYAML's SafeLoader, which stock Airflow reads metadata with.
 * That is YAML 1.1 with differences (checked against PyYAML 6.0.4, test/data/yaml-scalars.json):
 * `y` and `n` are text, an exponent needs a point and a sign (`1e3` and `1.5e3` are text),
 * `-.5` is text while `.5` is a float, `08` is text while `010` is eight.
 */

/** Types of plain scalars: YAML's own names. `value` is the lone `=`, which no reader can build. */
export type ScalarTag = "null" | "bool" | "int" | "float" | "timestamp" | "merge" | "value" | "str";

const BOOL = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const NULL = /^(?:~|null|Null|NULL|)$/;
const INT =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const TIMESTAMP =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;
const MAYBE_TYPED = /^[-+.0-9~=<yYnNtTfFoO]/;

/** Python refuses to convert longer decimal text to an integer; we also refuse other bases. */
const MAX_DIGITS = 4300;

/** The type that a plain (unquoted, untagged) scalar has. */
export function tagOfPlain(text: string): ScalarTag {
  if (text !== "" && !MAYBE_TYPED.test(text)) return "str";
  if (BOOL.test(text)) return "bool";
  if (NULL.test(text)) return "null";
  if (INT.test(text)) return "int";
  if (FLOAT.test(text)) return "float";
  if (TIMESTAMP.test(text)) return "timestamp";
  if (text === "<<") return "merge";
  return text === "=" ? "value" : "str";
}

/**
 * Builds the value of a scalar of a given type, also one that was tagged by hand (`!!int "12"`).
 *
 * @throws BundleError `bad-metadata` where Python's reader fails, e.g. for 30 February
 */
export function buildScalar(tag: ScalarTag, text: string): MetadataValue {
  switch (tag) {
    case "str":
      return text;
    case "null":
      return null;
    case "bool":
      return buildBool(text);
    case "int":
      return buildInt(text);
    case "float":
      return new YamlFloat(buildFloat(text));
    case "timestamp":
      return parseTimestamp(text);
    case "merge":
    case "value":
      throw unreadable(text, "a value");
  }
}

function buildBool(text: string): boolean {
  const word = text.toLowerCase();
  if (word === "yes" || word === "true" || word === "on") return true;
  if (word === "no" || word === "false" || word === "off") return false;
  throw unreadable(text, "a boolean");
}

function buildInt(text: string): number | bigint {
  const plain = text.replaceAll("_", "");
  const negative = plain.startsWith("-");
  const digits = /^[-+]/.test(plain) ? plain.slice(1) : plain;
  if (digits.length > MAX_DIGITS) throw unreadable(text, "an integer");
  const size = intOf(digits, text);
  return narrow(negative ? -size : size);
}

function intOf(digits: string, text: string): bigint {
  if (digits === "0") return 0n;
  if (/^0b[01]+$/.test(digits) || /^0x[0-9a-fA-F]+$/.test(digits)) return BigInt(digits);
  if (/^0[0-7]+$/.test(digits)) return BigInt(`0o${digits}`);
  if (/^[0-9]+(?::[0-9]+)+$/.test(digits)) {
    return digits.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  }
  if (/^[1-9][0-9]*$/.test(digits)) return BigInt(digits);
  throw unreadable(text, "an integer");
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function buildFloat(text: string): number {
  const plain = text.replaceAll("_", "").toLowerCase();
  const sign = plain.startsWith("-") ? -1 : 1;
  const digits = /^[-+]/.test(plain) ? plain.slice(1) : plain;
  if (digits === ".inf") return sign * Number.POSITIVE_INFINITY;
  if (digits === ".nan") return Number.NaN;
  if (digits.includes(":")) {
    // from the last part up, as Python adds them: the rounding depends on the order
    const parts = digits.split(":").reverse();
    return sign * parts.reduce((sum, part, at) => sum + decimal(part, text) * 60 ** at, 0);
  }
  return sign * decimal(digits, text);
}

function decimal(digits: string, text: string): number {
  // what both Python's float() and Number() read, and no more
  if (!/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(digits)) {
    throw unreadable(text, "a float");
  }
  return Number(digits);
}

function unreadable(text: string, what: string): BundleError {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const type = what === "a boolean" ? "KeyError" : /^_*$/.test(text) ? "IndexError" : "ValueError";
  return new BundleError(
    "bad-metadata",
    `The metadata has ${JSON.stringify(shown)} where YAML reads ${what}, and it is none. Quote it.`,
    { cause: new PythonFailure(type) },
  );
}
