import { interleave } from "../lib/interleave.mjs";
import { openLinks } from "../lib/round-trip.mjs";
import { percentile } from "../lib/statistics.mjs";

const REQUESTS = 600;

/** A request of an SDK task and its answer, one at a time; figures are medians of medians. */
export const row = {
  name: "round-trip-one",
  what: "p50 of one outstanding request, validators on",
  against: "a raw Node TCP echo of a message as long",
  must: 1.4,
  aim: 1.15,
  better: "lower",
  unit: "us",
  peer: "airflow-3.3.2",
  async measure({ peers }) {
    const { ours, raw, stock, close } = await openLinks(peers[row.peer]);
    const result = await interleave({
      rounds: 21,
      warmUps: 5,
      ours: () => medianOf(ours),
      limit: () => medianOf(raw),
      peer: stock && (async () => medianOf(await stock())),
    });
    await close();
    return result;
  },
};

async function medianOf(request) {
  const figures = [];
  for (let count = 0; count < REQUESTS; count++) {
    const startedAt = performance.now();
    await request();
    figures.push((performance.now() - startedAt) * 1000);
  }
  return percentile(figures, 0.5);
}
