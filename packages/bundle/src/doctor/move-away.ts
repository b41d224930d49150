import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FilePath } from "../find/walk-files.ts";
import { realPathOf } from "./real-path.ts";
import { shellQuote } from "./shell-quote.ts";

/** Where bundles are searched. */
export interface Searched {
  readonly roots: readonly string[];
  /** All that were entered, links resolved. */
  readonly folders: ReadonlySet<string>;
}

/** The root that a path lies under, or is. */
export function rootOf(path: string, roots: readonly string[]): string | undefined {
  return roots.find((root) => path === root || path.startsWith(`${root.replace(/\/$/, "")}/`));
}

/** Into a folder that is not searched, above the root, under a name that is free there. */
export function moveAway(path: FilePath, { roots, folders }: Searched): string {
  let above = dirname(rootOf(path.toString(), roots) ?? path.toString());
  while (above !== "/" && folders.has(realPathOf(above).toString())) above = dirname(above);
  const folder = join(above, "retired-bundles");
  let target = join(folder, basename(path.toString()));
  for (let count = 2; existsSync(target); count++) {
    target = join(folder, `${basename(path.toString())}.${count}`);
  }
  return `mkdir -p -- ${shellQuote(folder)} && mv -- ${shellQuote(path)} ${shellQuote(target)}`;
}
