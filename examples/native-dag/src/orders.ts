export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly region: Region;
  readonly cents: number;
}

export type Region = "emea" | "apac";

// A real task would ask the shop; the example needs nothing outside Airflow.
const ORDERS: readonly Order[] = [
  { id: 1, customer: "Åsa Öberg", region: "emea", cents: 129_900 },
  { id: 2, customer: "王芳", region: "apac", cents: 54_000 },
  { id: 3, customer: "Zoë Müller", region: "emea", cents: 8_850 },
  { id: 4, customer: "Zoë Müller", region: "emea", cents: 2_100 },
  { id: 5, customer: "Łukasz Nowak", region: "emea", cents: 77_025 },
];

export function readOrders(region: Region, minimumCents: number): Order[] {
  return ORDERS.filter((order) => order.region === region && order.cents >= minimumCents);
}

export function byCustomer(orders: readonly Order[]): { customer: string; cents: number }[] {
  const totals = new Map<string, number>();
  for (const { customer, cents } of orders) {
    totals.set(customer, (totals.get(customer) ?? 0) + cents);
  }
  return Array.from(totals, ([customer, cents]) => ({ customer, cents }));
}
