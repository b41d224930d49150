import { escapeControls } from "../../terminal-text.ts";
import { printResultValue } from "../values/print-result-value.ts";

/** What a person reads of one value; `--json` has the whole. */
const MAX_CHARACTERS = 4_000;

/** The mark of an integer beyond 2^53 in JSON; a person needs none. */
const WIDE_INTEGER = /\{"\$":"int","v":"(-?\d+)"\}/g;

/** A value as JSON on one line, safe for a terminal, cut where it is long. */
export function valueText(value: unknown, maxCharacters: number = MAX_CHARACTERS): string {
  let text = "";
  let length = 0;
  printResultValue(value, (piece) => {
    length += piece.length;
    if (text.length <= maxCharacters) text += piece.slice(0, maxCharacters + 1);
  });
  const whole = escapeControls(text.slice(0, maxCharacters)).replaceAll(WIDE_INTEGER, "$1");
  return length > maxCharacters ? `${whole}… (${length} characters)` : whole;
}
