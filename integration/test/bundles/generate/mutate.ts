import type { Random } from "../../airflow/support/random.ts";

/** A way to damage a file, and its name. */
export type Mutation = (random: Random, bytes: Buffer) => Buffer;

/** What happens to files on their way. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  truncated: (random, bytes) => bytes.subarray(0, place(random, bytes)),
  beheaded: (random, bytes) => bytes.subarray(random.below(Math.min(bytes.length, 200)) + 1),
  shifted(random, bytes) {
    const at = place(random, bytes);
    const inserted = randomBytes(random, 1 + random.below(16));
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
  },
  shrunk(random, bytes) {
    const at = place(random, bytes);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(16))]);
  },
  flipped(random, bytes) {
    const copy = Buffer.from(bytes);
    for (let times = 1 + random.below(3); times > 0 && copy.length > 0; times--) {
      const at = Math.min(place(random, bytes), copy.length - 1);
      copy[at] = (copy[at] as number) ^ (1 << random.below(8));
    }
    return copy;
  },
  swapped(random, bytes) {
    const length = 1 + random.below(Math.min(64, Math.max(1, bytes.length >> 1)));
    const [one, other] = [place(random, bytes), place(random, bytes)].sort((a, b) => a - b);
    const [from, to] = [one as number, Math.max(other as number, (one as number) + length)];
    return Buffer.concat([
      bytes.subarray(0, from),
      bytes.subarray(to, to + length),
      bytes.subarray(from + length, to),
      bytes.subarray(from, from + length),
      bytes.subarray(to + length),
    ]);
  },
  appended(random, bytes) {
    const tail = random.pick([
      Buffer.from("\n"),
      Buffer.alloc(1 + random.below(80)),
      randomBytes(random, 1 + random.below(80)),
      bytes.subarray(Math.max(0, bytes.length - 64)),
      bytes,
    ]);
    return Buffer.concat([bytes, tail]);
  },
};

/** Any place, or one in the last 200 bytes: what is told of a bundle is there. */
function place(random: Random, bytes: Buffer): number {
  if (random.chance(0.5)) return random.below(bytes.length + 1);
  return Math.max(0, bytes.length - random.below(200));
}

/** Any bytes. */
export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
