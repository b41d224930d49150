import { asset, dag, param } from "@parlance/sdk-node";
import { byCustomer, readOrders } from "./orders.ts";

export const invoices = asset({ name: "invoices", uri: "s3://shop/invoices" });

/** Reads a day's orders, checks them and writes an invoice for each customer in each form. */
export const pipeline = dag("orders_pipeline", {
  schedule: "@daily",
  startDate: new Date("2026-01-01T00:00:00Z"),
  catchup: false,
  tags: ["shop", "typescript"],
  description: "Orders in, invoices out",
  maxActiveRuns: 1,
  params: {
    region: param("emea", { enum: ["emea", "apac"], description: "Whose orders" }),
    minimumCents: param(5000, { type: "integer", minimum: 0 }),
  },
  taskDefaults: { queue: "typescript", owner: "shop", executionTimeoutMs: 600_000 },
})
  .task(
    "extract",
    {
      doc: "Asks the shop, which does not always answer at once.",
      retries: 3,
      retryDelayMs: 1000,
      retryExponentialBackoff: 2,
      maxRetryDelayMs: 60_000,
    },
    ({ params, context, log }) => {
      if (context.tryNumber === 1) throw new Error("the shop does not answer yet");
      const orders = readOrders(params.region, params.minimumCents);
      log.info("read orders", { region: params.region, orders: orders.length });
      return orders;
    },
  )
  .branch(
    "choose",
    { inputs: { orders: "extract" }, choices: ["checks", "nothing_to_do"] },
    ({ inputs }) => (inputs.orders.length > 0 ? "checks" : "nothing_to_do"),
  )
  .task("nothing_to_do", ({ log }) => log.info("no orders today"))
  .group("checks", { tooltip: "What must hold before money is asked for" }, (checks) =>
    checks
      .task("ids", { inputs: { orders: "extract" } }, ({ inputs: { orders } }) => {
        const ids = new Set(orders.map(({ id }) => id));
        if (ids.size !== orders.length) throw new Error("an order is there twice");
        return ids.size;
      })
      .task(
        "amounts",
        { after: "ids", inputs: { orders: "extract" } },
        ({ inputs: { orders } }) => {
          const total = orders.reduce((sum, { cents }) => sum + cents, 0);
          return { total, largest: Math.max(...orders.map(({ cents }) => cents)) };
        },
      ),
  )
  .task("customers", { after: "checks", inputs: { orders: "extract" } }, ({ inputs }) =>
    byCustomer(inputs.orders),
  )
  .task(
    "invoice",
    { forEach: { customer: "customers", form: ["pdf", "csv"] }, maxActiveTisPerDagrun: 2 },
    async ({ inputs: { customer, form }, client }) => {
      const name = `${customer.customer}.${form}`;
      await client.setRenderedMapIndex(name);
      return { name, cents: customer.cents };
    },
  )
  .task(
    "publish",
    { inputs: { written: "invoice", amounts: "checks.amounts" }, outlets: [invoices] },
    async ({ inputs: { written, amounts }, client, log }) => {
      const names = written.map(({ name }) => name);
      log.info("published", { names, total: amounts.total });
      await client.assets.emit(invoices, { extra: { count: names.length } });
      return names;
    },
  )
  .shortCircuit(
    "is_large",
    { inputs: { amounts: "checks.amounts" } },
    ({ inputs }) => inputs.amounts.total > 100_000,
  )
  .task("tell_sales", { after: "is_large" }, ({ log }) => log.info("a large day"))
  .task(
    "finish",
    { after: ["publish", "nothing_to_do"], triggerRule: "none_failed_min_one_success" },
    ({ context, log }) => log.info("done", { run: context.runId }),
  );
