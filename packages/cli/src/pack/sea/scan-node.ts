import { open } from "node:fs/promises";

/** What Node looks at to learn that it carries a program. */
export const SENTINEL_FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** What the bytes of a Node binary tell. */
export interface NodeScan {
  /** How many fuses there are that can be blown, and that are. */
  readonly unblown: number;
  readonly blown: number;
  /** Of the address from which it would fetch its headers: `20.20.2`; undefined where it has none. */
  readonly version: string | undefined;
  readonly bytes: number;
}

const PIECE_BYTES = 1 << 20;
/** Longer than all that is looked for: pieces overlap by it. */
const OVERLAP_BYTES = 128;

/** Reads a binary of about 100 MB piece by piece. */
export async function scanNode(path: string): Promise<NodeScan> {
  const seen = { "0": new Set<number>(), "1": new Set<number>() };
  let version: string | undefined;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.allocUnsafe(PIECE_BYTES + OVERLAP_BYTES);
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      const piece = buffer.subarray(0, bytesRead);
      for (let found = piece.indexOf(SENTINEL_FUSE); found >= 0; ) {
        const end = found + SENTINEL_FUSE.length;
        const state = piece.toString("latin1", end, end + 2);
        if (state === ":0" || state === ":1") seen[state[1] as "0" | "1"].add(at + found);
        found = piece.indexOf(SENTINEL_FUSE, end);
      }
      version ??= versionIn(piece);
    }
    return { unblown: seen[0].size, blown: seen[1].size, version, bytes: size };
  } finally {
    await file.close();
  }
}

function versionIn(piece: Buffer): string | undefined {
  const at = piece.indexOf("-headers.tar.gz");
  if (at < 0) return undefined;
  const before = piece.toString("latin1", Math.max(0, at - 40), at);
  return /node-v(\d+\.\d+\.\d+)$/.exec(before)?.[1];
}
