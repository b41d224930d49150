const WIDTHS = [21, 18, 18, 26, 9, 9, 9];

/** The first line of the table that is printed for people. */
export const HEADING = line(["row", "ours", "limit", "peer", "ratio", "must", "aim", ""]);

/** One line of that table. */
export function formatRow(row, result) {
  if (result.ratio === null) return line([row.name, "not measured", "", "", "", "", "", "MISSING"]);
  const side = row.better === "lower" ? "≤" : "≥";
  return line([
    row.name,
    `${number(result.ours)} ${row.unit}`,
    `${number(result.limit)} ${row.unit}`,
    peer(row, result),
    `${result.ratio.toPrecision(3)}x`,
    `${side} ${row.must}x`,
    `${side} ${row.aim}x`,
    result.ok ? "ok" : "MISS",
  ]);
}

/** With its own ratio to the limit. */
function peer(row, { peer, limit }) {
  return peer === undefined ? "" : `${number(peer)} ${row.unit} (${ratio(peer / limit)}x)`;
}

function ratio(value) {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

function number(value) {
  return value >= 1000 ? String(Math.round(value)) : value.toPrecision(3);
}

function line(cells) {
  return cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join("");
}
