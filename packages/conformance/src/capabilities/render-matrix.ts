import { DIMENSIONS, type Dimension } from "./dimensions.ts";
import type { Capabilities, DeclaredDimension } from "./read-capabilities.ts";

/** How a dimension is shown: supported, not supported, or n/a without Dags of its own. */
export type Mark = "✓" | "✗" | "n/a";

const TITLES: { readonly [G in Dimension["group"]]: string } = {
  states: "States",
  runtime: "Runtime",
  "native-dag": "Native Dags",
};

/** Whether a declaration has a dimension, as the matrix shows it. */
export function markOf(dimension: Dimension, { dimensions }: Capabilities): Mark {
  if (dimension.needsNativeDags && !dimensions.get("native-dag-authoring")?.supported) return "n/a";
  return dimensions.get(dimension.name)?.supported ? "✓" : "✗";
}

/** The matrix of a declaration as Markdown tables, a group each. */
export function renderMatrix(capabilities: Capabilities): string {
  const { sdk, minAirflowVersion, supervisorSchemaVersion } = capabilities;
  const head = `\`${sdk}\`: Airflow ${minAirflowVersion} or newer, supervisor schema ${supervisorSchemaVersion}.`;
  const tables = Object.entries(TITLES).map(([group, title]) =>
    renderTable(
      title,
      DIMENSIONS.filter((one) => one.group === group),
      capabilities,
    ),
  );
  return [head, ...tables].join("\n\n");
}

function renderTable(
  title: string,
  dimensions: readonly Dimension[],
  capabilities: Capabilities,
): string {
  const rows = dimensions.map((dimension) => [
    dimension.name,
    dimension.tier.toUpperCase() + (dimension.needsNativeDags ? " †" : ""),
    markOf(dimension, capabilities),
    words(capabilities.dimensions.get(dimension.name)),
  ]);
  const widths = [title, "tier", "", "since, notes"].map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0), 3),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line([title, "tier", "", "since, notes"]), rule, ...rows.map(line)].join("\n");
}

function words(entry: DeclaredDimension | undefined): string {
  const { since, sdkVersion, note } = entry ?? {};
  const parts = [
    since && `Airflow ${since}`,
    sdkVersion && `SDK ${sdkVersion}`,
    note?.replaceAll("|", "\\|").replaceAll(/\s+/g, " "),
  ];
  return parts.filter((part) => part).join("; ");
}

const BEGIN = "<!-- capabilities:begin -->";
const END = "<!-- capabilities:end -->";

/**
 * The text of a page with the matrix between its markers, `<!-- capabilities:begin -->` and `<!-- capabilities:end -->`;
 * undefined where it has no such place.
 */
export function placeMatrix(page: string, capabilities: Capabilities): string | undefined {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  if (begin === -1 || end === -1) return undefined;
  const before = page.slice(0, begin + BEGIN.length);
  return `${before}\n\n${renderMatrix(capabilities)}\n\n${page.slice(end)}`;
}
