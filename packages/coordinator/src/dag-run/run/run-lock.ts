import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SqliteDatabase } from "../../store/sqlite-database.ts";
import { StoreError } from "../../store/task-store.ts";
import { DagRunError } from "./dag-run-error.ts";

/** Somebody may just be looking whether it is locked. */
const PATIENCE_MS = 300;

/** A run that is ours until it is released, or this process ends in whatever way. */
export interface RunLock {
  release(): void;
}

/**
 * Takes a run for this process. The lock is that of a database file of its own in the folder of the
 * attempts: the system gives it back when the process ends, be it by SIGKILL.
 *
 * @throws DagRunError `run-locked` where somebody has it
 */
export async function lockRun(folder: string, dagId: string, runId: string): Promise<RunLock> {
  const database = await SqliteDatabase.open(lockFile(folder, dagId, runId), PATIENCE_MS);
  try {
    await database.hold();
  } catch (cause) {
    database.close();
    if (!(cause instanceof StoreError) || cause.code !== "store-busy") throw cause;
    const message = `run ${JSON.stringify(runId)} of Dag ${JSON.stringify(dagId)} is run by another process, or already by this one; wait for it, or give another --run-id`;
    throw new DagRunError("run-locked", message, { cause });
  }
  return {
    release: () => {
      database.letGo();
      database.close();
    },
  };
}

/** Whether some process runs it at this moment. */
export async function isLocked(folder: string, dagId: string, runId: string): Promise<boolean> {
  const file = lockFile(folder, dagId, runId);
  if (!existsSync(file)) return false;
  const database = await SqliteDatabase.open(file, 0);
  try {
    await database.hold();
    database.letGo();
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

function lockFile(folder: string, dagId: string, runId: string): string {
  const name = createHash("sha256")
    .update(JSON.stringify([dagId, runId]))
    .digest("hex");
  return join(folder, `run-${name.slice(0, 32)}.lock`);
}
