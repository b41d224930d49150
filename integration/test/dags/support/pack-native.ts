import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PARLANCE } from "../../airflow/support/pack.ts";

/** The example of a whole Dag, that users copy. */
export const EXAMPLE: string = fileURLToPath(
  new URL("../../../../examples/native-dag/src/main.ts", import.meta.url),
);

/** A TypeScript file of `test/dags/fixtures`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../test/dags/fixtures/${name}`, import.meta.url));
}

/** Packs an entry into a folder, as a file that the coordinator of its format takes for one of Dags. */
export async function packNative(
  entry: string,
  folder: string,
  name: string,
  flags: readonly string[] = [],
): Promise<string> {
  const isNode = name.endsWith(".min.mjs");
  const format = isNode ? "node" : "executable";
  const args = ["pack", entry, "--format", format, "--out", join(folder, name), ...flags];
  await promisify(execFile)(process.execPath, [PARLANCE, ...args]);
  return name;
}
