import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "@parlance/test-kit";

/** The command. */
export const PARLANCE: string = fileURLToPath(
  new URL("../../../../packages/cli/bin/parlance.js", import.meta.url),
);

/** The example that users copy. */
export const EXAMPLE = fileURLToPath(
  new URL("../../../../examples/sales-pipeline/", import.meta.url),
);

/** A TypeScript file of `test/fixtures`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../test/airflow/fixtures/${name}`, import.meta.url));
}

/** Runs `parlance pack`; gives the folder that holds the packed file alone. */
export async function pack(
  entry: string,
  name: string,
  flags: readonly string[] = [],
): Promise<string> {
  const folder = temporaryFolder("parlance-bundles");
  await promisify(execFile)(process.execPath, [
    PARLANCE,
    "pack",
    entry,
    "--out",
    join(folder, name),
    ...flags,
  ]);
  return folder;
}
