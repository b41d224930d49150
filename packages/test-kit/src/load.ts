/** Whether this is `npm run test:long`. */
export function isLongRun(): boolean {
  return process.env["PARLANCE_LONG"] === "1";
}

/**
 * How much of a load a test shall make: all of it in `npm run test:long` (which sets
 * `PARLANCE_LONG=1`), else a twentieth, rounded up.
 */
export function load(full: number): number {
  return isLongRun() ? full : Math.ceil(full / 20);
}
