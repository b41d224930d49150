import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BundleParts, SCRIPT, writeBundle, writeNodeBundle } from "./make-bundles.ts";

const FOLDERS = ["", "a/", "a/b/", ".hidden/", "z/", "\u{1f600}/", "\uff5e/"];
const NAMES = ["one", "two", ".three", "four.bak", "it's", "five\nsix", "\u{1f600}x", "\uff5ex"];
const DAGS = [["d1"], ["d2"], ["d1", "d2"], ["d3"], ["d3", "d1"]];
/** Half of them are good. */
const FAULTS: readonly BundleParts[] = [
  ...Array.from({ length: 8 }, () => ({})),
  { mode: 0o644 },
  { digestOf: "another" },
  { schemaVersion: "2026-06-16" },
  { schemaVersion: '"2026-10-30"' },
  { schemaVersion: '"2031-01-01"' },
  { executable: `${SCRIPT}# longer\n` },
  { change: (bytes) => bytes.subarray(1) },
  { change: (bytes) => Buffer.concat([bytes, Buffer.from([0])]) },
  { metadata: "- a\n" },
];

/** Fills a root with good and bad bundles, links and folders, as a seed says. */
export function layRandomRoot(root: string, seed: number): void {
  const pick = picker(seed);
  const taken = new Set<string>();
  for (let count = 3 + pick(12); count > 0; count--) {
    const isNode = pick(3) === 0;
    const name = `${FOLDERS[pick(FOLDERS.length)]}${NAMES[pick(NAMES.length)]}${isNode ? ".min.mjs" : ""}`;
    if (taken.has(name)) continue;
    taken.add(name);
    const dags = DAGS[pick(DAGS.length)] as readonly string[];
    const changedAt = 1_000 + pick(5);
    const fault = FAULTS[pick(FAULTS.length)] as BundleParts;
    if (isNode) {
      const { change } = fault;
      writeNodeBundle(root, name, { dags, changedAt, ...(change === undefined ? {} : { change }) });
    } else writeBundle(root, name, { dags, changedAt, ...fault });
    if (pick(4) === 0) link(root, `link-${count}`, name);
  }
  if (pick(3) === 0) link(root, "a/up", "..");
  if (pick(3) === 0) link(root, "nothing", "missing");
}

function link(root: string, name: string, target: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  symlinkSync(target, join(root, name));
}

/** The same numbers for the same seed. */
function picker(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}
