import { decodeTimestamp, Extension, Float, Timestamp, type WireValue } from "@parlance/framing";
import type { ExactJson } from "../notation/exact-json.ts";
import {
  bytesField,
  entriesField,
  floatField,
  integerField,
  ranged,
  textField,
} from "../notation/marked-fields.ts";
import { NotationError } from "../notation/notation-error.ts";
import { type Marked, NotationReader } from "../notation/notation-reader.ts";

const READER = new NotationReader<WireValue>({
  scalar: (scalar) => scalar,
  list: (items) => items,
  object: (entries) => entries,
  kinds: {
    int: [["v"], (marked) => integerField(marked, 20, "64-bit integer")],
    float: [["v"], makeFloat],
    bytes: [["hex"], bytesField],
    datetime: [["iso", "aware"], makeTimestamp],
    ext: [["code", "hex"], makeExtension],
    map: [["entries"], entriesField],
  },
});

/**
 * Makes the value that {@link ValuePrinter} printed. Objects become Maps, so that their keys keep
 * the order.
 *
 * @throws NotationError
 */
export function parseValue(json: ExactJson): WireValue {
  return READER.read(json);
}

function makeFloat(marked: Marked): number | Float {
  const value = floatField(marked);
  return Number.isFinite(value) ? new Float(value) : value;
}

function makeTimestamp(marked: Marked): Timestamp {
  if (marked.get("aware") !== true) {
    throw new NotationError("a timestamp needs a zone and aware: true; without, it is plain text");
  }
  return ranged(() => Timestamp.parse(textField(marked, "iso")));
}

function makeExtension(marked: Marked): WireValue {
  const code = marked.get("code");
  if (typeof code !== "number") throw new NotationError('{"$":"ext"} needs code as an integer');
  const data = bytesField(marked);
  return ranged(() => (code === -1 ? decodeTimestamp(data) : new Extension(code, data)));
}
