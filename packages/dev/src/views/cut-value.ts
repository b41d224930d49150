/** So many characters of one text are shown; the file on the disk has all of it. */
const MAX_TEXT = 65_536;

/** Entries of lists and maps, over the whole value. */
const MAX_ENTRIES = 5_000;

const MAX_DEPTH = 64;

/** A value that is not too large for a page: long texts end in a note of what is left out. */
export function cutValue<T>(value: T): T {
  let left = MAX_ENTRIES;
  const cut = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") return cutText(part);
    if (typeof part !== "object" || part === null) return part;
    if (depth > MAX_DEPTH) return "… (too deep to show)";
    if (Array.isArray(part)) {
      const shown = part.slice(0, Math.max(0, left));
      left -= shown.length;
      const items = shown.map((item) => cut(item, depth + 1));
      return shown.length === part.length
        ? items
        : [...items, `… (${part.length - shown.length} more)`];
    }
    const entries = Object.entries(part);
    const shown = entries.slice(0, Math.max(0, left));
    left -= shown.length;
    const fields = shown.map(([key, item]) => [cutText(key), cut(item, depth + 1)]);
    if (shown.length < entries.length) {
      fields.push(["…", `(${entries.length - shown.length} more)`]);
    }
    return Object.fromEntries(fields);
  };
  return cut(value, 0) as T;
}

function cutText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const end = isHighSurrogate(text.charCodeAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
