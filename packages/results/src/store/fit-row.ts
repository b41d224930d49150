import type { SqlValue } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import type { TableFacts } from "../schema/tables.ts";
import type { TaskRow } from "./task-row.ts";

/** Labels: a longer one is cut, since it must not cost the result that stands beside it. */
const CUT: ReadonlySet<string> = new Set(["name", "worker", "queue"]);

/**
 * The row as this table takes it: without columns it has not, labels cut to their column. Sizes are
 * checked here because MySQL in lax mode cuts in silence, and in strict mode fails without saying how
 * large the value was.
 *
 * @throws ResultsError `value-too-large`
 */
export function fitRow(facts: TableFacts, id: string, row: TaskRow): TaskRow {
  checkLength(facts, "store", "task_id", id, id);
  const fitted: (readonly [TaskRow[number][0], SqlValue])[] = [];
  for (const [column, value] of row) {
    if (!facts.columns.has(column)) continue;
    if (typeof value === "string") {
      const most = CUT.has(column) ? facts.maxCharacters.get(column) : undefined;
      const kept = most === undefined ? value : cut(value, most);
      checkLength(facts, "store", column, kept, id);
      checkBytes(facts, "store", column, kept, id);
      fitted.push([column, kept]);
    } else {
      if (value instanceof Uint8Array) checkBytes(facts, "store", column, value, id);
      fitted.push([column, value]);
    }
  }
  return fitted;
}

/** @throws ResultsError `value-too-large` for text with more characters than its column takes */
export function checkLength(
  facts: TableFacts,
  operation: string,
  column: string,
  text: string,
  id: string,
): void {
  const most = facts.maxCharacters.get(column);
  if (most === undefined || text.length <= most) return;
  const characters = countCharacters(text);
  if (characters <= most) return;
  throw new ResultsError(
    "value-too-large",
    `${operation}: column ${column} takes ${most} characters, the value has ${characters}.`,
    { facts: { operation, id: shortId(id), field: column } },
  );
}

/** @throws ResultsError `value-too-large` for a value with more bytes than its column takes */
export function checkBytes(
  facts: TableFacts,
  operation: string,
  column: string,
  value: string | Uint8Array,
  id: string,
): void {
  const limitBytes = facts.maxBytes.get(column);
  if (limitBytes === undefined || value.length * 3 <= limitBytes) return;
  const sizeBytes = typeof value === "string" ? Buffer.byteLength(value) : value.length;
  if (sizeBytes <= limitBytes) return;
  throw new ResultsError(
    "value-too-large",
    `${operation}: column ${column} takes ${limitBytes} bytes, the value has ${sizeBytes}. ` +
      "`parlance results migrate --large-values` makes MySQL's BLOB and TEXT columns larger.",
    { facts: { operation, id: shortId(id), field: column, sizeBytes, limitBytes } },
  );
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join("");
}

function shortId(id: string): string {
  return id.length > 200 ? `${id.slice(0, 200)}…` : id;
}
