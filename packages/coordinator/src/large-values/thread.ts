// The thread that does one job; see run-in-thread.ts.
import { parentPort, workerData } from "node:worker_threads";
import { readRequest } from "./read-request.ts";
import type { Job } from "./run-in-thread.ts";
import { writeAnswer } from "./write-answer.ts";

const job = workerData as Job;
if (job.kind === "read") {
  const payload = Buffer.concat(job.pieces.splice(0)); // the pieces are not needed besides
  const read = readRequest(payload, job.schemaVersion);
  parentPort?.postMessage(read, read.kind === "other" ? [payload.buffer as ArrayBuffer] : []);
} else {
  const frame = writeAnswer(job.answer);
  parentPort?.postMessage(frame, [frame.buffer as ArrayBuffer]);
}
