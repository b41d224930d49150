import { existsSync } from "node:fs";

/** All rows, in the order they are measured and printed. */
const NAMES = [
  "frame-split",
  "frame-encode-small",
  "frame-decode-startup",
  "round-trip-one",
  "round-trip-64",
  "launch-task",
  "first-request",
  "launch-overhead",
  "exit-to-verdict",
  "launch-50",
  "dag-1000",
  "ownership",
  "sha256-file",
  "find-cold",
  "find-warm",
  "log-lines",
  "log-long-line",
  "memory-100",
  "memory-task",
  "retry-delay",
  "results-get",
  "results-put",
  "results-cleanup",
];

/**
 * The definitions of all rows whose package exists.
 *
 * @returns {Promise<readonly Row[]>}
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {string} what what is measured
 * @property {string} against what it is held against
 * @property {number} must the ratio of ours to that; `better` says on which side of it is good
 * @property {number} aim the ratio we would like
 * @property {"lower" | "higher"} better
 * @property {string} unit of `ours` and `limit`
 * @property {readonly string[]} [peers] what `scripts/peers.mjs` has to install for it
 * @property {string} [peer] what it has to install for the figure beside; the row is measured also without
 * @property {(context: { peers: Record<string, string>, note: (line: string) => void }) =>
 *   Promise<{ ours: number, limit: number, peer?: number, runs: number, holds?: boolean }>} measure
 *   gives medians of `runs` rounds; `holds: false` says that a further condition of the row is not met
 */
export async function loadRows() {
  const files = NAMES.map((name) => new URL(`${name}.mjs`, import.meta.url)).filter(existsSync);
  return Promise.all(files.map(async (file) => (await import(file)).row));
}
