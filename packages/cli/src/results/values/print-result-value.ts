import {
  CalendarDate,
  DateTime,
  Decimal,
  PythonFloat,
  TaskFailure,
  TimeOfDay,
  Uuid,
} from "@parlance/results";
import { NotationPrinter, wholeFloatText } from "../../notation/notation-printer.ts";

/**
 * Prints a stored value as JSON in which nothing is lost, piece by piece. A failure is printed as
 * the object that Celery stores for it.
 *
 * @param value - as a store reads it; with whole floats wrapped and the order of keys kept nothing
 *   of the Python value is lost
 */
export function printResultValue(value: unknown, emit: (piece: string) => void): void {
  new NotationPrinter(emit, printObject).print(value);
}

function printObject(value: object, printer: NotationPrinter): boolean {
  if (value instanceof PythonFloat) printer.raw(wholeFloatText(value.value));
  else if (value instanceof DateTime) {
    printer.object("datetime", { iso: value.toString(), aware: !value.isNaive });
  } else if (value instanceof CalendarDate) printer.object("date", { iso: value.toString() });
  else if (value instanceof TimeOfDay) printer.object("time", { iso: value.toString() });
  else if (value instanceof Decimal) printer.object("decimal", { v: value.text });
  else if (value instanceof Uuid) printer.object("uuid", { v: value.toString() });
  else if (value instanceof Set) printer.object("set", { items: [...value] });
  else if (value instanceof TaskFailure) printer.print(storedFailure(value));
  else return false;
  return true;
}

function storedFailure({ type, module, args }: TaskFailure): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ["exc_type", type],
    ["exc_message", args],
    ["exc_module", module],
  ]);
}
