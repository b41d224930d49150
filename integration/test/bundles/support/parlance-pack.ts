import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CLI = fileURLToPath(new URL("../../../../packages/cli/bin/parlance.js", import.meta.url));

/** The entry of the example that users copy. */
export const EXAMPLE_ENTRY: string = fileURLToPath(
  new URL("../../../../examples/sales-pipeline/src/tasks.ts", import.meta.url),
);

/** Packs the example. */
export async function packExample(out: string, ...flags: readonly string[]): Promise<void> {
  const args = [CLI, "pack", EXAMPLE_ENTRY, "--out", out, ...flags];
  await promisify(execFile)(process.execPath, args);
}
