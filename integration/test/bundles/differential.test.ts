import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLongRun, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../airflow/support/random.ts";
import { randomFile } from "./generate/random-file.ts";
import { differencesOf } from "./support/compare-readings.ts";
import { DIFFERENCES } from "./support/differences.ts";
import { readOurs } from "./support/our-readers.ts";
import { type AskedFile, type Reading, RealReaders } from "./support/real-readers.ts";

// Generated and damaged bundles of both formats: our verdict, offsets, Dag ids, schema version and
// the whole typed metadata are those of the real readers, and so is what a search finds. The files are new
// ones in `test:long`, else the same each time. A failure names the seed: PARLANCE_SEED=N makes them again.

const SEED = Number(process.env["PARLANCE_SEED"] ?? (isLongRun() ? Date.now() % 2 ** 31 : 81_000));
const COUNT = isLongRun() ? 50_000 : 5_250;
const BATCH = 250;

const READERS = [
  ["3.3.2", "3.3", "executable"],
  ["3.4.0b2", "3.4", "executable"],
  ["3.4.0b2", "3.4", "node"],
] as const;

interface Written extends AskedFile {
  readonly kind: string;
}

/** The files of a batch depend on its number and the seed only. */
function writeBatch(folder: string, batch: number): readonly Written[] {
  const random = new Random(SEED + batch);
  return Array.from({ length: BATCH }, (_, at) => {
    const { kind, bytes, dagId } = randomFile(random);
    const path = join(folder, `${batch}-${at}.min.mjs`);
    writeFileSync(path, bytes, { mode: 0o755 });
    return { path, kind, dagId };
  });
}

const pythons = new Map(
  [...new Set(READERS.map(([version]) => version))].map((version) => [
    version,
    requirePeer(test, `our readers and those of Airflow ${version}`, `airflow-${version}`),
  ]),
);

for (const [version, airflow, reader] of READERS) {
  const python = pythons.get(version);
  if (python === undefined) continue;
  test(`${COUNT} files are to our reader what they are to the ${reader} reader of Airflow ${version} (seed ${SEED})`, async () => {
    const real = new RealReaders(python);
    const verdicts = new Map<string, number>();
    const count = (name: string): void => void verdicts.set(name, (verdicts.get(name) ?? 0) + 1);
    try {
      for (let batch = 0; batch * BATCH < COUNT; batch++) {
        const files = writeBatch(temporaryFolder("parlance-differential"), batch);
        const answers = real.read(reader, files);
        const ours = [];
        for (const file of files) ours.push(await readOurs(reader, file, airflow));
        for (const [at, theirs] of (await answers).entries()) {
          count(theirs.verdict);
          const file = files[at] as Written;
          const explained = hold(file, theirs, ours[at] as Reading);
          if (explained !== undefined) count(`explained: ${explained}`);
        }
      }
    } finally {
      real.end();
    }
    console.log(`# ${reader} ${version}: ${JSON.stringify(Object.fromEntries(verdicts))}`);
    assert.ok((verdicts.get("ok") ?? 0) > COUNT / 50, "too few were good to tell anything");
  });
}

/** Fails for a difference that is not on purpose; gives the name of one that is. */
function hold({ path, kind }: Written, theirs: Reading, ours: Reading): string | undefined {
  const differing = differencesOf(theirs, ours);
  if (differing.length === 0) return undefined;
  const known = DIFFERENCES.find(({ explains }) => explains?.(theirs, ours));
  if (known !== undefined) return known.name;
  const shown = JSON.stringify({ kind, differing, theirs, ours }, null, 1);
  throw new Error(`seed ${SEED}, ${path}: ${shown}`);
}

test.run();
