import { PeerFigures } from "./peer-figures.mjs";
import { median } from "./statistics.mjs";

/**
 * Measures two things side by side: A B B A A B …, so that what else the machine does hits both,
 * and a peer, where there is one, a few times in between.
 *
 * @param {{ rounds: number, warmUps?: number, ours: Sample, limit: Sample, peer?: Sample,
 *   peerRounds?: number }} options each sample gives one figure; the figures of the warm-ups are
 *   thrown away, and with warm-ups the peer's first one
 * @returns {Promise<{ ours: number, limit: number, peer?: number, runs: number }>} the medians
 *
 * @typedef {() => number | Promise<number>} Sample
 */
export async function interleave({
  rounds,
  warmUps = 1,
  ours,
  limit,
  peer: samplePeer,
  peerRounds = 3,
}) {
  const figures = { ours: [], limit: [] };
  const samples = { ours, limit };
  const peer = new PeerFigures(samplePeer);
  if (warmUps > 0) await peer.warmUp();
  const every = Math.ceil(rounds / peerRounds);
  for (let round = -warmUps; round < rounds; round++) {
    for (const side of round % 2 === 0 ? ["ours", "limit"] : ["limit", "ours"]) {
      const figure = await samples[side]();
      if (round >= 0) figures[side].push(figure);
    }
    if (round >= 0 && round % every === 0) await peer.take();
  }
  const [ourMedian, limitMedian] = [median(figures.ours), median(figures.limit)];
  return { ours: ourMedian, limit: limitMedian, ...peer.result(), runs: rounds };
}

/** How long a call takes, in milliseconds; a promise that it gives is waited for. */
export async function elapsedMs(call) {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

/** Microseconds a call, of many calls in one go. */
export function microsecondsPerCall(call, calls) {
  const startedAt = performance.now();
  for (let count = 0; count < calls; count++) call();
  return ((performance.now() - startedAt) * 1000) / calls;
}
