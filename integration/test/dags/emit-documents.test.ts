import { isLongRun, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { emitDag } from "../../../packages/cli/dist/dag/emit-dag.js";
import { Random } from "../airflow/support/random.ts";
import { differencesOf, factsOf } from "./support/dag-facts.ts";
import { randomDocument } from "./support/random-document.ts";
import { type SerialisedFile, serialiseFiles } from "./support/serialise-files.ts";

// Any Dag, written as Python by `parlance dag emit` and loaded by the real Airflow, is the Dag that it was. Each
// run has other Dags.

const DAGS = isLongRun() ? 5_000 : 120;
const QUEUE = "typescript";

/** Airflow refuses these itself, wherever they come from. */
const REFUSED = /trigger rule 'always'|allowed_run_types must include/;

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `the Dags that dag emit writes for Airflow ${version}`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;
  // On 3.4 the file is only a way to move on: a few are enough.
  const count = version === "3.3.2" ? DAGS : DAGS / 10;
  test(`${label} say what ${count} random documents say`, async () => {
    const seed = new Random();
    const made = Array.from({ length: count }, () => {
      const document = randomDocument(new Random(seed.below(2 ** 32)));
      return { document, emitted: emitDag(document, { queue: QUEUE }) };
    });
    const faults = made.flatMap(({ emitted }) => emitted.faults.map(({ message }) => message));
    assert.equal(
      faults.filter((message) => !isTooMuch(message)),
      [],
    );
    const usable = made.filter(({ emitted }) => emitted.faults.length === 0);
    assert.ok(usable.length > count / 2, `${usable.length} of ${count}`);
    const files = await serialiseFiles(
      python,
      usable.map(({ emitted }) => emitted.python),
    );
    for (const [at, { document, emitted }] of usable.entries()) {
      const file = files[at] as SerialisedFile;
      if (file.error !== undefined && REFUSED.test(file.error)) continue;
      const what = `seed ${seed.seed}, ${at}: ${file.error}\n${emitted.python}`;
      assert.is(file.error, undefined, what);
      const [[, loaded] = []] = Object.entries(file.dags ?? {});
      const differences = differencesOf(
        factsOf(document.dag, QUEUE),
        factsOf(loaded?.dag ?? {}, "default"),
      );
      assert.equal(differences, [], what);
      assert.not.match(emitted.python, /retry_exponential_backoff=(?:True|False|-?\d+,)/);
    }
  });
}

/** What the random documents have on purpose and stubs have not. */
function isTooMuch(message: string): boolean {
  return /does not come before it|takes as the name of an argument/.test(message);
}

test.run();
