/**
 * Base64 as Python's lenient reader takes it: characters of no base64 are passed over, the first
 * complete padding ends the data, and what is left over without padding is an error.
 *
 * @throws RangeError for missing padding
 */
export function decodeBase64(text: string): Uint8Array {
  const letters = text.replace(/[^A-Za-z0-9+/=]/g, "");
  const end = letters.indexOf("=");
  if (end === -1) {
    if (letters.length % 4 !== 0) throw new RangeError("the base64 is cut off");
    return Uint8Array.from(Buffer.from(letters, "base64"));
  }
  // A padding sign counts where two or three letters of a group stand before it; a lone one is
  // passed over. The first group that padding completes is the last.
  let digits = "";
  let pads = 0;
  for (const letter of letters) {
    if (letter !== "=") {
      digits += letter;
      pads = 0;
    } else if (digits.length % 4 >= 2 && (digits.length % 4) + ++pads >= 4) {
      return Uint8Array.from(Buffer.from(digits, "base64"));
    }
  }
  if (digits.length % 4 !== 0) throw new RangeError("the base64 is cut off");
  return Uint8Array.from(Buffer.from(digits, "base64"));
}
