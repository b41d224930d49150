// The thread that runs one statement with a large value; see sqlite-in-thread.ts.
import { parentPort, workerData } from "node:worker_threads";
import { textOfBytes, toSharedBytes } from "../large-values/exact-json-bytes.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import type { StatementJob, StatementOutcome } from "./sqlite-in-thread.ts";
import { StoreError } from "./task-store.ts";

const job = workerData as StatementJob;
parentPort?.postMessage(await run());

async function run(): Promise<StatementOutcome> {
  try {
    const database = await SqliteDatabase.open(job.file, job.busyTimeoutMs);
    try {
      await database.pragma("synchronous = NORMAL");
      const values = job.values.map((value) =>
        value instanceof Uint8Array ? textOfBytes(value) : value,
      );
      if (job.column === undefined) {
        await database.run(job.sql, values);
        return {};
      }
      const text = (await database.first(job.sql, values))?.[job.column];
      return typeof text === "string" ? { text: toSharedBytes(text) } : {};
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
