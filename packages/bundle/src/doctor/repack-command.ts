import type { FilePath } from "../find/walk-files.ts";
import { shellQuote } from "./shell-quote.ts";

/** What packs a bundle again in its place: metadata is read as it was meant, the digest is new. */
export function repackCommand(path: FilePath, options: readonly string[]): string {
  const words = [...new Set(options)].filter((option) => option !== "");
  return ["parlance bundle pack --repack", ...words, `--executable ${shellQuote(path)}`].join(" ");
}
