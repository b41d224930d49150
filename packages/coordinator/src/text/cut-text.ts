/** Longer texts are cut for people; `--json` has them whole. In characters. */
const MAX_CHARACTERS = 262_144;

/** A text as far as anybody would read it, and as a string can hold it once it is escaped. */
export function cutText(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;
}
