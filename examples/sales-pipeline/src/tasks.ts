import { Bundle, serve } from "@parlance/sdk-node";
import { readSales, type Sale } from "./sales.ts";
import { type Summary, summarize } from "./summary.ts";

const bundle = new Bundle();

/** Reads the region's sales. What a handler returns becomes its XCom `return_value`. */
bundle.task("sales_pipeline", "extract", async ({ client, log }) => {
  const region = await client.getVariableOrThrow("sales_region");
  const warehouse = await client.getConnectionOrThrow("sales_warehouse");
  log.info("reading sales", { region, host: warehouse.host, port: warehouse.port });
  const sales = readSales(region);
  log.info("read sales", { rows: sales.length });
  return sales;
});

/** Takes the rows from `extract` by XCom. */
bundle.task("sales_pipeline", "summarize", async ({ client, log }) => {
  const sales = await client.getXComOrThrow<Sale[]>({ taskId: "extract" });
  const summary = summarize(sales);
  log.info("summarized", { ...summary });
  if (summary.refunds > 0) log.warning("there are refunds", { refunds: summary.refunds });
  return summary;
});

/**
 * Fails on its first try and succeeds on its second. Airflow runs it again because the
 * Dag gives it `retries=1`; nothing but the try number decides here.
 */
bundle.task("sales_pipeline", "publish", async ({ client, context, log }) => {
  const summary = await client.getXComOrThrow<Summary>({ taskId: "summarize" });
  if (context.tryNumber === 1) throw new Error("the sales desk does not answer yet");
  log.info("published", { to: "sales desk", tryNumber: context.tryNumber });
  return { published: true, totalCents: summary.totalCents };
});

/** Writes a Variable and an XCom under a key of its own; `console` ends in the task log, too. */
bundle.task("sales_pipeline", "report", async ({ client, context }) => {
  const { totalCents, averageCents } = await client.getXComOrThrow<Summary>({
    taskId: "summarize",
  });
  const line = `${context.dagId}: ${totalCents} cents in all, ${averageCents} on average`;
  console.log(line);
  await client.setXCom(line, { key: "headline" });
  await client.setVariable("sales_last_total_cents", String(totalCents));
});

serve(bundle);
