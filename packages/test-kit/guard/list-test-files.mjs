import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file as it is; a folder as its `*.test.js` files, at any depth. */
export function listTestFiles(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules")
    .flatMap((entry) => {
      if (entry.isDirectory()) return listTestFiles(join(path, entry.name));
      return entry.name.endsWith(".test.js") ? [join(path, entry.name)] : [];
    });
}
