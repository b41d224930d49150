export interface Sale {
  readonly id: number;
  readonly region: string;
  readonly customer: string;
  /** Negative for a refund. */
  readonly amountCents: number;
}

// A real task would ask the warehouse; the example needs nothing outside Airflow.
const SALES: readonly Sale[] = [
  { id: 1, region: "EMEA", customer: "Åsa Öberg", amountCents: 129_900 },
  { id: 2, region: "APAC", customer: "王芳", amountCents: 54_000 },
  { id: 3, region: "EMEA", customer: "Zoë Müller", amountCents: 8_850 },
  { id: 4, region: "EMEA", customer: "Zoë Müller", amountCents: -8_850 },
  { id: 5, region: "AMER", customer: "Nia Brown", amountCents: 210_000 },
  { id: 6, region: "EMEA", customer: "Łukasz Nowak", amountCents: 77_025 },
];

export function readSales(region: string): Sale[] {
  return SALES.filter((sale) => sale.region === region);
}
