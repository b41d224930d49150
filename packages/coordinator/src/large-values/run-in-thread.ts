import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { SchemaVersion } from "@parlance/protocol";
import { type ReadRequest, readRequest } from "./read-request.ts";
import { type LargeAnswer, writeAnswer } from "./write-answer.ts";

/**
 * From this length on a message is dealt with in a thread of its own. Below it the event loop stands
 * still for less than about 0.1 s, which is what a thread needs to start.
 */
export const LARGE_BYTES: number = 8 * 1024 * 1024;

/** What a thread gets. */
export type Job =
  | { readonly kind: "read"; readonly pieces: Uint8Array[]; readonly schemaVersion: SchemaVersion }
  | { readonly kind: "write"; readonly answer: LargeAnswer };

const THREAD = new URL("./thread.js", import.meta.url);

/** One job at a time: each takes several times the length of its message in memory. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a large request beside the event loop: a value of 256 MB takes seconds to decode, check and
 * write as JSON, in which no heartbeat would leave and no other task be answered.
 *
 * Where the thread's file is missing (a coordinator that was bundled into one file) it is read here.
 * Rejects when the thread fails: no memory was left for it, say.
 *
 * @param pieces - the payload as it came; given away, not to be used afterwards
 */
export async function readLargeRequest(
  pieces: readonly Uint8Array[],
  schemaVersion: SchemaVersion,
): Promise<ReadRequest> {
  return await next(() => {
    if (!hasThread()) return readRequest(Buffer.concat(pieces), schemaVersion);
    const own = pieces.map(ownPiece);
    const buffers = own.map(({ buffer }) => buffer as ArrayBuffer);
    return run<ReadRequest>({ kind: "read", pieces: own, schemaVersion }, buffers);
  });
}

/** Encodes an answer with a large value, likewise. */
export async function writeLargeAnswer(answer: LargeAnswer): Promise<Uint8Array> {
  return await next(() =>
    hasThread() ? run<Uint8Array>({ kind: "write", answer }, []) : writeAnswer(answer),
  );
}

async function next<T>(work: () => Promise<T> | T): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return await mine;
}

function hasThread(): boolean {
  return existsSync(fileURLToPath(THREAD));
}

function run<T>(job: Job, transferList: ArrayBuffer[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: job, transferList, execArgv: [] });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`its thread ended with ${code}`)));
  });
}

/** Only a buffer of its own can be given away; the first and the last piece mostly share theirs. */
function ownPiece(piece: Uint8Array): Uint8Array {
  return piece.byteLength === piece.buffer.byteLength ? piece : Uint8Array.from(piece);
}
