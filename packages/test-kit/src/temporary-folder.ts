import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** A new folder that is removed when the test process ends. */
export function temporaryFolder(label = "parlance-test"): string {
  // one listener for all: from the eleventh on, Node would warn of a leak
  if (folders.length === 0) {
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(join(tmpdir(), `${label}-`));
  folders.push(folder);
  return folder;
}
