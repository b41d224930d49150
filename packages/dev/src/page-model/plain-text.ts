// C0 and C1 controls but tab and line feed, and what turns or hides the text around it.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Text of somebody's task as text to look at: escape sequences, bidirectional controls and invisible
 * characters are written as `\u001b`, so that nothing in a line can change how it or another looks.
 */
export function plainText(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** As {@link plainText}, in one line: line feeds and tabs are written out, too. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/**
 * The beginning of a text that may be far too long to lay out.
 *
 * @param limit - in UTF-16 units; a pair of surrogates is not torn
 */
export function beginning(text: string, limit: number): { text: string; left: number } {
  if (text.length <= limit) return { text, left: 0 };
  const unit = text.charCodeAt(limit - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), left: text.length - end };
}
