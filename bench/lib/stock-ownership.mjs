import { startStock } from "./stock-process.mjs";

/** Starts a Python with stock Airflow in it that checks connections when asked. */
export async function startStockChecker(python) {
  const stock = startStock(python, "stock-ownership.py");
  await stock.read(); // it is imported
  return {
    /** @returns how long it took, in milliseconds, and what came out */
    check({ pid, connections }) {
      const ends = ({ address, port }) => [address, port];
      return stock.ask({
        pid,
        connections: connections.map(({ peer, local }) => [ends(peer), ends(local)]),
      });
    },
    end: stock.end,
  };
}
