import { CalendarDate } from "./calendar-date.ts";
import { DateTime } from "./date-time.ts";
import { Decimal } from "./decimal.ts";
import { TimeOfDay } from "./time-of-day.ts";
import { Uuid } from "./uuid.ts";

/** A value of a Python class that plain JSON and msgpack have no type for. */
export type PythonValue = Date | DateTime | CalendarDate | TimeOfDay | Decimal | Uuid;

/** Whether a value is one that json writes with a tag; msgpack writes none, yaml only dates. */
export function isPythonValue(value: unknown): value is PythonValue {
  return (
    value instanceof Date ||
    value instanceof DateTime ||
    value instanceof CalendarDate ||
    value instanceof TimeOfDay ||
    value instanceof Decimal ||
    value instanceof Uuid
  );
}
