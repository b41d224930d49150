import {
  describeUnwritable,
  EncodeFault,
  isPlainObject,
  stepOut,
} from "../serializers/encode-fault.ts";
import { MOST_INT_DIGITS, MOST_LEVELS } from "../serializers/limits.ts";
import { isPythonInt, PythonFloat, pythonFloatText } from "../values/python-float.ts";
import { jsonKey, quoteJson } from "./json-text.ts";
import { isTagged, printTagged, readTagged } from "./tagged-values.ts";

/** @throws EncodeFault */
export function printJson(value: unknown): string {
  return printValue(value === undefined ? null : value, 0);
}

function printValue(value: unknown, level: number): string {
  switch (typeof value) {
    case "string":
      return quoteJson(value);
    case "number":
      return isPythonInt(value) ? `${value}` : jsonFloat(value);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return intText(value);
    case "undefined":
      return "null"; // only in arrays, as with JSON.stringify
    case "object":
      return value === null ? "null" : printObject(value, level);
    default:
      throw new EncodeFault(describeUnwritable(value));
  }
}

function printObject(value: object, level: number): string {
  if (level >= MOST_LEVELS) {
    throw new EncodeFault(`it is nested deeper than ${MOST_LEVELS} levels`, value);
  }
  if (Array.isArray(value)) return printArray(value, level + 1);
  if (isPlainObject(value)) return printEntries(value as Record<string, unknown>, level + 1);
  if (value instanceof PythonFloat) return jsonFloat(value.value);
  if (value instanceof Map) return printMap(value, level + 1);
  const tagged = printTagged(value);
  if (tagged === undefined) throw new EncodeFault(describeUnwritable(value));
  return tagged;
}

function printArray(items: readonly unknown[], level: number): string {
  if (items.length === 0) return "[]";
  let text = "[";
  let index = 0;
  try {
    for (; index < items.length; index++) {
      text +=
        index === 0 ? printValue(items[index], level) : `, ${printValue(items[index], level)}`;
    }
  } catch (error) {
    throw stepOut(error, items, index);
  }
  return `${text}]`;
}

function printEntries(object: Record<string, unknown>, level: number): string {
  let text = "";
  let key = "";
  try {
    const keys = Object.keys(object);
    for (let index = 0; index < keys.length; index++) {
      key = keys[index] as string;
      const value = object[key];
      if (value === undefined) continue;
      text += (text === "" ? "{" : ", ") + jsonKey(key) + printValue(value, level);
    }
  } catch (error) {
    throw stepOut(error, object, key);
  }
  if (text === "") return "{}";
  if (isTagged(object)) checkTagged(object);
  return `${text}}`;
}

function printMap(map: ReadonlyMap<unknown, unknown>, level: number): string {
  let text = "";
  let shown = "";
  try {
    for (const [key, value] of map) {
      shown = String(key);
      if (value === undefined) continue;
      text += `${text === "" ? "{" : ", "}${mapKey(key)}: ${printValue(value, level)}`;
    }
  } catch (error) {
    throw stepOut(error, map, shown);
  }
  if (text === "") return "{}";
  if (map.size === 2 && map.has("__type__") && map.has("__value__")) {
    checkTagged({ __type__: map.get("__type__"), __value__: map.get("__value__") });
  }
  return `${text}}`;
}

/** Python turns keys that are numbers, booleans or None into text, and refuses all others. */
function mapKey(key: unknown): string {
  if (typeof key === "string") return quoteJson(key);
  if (key instanceof PythonFloat) return `"${jsonFloat(key.value)}"`;
  if (
    key === null ||
    typeof key === "number" ||
    typeof key === "boolean" ||
    typeof key === "bigint"
  ) {
    return `"${printValue(key, 0)}"`;
  }
  throw new EncodeFault("its key is no text, number, boolean or null");
}

/** A dict of exactly these two keys is a tagged value to every reader; it must be a readable one. */
function checkTagged(object: Readonly<Record<string, unknown>>): void {
  try {
    readTagged(object["__type__"], object["__value__"]);
  } catch {
    throw new EncodeFault(
      "an object of just __type__ and __value__ is read as a tagged value, and this is none; " +
        "use Decimal, Uuid, DateTime and so on, or other keys",
    );
  }
}

function intText(value: bigint): string {
  const text = `${value}`;
  if (text.length > MOST_INT_DIGITS && text.replace("-", "").length > MOST_INT_DIGITS) {
    throw new EncodeFault(
      `it is an int of more than ${MOST_INT_DIGITS} digits, which Python refuses`,
    );
  }
  return text;
}

function jsonFloat(value: number): string {
  if (value - value === 0) return pythonFloatText(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}
