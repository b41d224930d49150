import { FrameDecoder } from "../../packages/framing/dist/index.js";
import { elapsedMs, interleave } from "../lib/interleave.mjs";

const MEBIBYTE = 2 ** 20;
const CHUNK_BYTES = 65_536;
/** Time for 4 MiB over time for 1 MiB: anything above is not linear. */
const MAX_GROWTH = 8;

/**
 * One frame of 64 MiB, in chunks of 64 KiB as a socket gives them. The limit copies the same
 * chunks into memory that is there already; ours has to find the memory, too. The peer
 * joins what it has with each chunk: for 16 MiB once, times 16, since its time grows with the square.
 */
export const row = {
  name: "frame-split",
  what: "split a 64 MB frame out of 64 KB chunks",
  against: "memcpy of the same chunks",
  must: 25,
  aim: 14,
  better: "lower",
  unit: "ms",
  async measure({ note }) {
    const chunks = frameInChunks(64 * MEBIBYTE);
    const target = new Uint8Array(64 * MEBIBYTE + 4).fill(1);
    const result = await interleave({
      rounds: 9,
      ours: () => elapsedMs(() => split(chunks)),
      limit: () => elapsedMs(() => copy(chunks, target)),
    });
    const quarter = frameInChunks(16 * MEBIBYTE);
    const peer = 16 * (await elapsedMs(() => joinEachTime(quarter)));
    const [one, four] = [frameInChunks(MEBIBYTE), frameInChunks(4 * MEBIBYTE)];
    const growth = (await fastest(() => split(four))) / (await fastest(() => split(one)));
    note(`4 MB takes ${growth.toFixed(1)} times as long as 1 MB (at most ${MAX_GROWTH})`);
    return { ...result, peer, holds: growth <= MAX_GROWTH };
  },
};

/** The shortest of many times: what else the machine does only ever adds. */
async function fastest(call) {
  const times = [];
  for (let round = 0; round < 40; round++) times.push(await elapsedMs(call));
  return Math.min(...times);
}

function frameInChunks(payloadBytes) {
  const frame = Buffer.alloc(payloadBytes + 4, 0x2a);
  frame.writeUInt32BE(payloadBytes, 0);
  const chunks = [];
  for (let at = 0; at < frame.length; at += CHUNK_BYTES) {
    chunks.push(frame.subarray(at, at + CHUNK_BYTES));
  }
  return chunks;
}

function split(chunks) {
  const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 30 });
  let frames = 0;
  for (const chunk of chunks) frames += decoder.push(chunk).length;
  decoder.end();
  if (frames !== 1) throw new Error(`${frames} frames came out of one`);
}

function copy(chunks, target) {
  let at = 0;
  for (const chunk of chunks) {
    target.set(chunk, at);
    at += chunk.length;
  }
}

function joinEachTime(chunks) {
  let bytes = Buffer.alloc(0);
  for (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= 4 && bytes.length - 4 === bytes.readUInt32BE(0)) return bytes.subarray(4);
  }
  throw new Error("the frame did not end");
}
