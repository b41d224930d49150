import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder that is removed when the test process ends. */
export function temporaryFolder(label = "parlance-test"): string {
  const folder = mkdtempSync(join(tmpdir(), `${label}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
