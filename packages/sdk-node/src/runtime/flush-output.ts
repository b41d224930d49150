import type { Writable } from "node:stream";

/** How often progress is looked at. */
const POLL_MS = 50;

/**
 * Waits until log records, stdout and stderr are with the operating system.
 *
 * A reader that stalls must not keep the process for ever: after `stallMs` without any progress
 * it gives up. As long as something moves there is no limit.
 *
 * @param logs.settled - grows while log lines are written
 * @returns false when it gave up
 */
export async function flushOutput(
  logs: { flush(): Promise<void>; readonly settled: number },
  streams: readonly Writable[],
  stallMs: number,
): Promise<boolean> {
  let isDone = false;
  const done = Promise.all([logs.flush(), ...streams.map(flushStream)]).then(() => {
    isDone = true;
  });
  const moved = (): string =>
    [logs.settled, ...streams.map((stream) => stream.writableLength)].join();
  let last = moved();
  for (let waitedMs = 0; waitedMs < stallMs; waitedMs += POLL_MS) {
    const isLate = await Promise.race([done.then(() => false), after(POLL_MS)]);
    if (isDone || !isLate) return true;
    const now = moved();
    if (now !== last) waitedMs = 0;
    last = now;
  }
  return isDone;
}

function flushStream(stream: Writable): Promise<void> {
  if (!stream.writable) return Promise.resolve();
  const { write } = Object.getPrototypeOf(stream) as Writable; // user code may have replaced its own
  return new Promise((resolve) => {
    write.call(stream, "", "utf8", () => resolve());
  });
}

function after(ms: number): Promise<true> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, true).unref();
  });
}
