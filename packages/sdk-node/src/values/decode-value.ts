import { CLASS_NAME, DATA, OLD_DATA, OLD_TYPE, VERSION } from "./envelope.ts";
import { UnreadableValueError } from "./unreadable-value-error.ts";
import { unwrapPython } from "./unwrap-python.ts";
import { toPointer } from "./value-path.ts";

/** What the short names of before Airflow 2.6 stand for. */
const OLD_NAMES: ReadonlyMap<unknown, string> = new Map([
  ["tuple", "builtins.tuple"],
  ["set", "builtins.set"],
  ["frozenset", "builtins.frozenset"],
  ["timedelta", "datetime.timedelta"],
  ["datetime", "datetime.datetime"],
]);

interface Walk {
  readonly what: string;
  readonly path: (string | number)[];
}

type Fields = { readonly [key: string]: unknown };

/**
 * A value that Airflow stored, with what Python wrapped taken out:
 *
 * datetime -> DateTime (a Date), date -> CalendarDate, timedelta -> Duration, tuple -> Tuple (an
 * array), set -> Set, frozenset -> FrozenSet (a Set), Decimal -> Decimal, UUID -> Uuid, time zones ->
 * TimeZone, numbers and booleans of numpy -> number and boolean, every other class -> PythonObject.
 * What comes out can be written back as it was.
 *
 * @param what - what the value is, for the message
 * @returns the value itself where nothing was wrapped; it is never changed
 * @throws UnreadableValueError for a wrapper that Python could not read either
 */
export function decodeValue(value: unknown, what: string = "value"): unknown {
  return decode(value, { what, path: [] });
}

function decode(value: unknown, walk: Walk): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return decodeList(value, walk);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value; // a timestamp, bytes
  return decodeMap(value as Fields, walk);
}

function decodeList(items: readonly unknown[], walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item !== "object" && copy === undefined) continue;
    walk.path.push(index);
    const decoded = decode(item, walk);
    walk.path.pop();
    if (copy === undefined && decoded !== item) copy = items.slice(0, index);
    copy?.push(decoded);
  }
  return copy ?? items;
}

function decodeMap(map: Fields, walk: Walk): unknown {
  if (Object.hasOwn(map, CLASS_NAME) && Object.hasOwn(map, VERSION)) {
    return decodeEnvelope(map[CLASS_NAME], map[VERSION], map[DATA] ?? null, walk);
  }
  if (Object.hasOwn(map, OLD_TYPE) && Object.hasOwn(map, OLD_DATA)) {
    const { [OLD_TYPE]: type, [OLD_DATA]: data } = map;
    if (type === "dict") return decode(data, walk);
    return decodeEnvelope(OLD_NAMES.get(type) ?? type, 0, data, walk);
  }
  let changes: [string, unknown][] | undefined;
  for (const key of Object.keys(map)) {
    const item = map[key];
    if (typeof item !== "object") continue;
    walk.path.push(key);
    const decoded = decode(item, walk);
    walk.path.pop();
    if (decoded === item) continue;
    changes ??= [];
    changes.push([key, decoded]);
  }
  if (changes === undefined) return map;
  // Not by assignment, which takes the key __proto__ for something else.
  return Object.fromEntries([...Object.entries(map), ...changes]);
}

function decodeEnvelope(className: unknown, version: unknown, data: unknown, walk: Walk): unknown {
  const fault = (why: string, cause?: unknown): UnreadableValueError => {
    const pointer = toPointer(walk.path);
    const place = pointer === "" ? "the value" : pointer;
    const message = `${walk.what}: ${place} is wrapped as ${JSON.stringify(className) ?? "nothing"}, but ${why}. Read it with { raw: true } to get what is stored`;
    return new UnreadableValueError(pointer, message, cause === undefined ? {} : { cause });
  };
  if (typeof className !== "string" || className === "") throw fault("that is no class name");
  const isVersion = typeof version === "boolean" || Number.isInteger(version);
  if (!isVersion) throw fault("its version is no integer");
  const inner = decode(data, walk);
  try {
    return unwrapPython(className, Number(version), inner);
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error), error);
  }
}
