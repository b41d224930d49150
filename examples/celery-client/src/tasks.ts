import { Bundle, serve } from "@parlance/sdk-node";

const bundle = new Bundle();

/** Python raises it by this name: the class is made when the result is read. */
class OutOfStock extends Error {
  override readonly name = "OutOfStock";
}

/** What a handler returns is what `AsyncResult.get()` returns in Python. */
bundle.task("orders", "price", async ({ log }) => {
  const items = [
    { article: "kettle", amount: 2, cents: 3990 },
    { article: "cup", amount: 6, cents: 450 },
  ];
  const cents = items.reduce((sum, item) => sum + item.amount * item.cents, 0);
  log.info("priced", { cents });
  return { cents, articles: items.map(({ article }) => article) };
});

/** What a handler throws is what `AsyncResult.get()` raises. The row is RETRY between its two tries. */
bundle.task("orders", "reserve", async ({ context }) => {
  throw new OutOfStock(`no cups left on try ${context.tryNumber}`);
});

serve(bundle);
