// The thread that does one job; see run-in-thread.ts. It loads only what that job needs.
import { parentPort, workerData } from "node:worker_threads";
import type { Job } from "./run-in-thread.ts";

const job = workerData as Job;
if (job.kind === "read") {
  const { readRequest } = await import("./read-request.ts");
  const payload = Buffer.concat(job.pieces.splice(0)); // the pieces are not needed besides
  const read = readRequest(payload, job.schemaVersion);
  parentPort?.postMessage(read, read.kind === "other" ? [payload.buffer as ArrayBuffer] : []);
} else {
  const { writeAnswer } = await import("./write-answer.ts");
  const frame = writeAnswer(job.answer);
  parentPort?.postMessage(frame, [frame.buffer as ArrayBuffer]);
}
