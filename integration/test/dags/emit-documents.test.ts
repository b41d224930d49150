import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isLongRun, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { emitDag } from "../../../packages/cli/dist/dag/emit-dag.js";
import { PARLANCE } from "../airflow/support/pack.ts";
import { Random } from "../airflow/support/random.ts";
import { differencesOf, factsOf } from "./support/dag-facts.ts";
import { randomDocument } from "./support/random-document.ts";
import { type Json, openSerialiser, type Serialiser } from "./support/serialise-files.ts";

// Any Dag, written as Python by `parlance dag emit` and loaded by the real Airflow, is the Dag that it was. Each
// run has other random Dags.

const DAGS = isLongRun() ? 2_000 : 120;
const QUEUE = "typescript";
/** Airflow refuses this itself, wherever it comes from. */
const REFUSED = /allowed_run_types must include/;
/** Where a file lies, and that a function is within another one: no Dag is another one for that. */
const ALLOWED =
  /^\/(?:fileloc|relative_fileloc|_processor_dags_folder): |\/python_callable_name: "orders\.<locals>\.(\w+)" \/ "\1"$/;

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../test/dags/fixtures/${name}`, import.meta.url));
}

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}:`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;
  let airflow: Serialiser | undefined;
  const loaded = async (source: string, dagId: string): Promise<Json> => {
    airflow ??= openSerialiser(python);
    const { dags, error } = await airflow.serialise(source);
    assert.is(error, undefined, source);
    return dags?.[dagId]?.dag ?? {};
  };
  test.after(() => airflow?.close());

  test(`${label} a Dag with every field, written anew from its serialised form, has the same`, async () => {
    const byHand = await loaded(fixture("every_field.py"), "every_field");
    const { python: again, faults, warnings } = emitDag({ __version: 3, dag: byHand });
    assert.equal([faults, warnings], [[], []]);
    const found = await loaded(again, "every_field");
    assert.equal(
      differencesOf(byHand, found).filter((each) => !ALLOWED.test(each)),
      [],
    );
  });

  // On 3.4 the file is only a way to move on: a few are enough.
  const count = version === "3.3.2" ? DAGS : DAGS / 10;
  test(`${label} ${count} random documents, written as Python, say what they said`, async () => {
    const seed = new Random();
    let usable = 0;
    for (let at = 0; at < count; at++) {
      const document = randomDocument(new Random(seed.below(2 ** 32)));
      const emitted = emitDag(document, { queue: QUEUE });
      const faults = emitted.faults.map(({ message }) => message);
      assert.equal(
        faults.filter((message) => !isTooMuch(message)),
        [],
      );
      if (faults.length > 0) continue;
      usable++;
      airflow ??= openSerialiser(python);
      const file = await airflow.serialise(emitted.python);
      if (file.error !== undefined && REFUSED.test(file.error)) continue;
      const what = `seed ${seed.seed}, ${at}: ${file.error}\n${emitted.python}`;
      assert.is(file.error, undefined, what);
      const [[, found] = []] = Object.entries(file.dags ?? {});
      const differences = differencesOf(
        factsOf(document.dag, QUEUE),
        factsOf(found?.dag ?? {}, "default"),
      );
      assert.equal(differences, [], what);
      assert.not.match(emitted.python, /retry_exponential_backoff=(?:True|False|-?\d+,)/);
    }
    assert.ok(usable > count / 2, `${usable} of ${count}`);
  });

  if (version !== "3.3.2") continue;
  test(`${label} the example, emitted, is the Dag that somebody would write by hand`, async () => {
    const example = fileURLToPath(
      new URL("../../../examples/native-dag/src/main.ts", import.meta.url),
    );
    const words = [PARLANCE, "dag", "emit", example, "--dag", "orders_pipeline"];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const emitted = await loaded(stdout, "orders_pipeline");
    const byHand = await loaded(fixture("orders_by_hand.py"), "orders_pipeline");
    const differences = differencesOf(byHand, emitted).filter((each) => !ALLOWED.test(each));
    assert.equal(differences, []);
    assert.is(typeof emitted["tasks"], "object"); // there is something to compare
  });
}

/** What the random documents have on purpose and stubs have not. */
function isTooMuch(message: string): boolean {
  return /does not come before it|takes as the name of an argument|which it has to wait for/.test(
    message,
  );
}

test.run();
