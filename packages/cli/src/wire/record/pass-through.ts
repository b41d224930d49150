import type { Readable, Writable } from "node:stream";

/**
 * How long an end of the task's stream waits for the task's own end before it is passed on, in
 * milliseconds. A supervisor that sees all connections end a moment before the process does takes
 * longer to notice that one (stock Airflow: up to 5 s).
 */
export const END_DELAY_MS = 50;

/** @see passThrough */
export interface PassThroughOptions {
  /** Sees each piece after it was passed on; must not change it. */
  readonly onData: (chunk: Uint8Array) => void;
  readonly onEnd: () => void;
  /** Whatever else has to be waited for before the next piece is read; undefined for nothing. */
  readonly room: () => Promise<void> | undefined;
  /** Ends `to` when `from` has ended, so long afterwards; undefined leaves it open. */
  readonly endAfterMs?: number;
}

/**
 * Passes bytes on as they come, unchanged. A writer is as slow as its reader. The other direction of
 * a socket is not touched: each half is closed on its own.
 *
 * @returns settles when `from` has ended and all of it has been handed to the system, or `to` is gone
 */
export function passThrough(
  from: Readable,
  to: Writable,
  options: PassThroughOptions,
): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    let isGone = false; // a process's own stdout is never destroyed
    let timer: NodeJS.Timeout | undefined;
    const done = (): void => {
      if (isOver) return;
      isOver = true;
      options.onEnd();
      if (isGone) resolve();
      else to.write("", () => resolve()); // done when all before it is, or has failed
      if (options.endAfterMs !== undefined) {
        timer = setTimeout(() => to.end(), options.endAfterMs);
        timer.unref();
      }
    };
    const waitForRoom = (isDrained: boolean): void => {
      const waits: Promise<void>[] = [];
      const room = options.room();
      if (room !== undefined) waits.push(room);
      if (!isDrained) waits.push(drained(to));
      if (waits.length === 0) return;
      from.pause();
      void Promise.all(waits).then(() => from.resume());
    };
    from.on("data", (chunk: Uint8Array) => {
      const isDrained = isGone || to.write(chunk);
      options.onData(chunk);
      waitForRoom(isDrained);
    });
    from.on("end", done);
    from.on("close", done);
    const gone = (): void => {
      isGone = true;
      clearTimeout(timer);
      resolve();
    };
    to.on("close", gone);
    to.on("error", gone);
  });
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.on("drain", done).on("close", done).on("error", done);
  });
}
