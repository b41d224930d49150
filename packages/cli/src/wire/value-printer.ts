import { Extension, encodeTimestamp, Float, Timestamp, type WireValue } from "@parlance/framing";
import { NotationPrinter, wholeFloatText } from "../notation/notation-printer.ts";

/** The first second of the year 1 and the last of 9999: what an ISO date-time has digits for. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/** Prints decoded values of the wire as JSON in which nothing is lost. */
export class ValuePrinter {
  readonly #printer: NotationPrinter;

  /** @param emit - takes the text, piece by piece */
  constructor(emit: (piece: string) => void) {
    this.#printer = new NotationPrinter(emit, printObject);
  }

  /** A value decoded with `wrapFloats` (and, to keep the order of keys, `maps: "map"`). */
  print(value: WireValue): void {
    this.#printer.print(value);
  }
}

function printObject(value: object, printer: NotationPrinter): boolean {
  if (value instanceof Float) printer.raw(wholeFloatText(value.value));
  else if (value instanceof Timestamp) printTimestamp(value, printer);
  else if (value instanceof Extension) printer.object("ext", { code: value.type, hex: value.data });
  else return false;
  return true;
}

function printTimestamp(moment: Timestamp, printer: NotationPrinter): void {
  const isDate = moment.seconds >= FIRST_SECOND && moment.seconds <= LAST_SECOND;
  if (isDate) printer.object("datetime", { iso: moment.toISOString(), aware: true });
  else printer.object("ext", { code: -1, hex: encodeTimestamp(moment) });
}
