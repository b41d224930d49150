import { setImmediate } from "node:timers/promises";
import { ResultsError } from "../../errors.ts";
import type { CleanupOptions, CleanupProgress } from "../options.ts";
import type { StoreContext } from "../store-context.ts";
import { BatchSize } from "./batch-size.ts";
import { type DeletedBatch, type Sweep, startSweep } from "./sweep.ts";
import { withLargeCache } from "./with-large-cache.ts";

/** See {@link ResultStore.cleanup}. */
export async function cleanUp(
  context: StoreContext,
  options: CleanupOptions = {},
): Promise<CleanupProgress> {
  return withLargeCache(context.database, () => cleanInBatches(context, options));
}

async function cleanInBatches(
  context: StoreContext,
  { expiresSeconds = context.resultExpiresSeconds, batchSize, onProgress, signal }: CleanupOptions,
): Promise<CleanupProgress> {
  requireOptions(expiresSeconds, batchSize);
  const { database, dates, clock } = context;
  const now = clock.now();
  const counts = { tasks: 0, groups: 0, batches: 0, longestBatchMs: 0 };
  const kinds = [
    { kind: "tasks", role: "task", cutoff: dates.cutoff(now, expiresSeconds) },
    { kind: "groups", role: "group", cutoff: dates.filledCutoff(now, expiresSeconds) },
  ] as const;
  for (const { kind, role, cutoff } of kinds) {
    const size = new BatchSize();
    const expired = { database, dates, role, cutoff, isExact: batchSize !== undefined };
    const sweep = await database.run("cleanup", (connection) => startSweep(connection, expired));
    for (;;) {
      if (signal?.aborted === true) throw aborted(counts, signal.reason);
      const batch = await oneBatch(context, sweep, batchSize ?? size.rows);
      if (batch.rows > 0) {
        counts[kind] += batch.rows;
        counts.batches++;
        counts.longestBatchMs = Math.max(counts.longestBatchMs, batch.ms);
        onProgress?.({ ...counts });
      }
      if (batch.isLast) break;
      size.took(batch.ms);
      // Others come first: this process's own work, and whoever waits for the lock of the file.
      await setImmediate();
      if (database.dialect === "sqlite") await clock.sleep(PAUSE_MS);
    }
  }
  return counts;
}

/** Between two batches on SQLite, whose writers ask again from time to time instead of queueing. */
const PAUSE_MS = 2;

async function oneBatch(
  context: StoreContext,
  sweep: Sweep,
  size: number,
): Promise<DeletedBatch & { readonly ms: number }> {
  return context.database.run("cleanup", async (connection) => {
    const start = performance.now();
    const batch = await sweep(connection, size);
    return { ...batch, ms: performance.now() - start };
  });
}

function requireOptions(expiresSeconds: unknown, batchSize: unknown): void {
  if (typeof expiresSeconds !== "number" || !(expiresSeconds >= 0)) {
    throw refuse(
      "expiresSeconds",
      "a number of seconds, 0 or more; rows that never expire need no cleanup",
    );
  }
  if (batchSize !== undefined && !(Number.isInteger(batchSize) && Number(batchSize) > 0)) {
    throw refuse("batchSize", "a whole number of rows, 1 or more");
  }
}

function refuse(field: string, expected: string): ResultsError {
  return new ResultsError("bad-option", `cleanup: ${field} has to be ${expected}.`, {
    facts: { operation: "cleanup", field },
  });
}

function aborted(counts: CleanupProgress, cause: unknown): ResultsError {
  return new ResultsError(
    "aborted",
    `cleanup: ended by its signal after ${counts.tasks} tasks and ${counts.groups} groups, which are removed.`,
    { cause, facts: { operation: "cleanup" } },
  );
}
