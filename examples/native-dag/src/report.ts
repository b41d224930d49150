import { dag } from "@parlance/sdk-node";
import { invoices } from "./pipeline.ts";

/** Runs whenever invoices were published. */
export const report = dag("orders_report", {
  schedule: invoices,
  tags: ["shop", "typescript"],
  taskDefaults: { queue: "typescript", owner: "shop" },
}).task("count", { inlets: [invoices] }, async ({ client, log, inlets }) => {
  const [asset] = inlets;
  let events = 0;
  if (asset !== undefined) events = (await client.assets.listEvents(asset)).length;
  log.info("invoices so far", { events });
  return events;
});
