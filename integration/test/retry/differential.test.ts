import { answerVector, parseRetryVector } from "@parlance/retry";
import { askGenuineRetry, compareRetryAnswer, load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { randomVectors } from "./support/random-vectors.ts";

const LABEL = "random vectors are answered as Airflow 3.3.2 answers them";
const COUNT = load(100_000);
const PROCESSES = 2; // of Python, which takes 2 to 4 ms a vector
const SHARE = COUNT / PROCESSES;
const MAX_TOLD = 5;
// To repeat a run that failed.
const SEED = Number(process.env["PARLANCE_RETRY_SEED"] ?? Math.floor(Math.random() * 1e9));

const python = requirePeer(test, LABEL, "airflow-3.3.2");
if (python !== undefined) {
  test(`${LABEL} (${COUNT}, PARLANCE_RETRY_SEED=${SEED})`, async () => {
    const shares = Array.from({ length: PROCESSES }, (_, at) => compareShare(python, SEED + at));
    const results = await Promise.all(shares);
    const faults = results.flatMap((result) => result.faults);
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    const count = SHARE * PROCESSES;
    const told = faults.slice(0, MAX_TOLD).join("\n");
    assert.is(faults.length, 0, `${faults.length} differ, PARLANCE_RETRY_SEED=${SEED}\n${told}`);
    assert.is(
      results.reduce((sum, result) => sum + result.compared, 0),
      count,
    );
    // Neither kind of answer may vanish from the draw.
    assert.ok(errors > count / 200 && errors < count / 2, `${errors} of ${count} are errors`);
  });
}

interface ShareResult {
  readonly compared: number;
  readonly errors: number;
  readonly faults: readonly string[];
}

async function compareShare(interpreter: string, seed: number): Promise<ShareResult> {
  const ours = randomVectors(seed, SHARE);
  const faults: string[] = [];
  let compared = 0;
  let errors = 0;
  for await (const genuine of askGenuineRetry(interpreter, randomVectors(seed, SHARE))) {
    const line = ours.next().value as string;
    const answer = answerVector(parseRetryVector(line));
    if ("error" in answer) errors += 1;
    const differences = compareRetryAnswer(answer, genuine);
    if (differences.length > 0) faults.push([line, ...differences].join("\n  "));
    compared += 1;
  }
  return { compared, errors, faults };
}

test.run();
