import { startStock } from "./stock-process.mjs";

/**
 * Starts a Python with stock Airflow in it that calculates the next retry of these vectors.
 *
 * @returns its delays in microseconds, and `time(calls)`, the microseconds a call
 */
export async function startStockRetry(python, vectors) {
  const stock = startStock(python, "stock-retry.py");
  const delaysUs = await stock.ask(vectors);
  return {
    delaysUs,
    time: async (calls) => (await stock.ask({ calls })).us,
    end: stock.end,
  };
}
