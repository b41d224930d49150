import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { byCodePoint } from "./series.ts";

/**
 * Rows by key, kept as text as the SQLite store keeps them, so that a caller's later change of an
 * object changes nothing here.
 */
export class MemoryTable<Row> {
  readonly #texts = new Map<string, string>();

  get(key: readonly unknown[]): Row | undefined {
    const text = this.#texts.get(JSON.stringify(key));
    return text === undefined ? undefined : (parseExactJson(text) as Row);
  }

  has(key: readonly unknown[]): boolean {
    return this.#texts.has(JSON.stringify(key));
  }

  set(key: readonly unknown[], row: Row): void {
    this.#texts.set(JSON.stringify(key), exactJsonText(row));
  }

  /** Every row, in order of its first writing. */
  rows(): Row[] {
    return [...this.#texts.values()].map((text) => parseExactJson(text) as Row);
  }
}

/** Compares by several texts and numbers, one after the other; texts in code point order. */
export function byParts<Row>(
  partsOf: (row: Row) => readonly (string | number)[],
): (left: Row, right: Row) => number {
  return (left, right) => {
    const others = partsOf(right);
    for (const [at, part] of partsOf(left).entries()) {
      const other = others[at] as string | number;
      const order =
        typeof part === "number" ? part - Number(other) : byCodePoint(part, String(other));
      if (order !== 0) return order;
    }
    return 0;
  };
}
