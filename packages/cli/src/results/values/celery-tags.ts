import { CalendarDate, DateTime, Decimal, TimeOfDay, Uuid } from "@parlance/results";
import { ranged } from "../../notation/marked-fields.ts";
import { NotationError } from "../../notation/notation-error.ts";

/** What Celery's json writes for values that JSON lacks, by `__type__`. */
const TAGS: Readonly<Record<string, (value: unknown) => unknown>> = {
  datetime: (value) => DateTime.parse(textOf(value)),
  date: (value) => CalendarDate.parse(textOf(value)),
  time: (value) => TimeOfDay.parse(textOf(value)),
  decimal: (value) => new Decimal(textOf(value)),
  uuid: (value) => new Uuid(textOf(value instanceof Map ? value.get("hex") : undefined)),
  bytes: (value) => new Uint8Array(Buffer.from(textOf(value))),
  base64: (value) => new Uint8Array(Buffer.from(textOf(value), "base64")),
};

/**
 * The value that an object of exactly `__type__` and `__value__` stands for; any other object is
 * itself. Celery, too, would read the stored object as that value, and could not read one with a
 * type it does not know.
 *
 * @throws NotationError for a type that Celery does not know, and a value that is none of the type
 */
export function readTagged(entries: ReadonlyMap<string, unknown>): unknown {
  if (entries.size !== 2 || !entries.has("__type__") || !entries.has("__value__")) return entries;
  const type = entries.get("__type__");
  const read = typeof type === "string" && Object.hasOwn(TAGS, type) ? TAGS[type] : undefined;
  if (read === undefined) {
    const known = Object.keys(TAGS).join(", ");
    throw new NotationError(`"__type__" is none of ${known}; Celery could not read it back`);
  }
  return ranged(() => read(entries.get("__value__")));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new NotationError('"__value__" is not what its "__type__" needs');
}
