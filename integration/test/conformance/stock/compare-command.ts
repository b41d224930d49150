// What `npm run conformance -- --under airflow-VERSION` runs.
import { loadCases } from "@parlance/conformance";
import type { SchemaVersion } from "@parlance/protocol";
import type { AirflowVersion } from "@parlance/test-kit";
import { DIFFERENCES } from "./differences.ts";
import { disagreements } from "./listed.ts";
import { type PlayedCase, play } from "./play.ts";
import { brokenRuntimes, goRuntime, nodeRuntime, type StockRuntime } from "./runtimes.ts";
import { comparisonTable } from "./table.ts";

/** What to compare. */
export interface CompareOptions {
  readonly airflow: AirflowVersion;
  /** `node`, `go` or `broken`. */
  readonly runtime: string;
  /** Takes what is packed. */
  readonly folder: string;
  /** Cases, or beginnings of their ids. Default all. */
  readonly only: readonly string[];
}

const SCHEMAS: { readonly [A in AirflowVersion]: SchemaVersion } = {
  "3.3.2": "2026-06-16",
  "3.4.0b2": "2026-10-30",
};

/** Plays the cases, and gives the table to print and whether it is as differences.ts says. */
export async function compareUnder(
  options: CompareOptions,
): Promise<{ readonly text: string; readonly agreed: boolean }> {
  const { airflow, only } = options;
  const schema = SCHEMAS[airflow];
  const all = loadCases();
  const cases = all.filter(
    ({ id }) => only.length === 0 || only.some((one) => id === one || id.startsWith(`${one}/`)),
  );
  const runtimes = await runtimesOf(options, schema);
  const played: readonly PlayedCase[] = await play({ airflow, schema, runtimes, cases });
  const wrong = disagreements(
    played,
    airflow,
    DIFFERENCES,
    all.map(({ id }) => id),
  );
  const text = `${comparisonTable(played, airflow, DIFFERENCES, cases)}${wrong.map((one) => `${one}\n`).join("")}`;
  return { text, agreed: wrong.length === 0 && played.length > 0 };
}

async function runtimesOf(
  { runtime, folder }: CompareOptions,
  schema: SchemaVersion,
): Promise<readonly StockRuntime[]> {
  if (runtime === "node") return [await nodeRuntime(folder, schema)];
  if (runtime === "go") return [await goRuntime(folder, schema)];
  if (runtime === "broken") return await brokenRuntimes();
  throw new Error(
    `there is no runtime ${runtime} to play under a real supervisor; known: node, go, broken`,
  );
}
