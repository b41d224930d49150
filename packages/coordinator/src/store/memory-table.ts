import { exactJsonText, parseExactJson } from "./exact-json.ts";
import { byCodePoint } from "./series.ts";

/**
 * Rows by key, kept as text as the SQLite store keeps them, so that a caller's later change of an
 * object changes nothing here.
 */
export class MemoryTable<Row> {
  readonly #rows = new Map<string, { readonly key: readonly unknown[]; readonly text: string }>();

  get(key: readonly unknown[]): Row | undefined {
    const row = this.#rows.get(JSON.stringify(key));
    return row === undefined ? undefined : (parseExactJson(row.text) as Row);
  }

  has(key: readonly unknown[]): boolean {
    return this.#rows.has(JSON.stringify(key));
  }

  set(key: readonly unknown[], row: Row): void {
    this.#rows.set(JSON.stringify(key), { key, text: exactJsonText(row) });
  }

  /** The rows with such a key, or every one, in order of their first writing. */
  rows(isWanted: (key: readonly unknown[]) => boolean = () => true): Row[] {
    const rows = [...this.#rows.values()].filter(({ key }) => isWanted(key));
    return rows.map(({ text }) => parseExactJson(text) as Row);
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
