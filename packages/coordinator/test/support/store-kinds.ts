import { join } from "node:path";
import { MemoryTaskStore, openSqliteTaskStore, type TaskStore } from "@parlance/coordinator";
import { temporaryFolder } from "@parlance/test-kit";

const folder = temporaryFolder("parlance-store");
let files = 0;

/** A path in a folder of its own, where there is no file yet. */
export function newStoreFile(): string {
  files += 1;
  return join(folder, `store-${files}.db`);
}

/** Every store that keeps to the interface, by name: each test of the interface runs on both. */
export const STORE_KINDS: readonly (readonly [string, () => Promise<TaskStore>])[] = [
  ["memory", async () => new MemoryTaskStore()],
  ["sqlite", () => openSqliteTaskStore(newStoreFile())],
];
