/** Rows of ASCII cells as lines, in columns as wide as their widest cell. */
export function columns(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
  return lines.map((line) => `${indent}${line.trimEnd()}\n`).join("");
}
