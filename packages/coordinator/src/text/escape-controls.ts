// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text of a child or a file, safe for a terminal: control, bidirectional and line-separating
 * characters become `\xNN` or `\uNNNN`.
 *
 * @param options.keepLineEnds - leaves `\n` and `\t` as they are
 */
export function escapeControls(text: string, options: { keepLineEnds?: boolean } = {}): string {
  return text.replace(CONTROLS, (character) => {
    if (options.keepLineEnds === true && (character === "\n" || character === "\t"))
      return character;
    const code = character.charCodeAt(0);
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
