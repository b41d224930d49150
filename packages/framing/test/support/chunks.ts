import { readFileSync } from "node:fs";
import { fromHex } from "@parlance/test-kit";

export type HexChunk = string | { readonly repeat: string; readonly count: number };

/** One case file of test/cases. */
export interface Case<Expected> {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly direction?: string; readonly chunks_hex: readonly HexChunk[] };
  readonly expected: Expected;
}

export function readCase<Expected>(id: string): Case<Expected> {
  const url = new URL(`../../test/cases/${id}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Case<Expected>;
}

export function toChunks(hex: readonly HexChunk[]): Uint8Array[] {
  return hex.map((item) =>
    fromHex(typeof item === "string" ? item : item.repeat.repeat(item.count)),
  );
}

/** The same bytes in pieces of `size`. */
export function rechunk(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
  return chunks;
}
