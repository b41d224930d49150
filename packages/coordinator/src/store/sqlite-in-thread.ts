import { Worker } from "node:worker_threads";
import type { SqlValue } from "./sqlite-database.ts";
import { StoreError, type StoreErrorCode } from "./task-store.ts";

/** A statement for a thread, and the file it is about. */
export interface StatementJob {
  readonly file: string;
  readonly busyTimeoutMs: number;
  readonly sql: string;
  /** Bytes are bound as the text they are in UTF-8; they should be shared memory. */
  readonly values: readonly (SqlValue | Uint8Array)[];
  /** For a query: the column, of texts, of the first row that is wanted. */
  readonly column?: string;
}

/** What the thread has to say. */
export interface StatementOutcome {
  /** Of the column, in shared memory; absent where there is no row. */
  readonly text?: Uint8Array;
  readonly error?: { readonly code: StoreErrorCode; readonly message: string };
}

/**
 * Runs one statement with a connection of its own beside the event loop: SQLite needs a second or two
 * to write 256 MB. Other writers of this process wait for it as they do for other processes.
 *
 * @throws StoreError as the statement itself would
 */
export async function runInThread(job: StatementJob): Promise<Uint8Array | undefined> {
  const { text, error } = await new Promise<StatementOutcome>((resolve, reject) => {
    const thread = new Worker(new URL("./sqlite-thread.js", import.meta.url), {
      workerData: job,
      execArgv: [],
    });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the thread ended with ${code}`)));
  }).catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError("store-failed", `the store ${job.file}: ${said}`, {
      path: job.file,
      cause,
    });
  });
  if (error !== undefined) throw new StoreError(error.code, error.message, { path: job.file });
  return text;
}
