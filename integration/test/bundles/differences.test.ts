import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DIFFERENCES } from "./support/differences.ts";
import { readOurs } from "./support/our-readers.ts";
import { RealReaders } from "./support/real-readers.ts";

// Each difference that stands in support/differences.ts is one still: what Airflow mends is to go from there.

for (const [version, airflow] of [
  ["3.3.2", "3.3"],
  ["3.4.0b2", "3.4"],
] as const) {
  const label = `the differences on purpose from the readers of Airflow ${version}`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;
  test(`${label} are there still`, async () => {
    const real = new RealReaders(python);
    const folder = temporaryFolder("parlance-differences");
    try {
      for (const { name, reader, examples, shows } of DIFFERENCES) {
        if (reader === "node" && airflow === "3.3") continue;
        for (const [at, bytes] of examples.entries()) {
          const file = { path: join(folder, `${at} ${name}.min.mjs`), dagId: "d1" };
          writeFileSync(file.path, bytes, { mode: 0o755 });
          const [theirs] = await real.read(reader, [file]);
          const ours = await readOurs(reader, file, airflow);
          assert.ok(
            theirs !== undefined && shows(theirs, ours),
            `${name}: ${JSON.stringify({ theirs, ours })}`.slice(0, 3000),
          );
        }
      }
    } finally {
      real.end();
    }
  });
}

test.run();
