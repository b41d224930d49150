/** Characters taken at once: one string can't hold the escaped text of a huge one. */
const PIECE_LENGTH = 1_048_576;

/**
 * What JSON leaves as it is, though a terminal acts upon it (C1, bidirectional marks) and many
 * readers of lines, as Python's `splitlines`, take some of it for line ends.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Emits text as a JSON string, piece by piece, with nothing in it that a terminal acts upon. */
export function emitText(text: string, emit: (piece: string) => void): void {
  emit('"');
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++;
    const piece = JSON.stringify(text.slice(start, end)).slice(1, -1);
    emit(piece.replace(UNSAFE, unicodeEscape));
    start = end;
  }
  emit('"');
}

/**
 * Emits a value of plain JSON, piece by piece: the whole may be longer than a string can be.
 */
export function emitJson(value: unknown, emit: (piece: string) => void): void {
  if (typeof value === "string") emitText(value, emit);
  else if (typeof value === "object" && value !== null) emitContainer(value, emit);
  else emit(JSON.stringify(value) ?? "null");
}

/** {@link emitJson} for what surely fits into one string. */
export function jsonText(value: unknown): string {
  let text = "";
  emitJson(value, (piece) => {
    text += piece;
  });
  return text;
}

function emitContainer(value: object, emit: (piece: string) => void): void {
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !isList) continue;
    emit(separator);
    separator = ",";
    if (!isList) {
      emitText(key, emit);
      emit(":");
    }
    emitJson(item, emit);
  }
  if (separator !== ",") emit(separator);
  emit(isList ? "]" : "}");
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
