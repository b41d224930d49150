import { SerializerError } from "../serializers/serializer-error.ts";

const MOST_SHOWN = 200;
const NAMES: Readonly<Record<number, string>> = {
  82: "REDUCE",
  98: "BUILD",
  111: "OBJ",
  129: "NEWOBJ",
  130: "EXT1",
  131: "EXT2",
  132: "EXT4",
  146: "NEWOBJ_EX",
  80: "PERSID",
  81: "BINPERSID",
  151: "NEXT_BUFFER",
  152: "READONLY_BUFFER",
};
const ADVICE =
  "Read this row with Python, or let its task run again under a json result_serializer.";

/** A pickle that names something to import. */
export function refusedGlobal(module: unknown, name: unknown): SerializerError {
  const globalName = escapeText(`${String(module)}.${String(name)}`);
  return new SerializerError(
    "pickle-refused",
    `The stored value is a pickle that imports ${globalName}. Only plain data is read from ` +
      `pickles: null, booleans, numbers, text, bytes, lists, tuples, dicts and sets. ${ADVICE}`,
    { globalName },
  );
}

/** A pickle with an opcode that calls, builds, or is none that Python writes for plain data. */
export function refusedOpcode(opcode: number, at: number): Error {
  const name = NAMES[opcode];
  if (name === undefined) return new RangeError(`byte ${at} is no opcode that is read here`);
  return new SerializerError(
    "pickle-refused",
    `The stored value is a pickle with the opcode ${name} at byte ${at}, which runs code or ` +
      `reaches outside. Only plain data is read from pickles. ${ADVICE}`,
  );
}

function escapeText(text: string): string {
  const short = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return short.replace(
    /[\p{Control}\p{Format}\p{Surrogate}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
