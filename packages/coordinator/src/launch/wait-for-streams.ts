import type { Readable } from "node:stream";
import { startTimeLimit } from "../time-limit.ts";
import { OutputBuffer } from "./output-buffer.ts";

/** @see waitForStreams */
export interface WaitForStreamsOptions {
  /** How long to wait, in milliseconds, counted from the call; Infinity waits for ever. */
  readonly timeoutMs: number;
  /** Ends the waiting early; the streams are cut as by the time limit. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits, after a task's process has ended, until its streams have been read to their end, at most
 * for the time given; those that are still open then (a background process holds them) are cut.
 * Somebody must be reading them.
 *
 * @returns the streams that were cut. Of an {@link OutputBuffer} the reader still gets `end`; a
 *   socket is destroyed, its reader gets `close` only
 */
export async function waitForStreams(
  streams: readonly Readable[],
  options: WaitForStreamsOptions,
): Promise<Readable[]> {
  const open = new Set(streams.filter((stream) => !hasEnded(stream)));
  if (open.size === 0) return [];
  const stopWatching: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const cut = (): void => resolve();
    stopWatching.push(startTimeLimit(options.timeoutMs, cut));
    options.signal?.addEventListener("abort", cut, { once: true });
    stopWatching.push(() => options.signal?.removeEventListener("abort", cut));
    if (options.signal?.aborted === true) resolve();
    for (const stream of open) {
      const done = (): void => {
        open.delete(stream);
        if (open.size === 0) resolve();
      };
      stream.once("end", done).once("close", done);
      stopWatching.push(() => stream.off("end", done).off("close", done));
    }
  });
  for (const stop of stopWatching) stop();
  for (const stream of open) {
    if (stream instanceof OutputBuffer) stream.finish();
    else stream.destroy();
  }
  return [...open];
}

function hasEnded(stream: Readable): boolean {
  return stream.readableEnded || stream.destroyed;
}
