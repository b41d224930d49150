import { isUtf8 } from "node:buffer";
import type { FilePath } from "../find/walk-files.ts";

/**
 * A path as one word for a POSIX shell. Control characters and bytes that are no UTF-8 are written
 * by `printf`, so that the command can be shown and copied.
 */
export function shellQuote(path: FilePath): string {
  const bytes = Buffer.from(path);
  const text = bytes.toString();
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown
  const isShowable = isUtf8(bytes) && !/[\u0000-\u001f\u007f-\u009f]/.test(text);
  // the shell drops line ends behind what a command prints
  if (isShowable || bytes.at(-1) === 0x0a) return `'${text.replaceAll("'", `'\\''`)}'`;
  let escaped = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    const isPlain = byte >= 0x20 && byte < 0x7f && !/[\\'%]/.test(character);
    escaped += isPlain ? character : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"$(printf '${escaped}')"`;
}
