import { Script } from "node:vm";

/** A pattern may go back and forth for years over a text of a few dozen characters. */
const TIME_LIMIT_MS = 200;

const SEARCH = new Script(
  "(() => { const search = new RegExp(pattern, 'u'); return texts.map((text) => search.test(text)); })()",
);

/**
 * The items whose text a regular expression finds something in; those without a text are left out.
 * The pattern is a task's: it is stopped when it takes too long.
 *
 * @returns undefined where it is no pattern, or takes more than 200 ms.
 */
export function selectByPattern<Item>(
  pattern: string,
  items: readonly Item[],
  textOf: (item: Item) => string | null,
): Item[] | undefined {
  const candidates = items.flatMap((item) => {
    const text = textOf(item);
    return text === null ? [] : [{ item, text }];
  });
  const texts = candidates.map(({ text }) => text);
  try {
    const found = SEARCH.runInNewContext({ pattern, texts }, { timeout: TIME_LIMIT_MS });
    return candidates.filter((_, at) => found[at] === true).map(({ item }) => item);
  } catch {
    return undefined;
  }
}
