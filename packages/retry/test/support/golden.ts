import { readFileSync } from "node:fs";
import type { RetryVector } from "@parlance/retry";
import type { GenuineAnswer } from "@parlance/test-kit";

/** A vector as it stands in its line of the file, and what the genuine calculation says to it. */
export interface GoldenVector {
  readonly line: string;
  readonly vector: RetryVector & { readonly id: number; readonly note?: string };
  readonly out: GenuineAnswer;
}

/** The recorded vectors, read as plain JSON: no whole number in them is beyond 2^53. */
export function readGolden(): readonly GoldenVector[] {
  const text = readFileSync(new URL("../../test/data/next-retry.json", import.meta.url), "utf8");
  const lines = text.split("\n").slice(1, -2);
  return lines.map((end) => {
    const line = end.replace(/,$/, "");
    const { out, ...vector } = JSON.parse(line) as GoldenVector["vector"] & { out: GenuineAnswer };
    return { line, vector, out };
  });
}
