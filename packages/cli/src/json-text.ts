/** Characters taken at once: one string can't hold the escaped text of a huge one. */
const PIECE_LENGTH = 1_048_576;

/** Line ends to many readers of lines (Python's `splitlines`), though JSON leaves them as they are. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;

/**
 * Emits text as a JSON string, piece by piece.
 *
 * @param escaped - characters to escape beside those that JSON demands; default what some readers
 *   take for line ends
 */
export function emitText(
  text: string,
  emit: (piece: string) => void,
  escaped: RegExp = LINE_SEPARATORS,
): void {
  emit('"');
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++;
    const piece = JSON.stringify(text.slice(start, end)).slice(1, -1);
    emit(piece.replace(escaped, unicodeEscape));
    start = end;
  }
  emit('"');
}

/**
 * Emits a value of plain JSON as `JSON.stringify` writes it, piece by piece: the whole may be
 * longer than a string can be.
 */
export function emitJson(value: unknown, emit: (piece: string) => void): void {
  if (typeof value === "string") emitText(value, emit);
  else if (typeof value === "object" && value !== null) emitContainer(value, emit);
  else emit(JSON.stringify(value) ?? "null");
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
