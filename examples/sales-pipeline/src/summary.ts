import type { Sale } from "./sales.ts";

export interface Summary {
  readonly rows: number;
  readonly refunds: number;
  readonly totalCents: number;
  readonly averageCents: number;
  readonly byCustomer: Readonly<Record<string, number>>;
}

export function summarize(sales: readonly Sale[]): Summary {
  const byCustomer: Record<string, number> = {};
  let totalCents = 0;
  for (const { customer, amountCents } of sales) {
    byCustomer[customer] = (byCustomer[customer] ?? 0) + amountCents;
    totalCents += amountCents;
  }
  return {
    rows: sales.length,
    refunds: sales.filter((sale) => sale.amountCents < 0).length,
    totalCents,
    averageCents: sales.length === 0 ? 0 : totalCents / sales.length,
    byCustomer,
  };
}
