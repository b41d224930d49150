import { readFileSync } from "node:fs";
import { load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { serializedDagProblems } from "../../../packages/sdk-node/dist/dag/serialize/check-serialized-dag.js";
import { serializeDag } from "../../../packages/sdk-node/dist/dag/serialize/serialize-dag.js";
import { Random } from "../airflow/support/random.ts";
import { askNativeDags, remakeNativeDagCases } from "./support/native-dags-peer.ts";
import { randomDag } from "./support/random-dag.ts";
import { spoil } from "./support/spoil.ts";

// A Dag of TypeScript and the same Dag written in Python, both loaded by the real Airflow 3.4, are the same
// Dag; and what our own check refuses is what that Airflow refuses. Each run has other Dags.

const CASES = new URL(
  "../../../packages/sdk-node/test/data/native-dag-cases.json",
  import.meta.url,
);
const FILE = { fileloc: "/dags/pipeline.min.mjs", relativeFileloc: "pipeline.min.mjs" };
const DAGS = load(6_000);

const LABEL = "Airflow 3.4.0b2";
const python = requirePeer(test, LABEL, "airflow-3.4.0b2");
if (python !== undefined) {
  test(`${LABEL} loads a Dag as it does the same one written in Python`, async () => {
    const seed = new Random();
    const questions = Array.from({ length: DAGS }, () => {
      const model = randomDag(new Random(seed.below(2 ** 32)));
      const document = serializeDag(model, FILE);
      return { model, document };
    });
    const answers = await askNativeDags(python, questions);
    for (const [index, answer] of answers.entries()) {
      const what = () => `seed ${seed.seed}, ${index}: ${JSON.stringify(questions[index]?.model)}`;
      assert.equal(answer, { accepted: true, differences: [] }, what());
      assert.equal(serializedDagProblems(questions[index]?.document), [], what());
    }
  });

  test(`${LABEL} refuses what our own check refuses`, async () => {
    const random = new Random();
    const questions = Array.from({ length: DAGS }, () => {
      return { document: spoil(serializeDag(randomDag(random, 4), FILE), random) };
    });
    const answers = await askNativeDags(python, questions);
    let refused = 0;
    for (const [index, { accepted, message }] of answers.entries()) {
      const problems = serializedDagProblems(questions[index]?.document);
      if (!accepted) refused += 1;
      const text = () => JSON.stringify(questions[index]?.document);
      assert.is(problems.length === 0, accepted, `${problems} / ${message}: ${text()}`);
    }
    assert.ok(refused > DAGS / 5, `only ${refused} of ${DAGS} were refused`);
  });

  test(`${LABEL} says of the recorded Dags what was recorded`, async () => {
    const recorded: unknown = JSON.parse(readFileSync(CASES, "utf8"));
    assert.equal(JSON.parse(await remakeNativeDagCases(python)), recorded);
  });
}

test.run();
