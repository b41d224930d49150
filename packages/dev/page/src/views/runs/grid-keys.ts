/** A cell's place: row 0 is that of the runs, column 0 that of the tasks. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/** Where a cell stands. */
export function placeOf(cell: HTMLElement): GridPlace {
  const row = cell.closest<HTMLElement>("[data-row]");
  return { row: Number(row?.dataset["row"] ?? 0), column: Number(cell.dataset["column"] ?? 0) };
}

/** The cell of a place. */
export function cellAt(table: HTMLElement | null, { row, column }: GridPlace): HTMLElement | null {
  return (
    table?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`) ?? null
  );
}

/** The cell that a key leads to; undefined where it leads nowhere. */
export function keyedCell(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  table: HTMLTableElement,
  { row, column }: GridPlace,
): HTMLElement | undefined {
  if (metaKey || altKey) return undefined;
  const rows = table.querySelectorAll("[data-row]").length;
  const columns = table.querySelectorAll("[data-row='0'] > [data-column]").length;
  const steps: Readonly<Record<string, GridPlace>> = {
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? rows - 1 : row, column: columns - 1 },
    PageUp: { row: row - 10, column },
    PageDown: { row: row + 10, column },
  };
  const target = steps[key];
  if (target === undefined || (ctrlKey && key !== "Home" && key !== "End")) return undefined;
  const inside = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
  const place = { row: inside(target.row, rows), column: inside(target.column, columns) };
  return cellAt(table, place) ?? undefined;
}
