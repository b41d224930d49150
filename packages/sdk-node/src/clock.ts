/**
 * Milliseconds since some moment in the past, never set back. `performance.now()` says the same, but
 * its first call makes Node load a module of its own, which a task's start would pay for.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}
