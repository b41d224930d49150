import type { ReadBytes } from "./executable.ts";

const MAGICS: readonly (readonly [string, string])[] = [
  ["1f8b", "gzip"],
  ["1f9d", "compress"],
  ["425a68", "bzip2"],
  ["fd377a585a00", "xz"],
  ["28b52ffd", "zstd"],
  ["04224d18", "lz4"],
  ["377abcaf271c", "7-Zip"],
  ["504b0304", "zip"],
];

/** Where UPX puts its mark: behind the headers, and near the end of what it wrote. */
const UPX_HEAD_BYTES = 4096;
const UPX_TAIL_BYTES = 64;

/** The name of what compressed a file as a whole, or null. */
export function compressionOf(read: ReadBytes, size: number): string | null {
  const head = read(0, UPX_HEAD_BYTES);
  const magic = head.toString("hex", 0, 8);
  const [, name] = MAGICS.find(([hex]) => magic.startsWith(hex)) ?? [];
  if (name !== undefined) return name;
  const isProgram = /^(7f454c46|4d5a|c[ef]faedfe|feedfac[ef]|cafebab[ef])/.test(magic);
  if (!isProgram) return null;
  if (head.includes("UPX!")) return "UPX";
  const tail = read(Math.max(0, size - UPX_TAIL_BYTES), UPX_TAIL_BYTES);
  return tail.includes("UPX!") ? "UPX" : null;
}
