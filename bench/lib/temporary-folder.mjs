import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, removed when this process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
