/** How a text may be written. */
export interface ScalarStyle {
  readonly isEmpty: boolean;
  readonly isMultiline: boolean;
  readonly isPlainAllowed: boolean;
  readonly isSingleQuotedAllowed: boolean;
}

/** A character that only double quotes can hold: all but the line feed and printable ASCII. */
const SPECIAL = /[^\n -~]/;
/** What YAML 1.1 takes for a line break; it decides whether a text can be a simple key. */
const LINE_BREAK = /[\n\x85\u2028\u2029]/;
const DOCUMENT_MARK = /^(?:---|\.\.\.)/;
const LEADING_INDICATOR = /^[#,[\]{}&*!|>'"%@`]/;
/** `?`, `:` and `-` open something only where a space, a line break or the end follows. */
const LEADING_ENTRY = /^[?:-](?:[\s\0]|$)/;
const INNER_INDICATOR = /:(?:[\s\0]|$)|[\s\0]#/;

/** The rules of PyYAML's emitter for block style without `allow_unicode`. */
export function styleOf(text: string): ScalarStyle {
  if (text === "") {
    return { isEmpty: true, isMultiline: false, isPlainAllowed: true, isSingleQuotedAllowed: true };
  }
  const isMultiline = LINE_BREAK.test(text);
  const isSpecial = SPECIAL.test(text);
  const isSingleQuotedAllowed = !isSpecial && !/\n | \n/.test(text);
  const isIndicated =
    DOCUMENT_MARK.test(text) ||
    LEADING_INDICATOR.test(text) ||
    LEADING_ENTRY.test(text) ||
    INNER_INDICATOR.test(text.slice(1)) ||
    /^[\s\0]#/.test(text);
  const isPadded = /^[ \n]|[ \n]$/.test(text);
  return {
    isEmpty: false,
    isMultiline,
    isPlainAllowed: isSingleQuotedAllowed && !isMultiline && !isPadded && !isIndicated,
    isSingleQuotedAllowed,
  };
}
