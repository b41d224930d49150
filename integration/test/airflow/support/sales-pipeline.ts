import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessStore } from "@parlance/test-kit";
import { EXAMPLE } from "./pack.ts";

// What examples/sales-pipeline has to leave behind, whichever Airflow runs it.

export const SEED = JSON.parse(readFileSync(join(EXAMPLE, "store.json"), "utf8")) as HarnessStore;

const SALES = [
  { id: 1, region: "EMEA", customer: "Åsa Öberg", amountCents: 129_900 },
  { id: 3, region: "EMEA", customer: "Zoë Müller", amountCents: 8_850 },
  { id: 4, region: "EMEA", customer: "Zoë Müller", amountCents: -8_850 },
  { id: 6, region: "EMEA", customer: "Łukasz Nowak", amountCents: 77_025 },
];

const SUMMARY = {
  rows: 4,
  refunds: 1,
  totalCents: 206_925,
  averageCents: 51_731.25,
  byCustomer: { "Åsa Öberg": 129_900, "Zoë Müller": 0, "Łukasz Nowak": 77_025 },
};

const HEADLINE = "sales_pipeline: 206925 cents in all, 51731.25 on average";

/** By `task key`. */
export const XCOMS = {
  "extract return_value": SALES,
  "publish return_value": { published: true, totalCents: 206_925 },
  "report headline": HEADLINE,
  "summarize return_value": SUMMARY,
};

/** By `task try`, without time stamps. The first try of `publish` is told apart: it has an error. */
export const LOGS = {
  "extract 1": [
    {
      level: "info",
      event: "reading sales",
      logger: "task",
      region: "EMEA",
      host: "warehouse.example",
      port: 5432,
    },
    { level: "info", event: "read sales", logger: "task", rows: 4 },
  ],
  "summarize 1": [
    { level: "info", event: "summarized", logger: "task", ...SUMMARY },
    { level: "warning", event: "there are refunds", logger: "task", refunds: 1 },
  ],
  "publish 2": [
    { level: "info", event: "published", logger: "task", to: "sales desk", tryNumber: 2 },
  ],
  "report 1": [{ level: "info", event: HEADLINE, logger: "task.console" }],
};

/** The error that the first try of `publish` ends with. */
export const PUBLISH_ERROR = "the sales desk does not answer yet";

export interface Row {
  readonly taskId: string;
  readonly key: string;
  readonly value: unknown;
}

export function byTaskAndKey(rows: readonly Row[]): Record<string, unknown> {
  const pairs = rows.map((row) => [`${row.taskId} ${row.key}`, row.value] as const);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
