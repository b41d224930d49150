import { interleave } from "../lib/interleave.mjs";
import { openLinks } from "../lib/round-trip.mjs";

const IN_FLIGHT = 64;
const REQUESTS = 20_000;
const STOCK_REQUESTS = 4_000;

/** Whenever one of 64 requests is answered, the next one is sent. */
export const row = {
  name: "round-trip-64",
  what: "requests a second, 64 in flight, validators on",
  against: "a raw Node TCP echo, one write a message",
  must: 1.2,
  aim: 1.7,
  better: "higher",
  unit: "1/s",
  peer: "airflow-3.3.2",
  async measure({ peers }) {
    const { ours, raw, stock, close } = await openLinks(peers[row.peer]);
    const result = await interleave({
      rounds: 15,
      warmUps: 3,
      ours: () => requestsPerSecond(ours),
      limit: () => requestsPerSecond(raw),
      peer: stock && (async () => requestsPerSecond(await stock(), STOCK_REQUESTS)),
    });
    await close();
    return result;
  },
};

async function requestsPerSecond(request, requests = REQUESTS) {
  let left = requests;
  const startedAt = performance.now();
  const work = async () => {
    while (left-- > 0) await request();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return (requests * 1000) / (performance.now() - startedAt);
}
