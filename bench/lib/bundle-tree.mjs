// 1,000 bundles in one folder, the Dag that is looked for in the last one only.
import { createHash } from "node:crypto";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetadata, encodeFooter, formatMetadata } from "../../packages/bundle/dist/index.js";
import { temporaryFolder } from "./temporary-folder.mjs";

const BUNDLES = 1_000;
const EXECUTABLE_BYTES = 65_536;
const DAGS = 5;

/** Makes them: 64 KiB each, five Dags of two tasks, with the metadata that `parlance pack` writes. */
export function makeBundleTree() {
  const root = temporaryFolder();
  for (let number = 0; number < BUNDLES; number++) {
    const executable = Buffer.alloc(EXECUTABLE_BYTES, `#!/bin/sh\nexit ${number}\n`);
    const dags = Array.from({ length: DAGS }, (_, at) => [
      `dag_${number}_${at}`,
      { tasks: ["extract", "load"] },
    ]);
    const metadata = Buffer.from(
      formatMetadata(
        createMetadata({
          sdk: { language: "typescript", version: "0.1.0", supervisorSchemaVersion: "2026-06-16" },
          source: "tasks.ts",
          dags: new Map(dags),
        }),
      ),
    );
    const footer = encodeFooter({
      sourceLength: 0,
      metadataLength: metadata.length,
      binarySha256: createHash("sha256").update(executable).digest("hex"),
    });
    const path = join(root, `bundle-${String(number).padStart(4, "0")}`);
    writeFileSync(path, Buffer.concat([executable, metadata, footer]), { mode: 0o755 });
  }
  return { root, dagId: `dag_${BUNDLES - 1}_${DAGS - 1}`, count: BUNDLES };
}

/**
 * Looks at every file once, as plain Node does it without waiting on a thread for each: readdir
 * with the types of entries, down into folders, and stat of each file.
 *
 * @returns how many files there are
 */
export function readdirAndStat(folder) {
  let files = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files += readdirAndStat(path);
    else if (statSync(path).isFile()) files++;
  }
  return files;
}
