import { setImmediate } from "node:timers/promises";
import type { SqlConnection } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { deleteBatch, type ExpiredRows } from "./delete-batch.ts";
import type { CleanupOptions, CleanupProgress } from "./options.ts";
import type { StoreContext } from "./store-context.ts";

/** What a batch is steered to take: well under the 100 ms that nobody should have to wait for a lock. */
const TARGET_BATCH_MS = 25;
const FIRST_BATCH_ROWS = 1000;
const MOST_BATCH_ROWS = 50_000;

/** See {@link ResultStore.cleanup}. */
export async function cleanUp(
  context: StoreContext,
  {
    expiresSeconds = context.resultExpiresSeconds,
    batchSize,
    onProgress,
    signal,
  }: CleanupOptions = {},
): Promise<CleanupProgress> {
  requireOptions(expiresSeconds, batchSize);
  const { database, dates, clock } = context;
  const { sql } = database;
  const now = clock.now();
  const counts = { tasks: 0, groups: 0, batches: 0, longestBatchMs: 0 };
  const kinds: readonly (readonly ["tasks" | "groups", ExpiredRows])[] = [
    ["tasks", { sql, table: sql.task, cutoff: dates.cutoff(now, expiresSeconds), dates }],
    ["groups", { sql, table: sql.group, cutoff: dates.filledCutoff(now, expiresSeconds), dates }],
  ];
  for (const [kind, expired] of kinds) {
    let size = batchSize ?? FIRST_BATCH_ROWS;
    for (;;) {
      if (signal?.aborted === true) throw aborted(counts, signal.reason);
      const batch = await oneBatch(context, expired, size);
      if (batch.rows === 0) break;
      counts[kind] += batch.rows;
      counts.batches++;
      counts.longestBatchMs = Math.max(counts.longestBatchMs, batch.ms);
      onProgress?.({ ...counts });
      if (batchSize === undefined) size = nextSize(size, batch.ms);
      // Others come first: this process's own work, and whoever waits for the lock of the file.
      await setImmediate();
      if (sql.dialect === "sqlite") await clock.sleep(PAUSE_MS);
    }
  }
  return counts;
}

/** Between two batches on SQLite, whose writers ask again from time to time instead of queueing. */
const PAUSE_MS = 2;

async function oneBatch(
  context: StoreContext,
  expired: ExpiredRows,
  size: number,
): Promise<{ readonly rows: number; readonly ms: number }> {
  let ms = 0;
  const rows = await context.database.run("cleanup", async (connection: SqlConnection) => {
    const start = performance.now();
    const deleted = await deleteBatch(connection, expired, size);
    ms = performance.now() - start;
    return deleted;
  });
  return { rows, ms };
}

/** Towards the target by at most double or half: one slow disk write says little about the next batch. */
function nextSize(size: number, ms: number): number {
  const factor = Math.min(2, Math.max(0.5, TARGET_BATCH_MS / Math.max(ms, 0.1)));
  return Math.min(MOST_BATCH_ROWS, Math.max(100, Math.round(size * factor)));
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
