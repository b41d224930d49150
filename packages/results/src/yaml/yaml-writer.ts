import {
  describeUnwritable,
  EncodeFault,
  isPlainObject,
  stepOut,
} from "../serializers/encode-fault.ts";
import { MOST_INT_DIGITS } from "../serializers/limits.ts";
import { CalendarDate } from "../values/calendar-date.ts";
import { DateTime } from "../values/date-time.ts";
import { dateTimeOf } from "../values/date-time-of.ts";
import { isPythonInt, PythonFloat, pythonFloatText } from "../values/python-float.ts";
import { isPythonValue } from "../values/python-value.ts";
import { kindOfPlain } from "./resolve-plain.ts";
import { styleOf } from "./scalar-style.ts";
import { sortEntries } from "./sort-entries.ts";
import { TextSink } from "./text-sink.ts";
import { writeDoubleQuoted, writeLiteral, writePlain, writeSingleQuoted } from "./write-scalar.ts";

/** PyYAML writes a little more levels before Python's recursion limit ends it. */
const MOST_LEVELS = 300;
/** A key of so many characters or more is written behind `? `; `!!str` or `!!int` counts among them. */
const LONG_KEY = 128 - 5;

/** What a node stands in. */
type Place = "root" | "list" | "map" | "key";

/** A value that is written as one scalar. */
interface YamlScalar {
  readonly text: string;
  /** Only texts may need quotes; numbers, dates and the like are always plain. */
  readonly kind: "plain" | "text" | "binary";
}

/** Writes one document in the block style of PyYAML's `safe_dump`; not to be used twice. */
export class YamlWriter {
  readonly #sink = new TextSink();

  /** @throws EncodeFault */
  write(value: unknown): string {
    this.#node(value, "root", 0);
    this.#sink.newLine();
    if (this.#sink.isOpenEnded) {
      this.#sink.indicator("...", true);
      this.#sink.newLine();
    }
    return this.#sink.text;
  }

  #node(value: unknown, place: Place, level: number): void {
    const scalar = scalarOf(value);
    if (scalar !== undefined) {
      this.#scalar(scalar, place);
      return;
    }
    const container = value as object;
    if (level >= MOST_LEVELS) {
      throw new EncodeFault(`it is nested deeper than ${MOST_LEVELS} levels`, container);
    }
    if (Array.isArray(container)) this.#list(container, place, level + 1);
    else this.#map(container, level + 1);
  }

  #list(items: readonly unknown[], place: Place, level: number): void {
    if (items.length === 0) {
      this.#empty("[]");
      return;
    }
    this.#sink.enter(place === "map" && !this.#sink.isAtStart ? 0 : 2);
    let index = 0;
    try {
      for (; index < items.length; index++) {
        this.#sink.newLine();
        this.#sink.indicator("-", true, true);
        this.#node(items[index], "list", level);
      }
    } catch (error) {
      throw stepOut(error, items, index);
    }
    this.#sink.leave();
  }

  #map(container: object, level: number): void {
    if (container instanceof Set) this.#sink.indicator("!!set", true);
    const entries = entriesOf(container);
    if (entries.length === 0) {
      this.#empty("{}");
      return;
    }
    this.#sink.enter();
    let shown = "";
    try {
      for (const [key, value] of sortEntries(entries)) {
        shown = String(key);
        this.#sink.newLine();
        this.#key(key);
        this.#node(value, "map", level);
      }
    } catch (error) {
      throw stepOut(error, container, shown);
    }
    this.#sink.leave();
  }

  #key(key: unknown): void {
    const scalar = scalarOf(key);
    if (scalar === undefined) throw new EncodeFault("its key is a list, a map or a set");
    const style = styleOf(scalar.text);
    const isShort = scalar.text.length < LONG_KEY || Array.from(scalar.text).length < LONG_KEY;
    if (!style.isEmpty && !style.isMultiline && isShort) {
      this.#scalar(scalar, "key");
      this.#sink.indicator(":", false);
      return;
    }
    this.#sink.indicator("?", true, true);
    this.#scalar(scalar, "map");
    this.#sink.newLine();
    this.#sink.indicator(":", true, true);
  }

  #scalar({ text, kind }: YamlScalar, place: Place): void {
    const sink = this.#sink;
    const style = styleOf(text);
    const isKey = place === "key";
    sink.enterScalar();
    if (kind === "binary") {
      sink.indicator("!!binary", true);
      if (style.isEmpty) writeDoubleQuoted(sink, text, !isKey);
      else writeLiteral(sink, text);
    } else if (style.isPlainAllowed && (kind === "plain" || kindOfPlain(text) === "str")) {
      if (place === "root") sink.isOpenEnded = true;
      writePlain(sink, text, !isKey);
    } else if (style.isSingleQuotedAllowed) {
      writeSingleQuoted(sink, text, !isKey);
    } else {
      writeDoubleQuoted(sink, text, !isKey);
    }
    sink.leave();
  }

  #empty(brackets: "[]" | "{}"): void {
    this.#sink.indicator(brackets, true);
  }
}

function entriesOf(container: object): readonly (readonly [unknown, unknown])[] {
  if (container instanceof Set) return [...container].map((item) => [item, null]);
  const entries = container instanceof Map ? [...container] : Object.entries(container);
  return entries.filter(([, value]) => value !== undefined);
}

/** The scalar of a value, or `undefined` for a container. */
function scalarOf(value: unknown): YamlScalar | undefined {
  switch (typeof value) {
    case "string":
      return { text: value, kind: "text" };
    case "number":
      return plain(isPythonInt(value) ? String(value) : floatText(value));
    case "bigint":
      return plain(intText(value));
    case "boolean":
      return plain(String(value));
    case "undefined":
      return plain("null");
    case "object":
      return value === null ? plain("null") : scalarOfObject(value);
    default:
      throw new EncodeFault(describeUnwritable(value));
  }
}

function scalarOfObject(value: object): YamlScalar | undefined {
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return undefined;
  if (isPlainObject(value)) return undefined;
  if (value instanceof PythonFloat) return plain(floatText(value.value));
  if (value instanceof Uint8Array) return { text: base64Lines(value), kind: "binary" };
  if (value instanceof CalendarDate) return plain(value.toString());
  if (value instanceof Date) return plain(dateTimeText(dateTimeOf(value)));
  if (value instanceof DateTime) return plain(dateTimeText(value));
  throw new EncodeFault(
    isPythonValue(value)
      ? "PyYAML has no safe type for it, and Celery writes none; store its text, or use json"
      : describeUnwritable(value),
  );
}

function dateTimeText(value: DateTime): string {
  if (value.offsetMicroseconds !== null && value.offsetMicroseconds % 60_000_000 !== 0) {
    throw new EncodeFault("its offset from UTC has seconds, which YAML can't say");
  }
  return value.toString(" ");
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (value - value !== 0) return value > 0 ? ".inf" : "-.inf";
  const text = pythonFloatText(value);
  // YAML 1.1 wants a point in every float
  return text.includes(".") ? text : text.replace("e", ".0e");
}

function intText(value: bigint): string {
  const text = String(value);
  if (text.replace("-", "").length <= MOST_INT_DIGITS) return text;
  throw new EncodeFault(
    `it is an int of more than ${MOST_INT_DIGITS} digits, which Python refuses`,
  );
}

/** Base64 in lines of 76 characters, each with a line feed. */
function base64Lines(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  return text.replace(/.{1,76}/g, "$&\n");
}

function plain(text: string): YamlScalar {
  return { text, kind: "plain" };
}
