import { readFileSync } from "node:fs";
import { load, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { serializedDagProblems } from "../../../packages/sdk-node/dist/dag/serialize/check-serialized-dag.js";
import { serializeDag } from "../../../packages/sdk-node/dist/dag/serialize/serialize-dag.js";
import { Random } from "../airflow/support/random.ts";
import { askNativeDags, type NativeDagAnswer } from "./support/native-dags-peer.ts";
import { randomDag } from "./support/random-dag.ts";
import { spoil } from "./support/spoil.ts";

// A Dag of TypeScript and the same Dag written in Python, both loaded by the real Airflow 3.4, are the same
// Dag; and what our own check refuses is what that Airflow refuses. Each run has other Dags.

const CASES = new URL(
  "../../../packages/sdk-node/test/data/native-dag-cases.json",
  import.meta.url,
);
const FILE = { fileloc: "/dags/pipeline.min.mjs", relativeFileloc: "pipeline.min.mjs" };
const DAGS = load(4_000);

const LABEL = "Airflow 3.4.0b2";
const python = requirePeer(test, LABEL, "airflow-3.4.0b2");
if (python !== undefined) {
  const random = new Random();
  const good = Array.from({ length: DAGS }, () => {
    const model = randomDag(random);
    return { model, document: serializeDag(model, FILE) };
  });
  const spoiled = Array.from({ length: DAGS }, () => {
    return { document: spoil(serializeDag(randomDag(random, 4), FILE), random) };
  });
  const recorded = JSON.parse(readFileSync(CASES, "utf8")) as readonly Case[];
  const cases = recorded.map(({ input }) => ({ document: input }));
  let asked: Promise<readonly NativeDagAnswer[]> | undefined;
  const answers = (from: number, count: number) => {
    asked ??= askNativeDags(python, [...good, ...spoiled, ...cases]); // it starts for seconds
    return asked.then((all) => all.slice(from, from + count));
  };

  test(`${LABEL} loads a Dag as it does the same one written in Python`, async () => {
    for (const [index, answer] of (await answers(0, DAGS)).entries()) {
      const what = () => `seed ${random.seed}, ${index}: ${JSON.stringify(good[index]?.model)}`;
      assert.equal(answer, { accepted: true, differences: [] }, what());
      assert.equal(serializedDagProblems(good[index]?.document), [], what());
    }
  });

  test(`${LABEL} refuses what our own check refuses`, async () => {
    let refused = 0;
    const others: string[] = [];
    for (const [index, { accepted, message }] of (await answers(DAGS, DAGS)).entries()) {
      const { document } = spoiled[index] as { document: unknown };
      const problems = serializedDagProblems(document);
      if (!accepted) refused += 1;
      if ((problems.length === 0) === accepted) continue;
      others.push(`seed ${random.seed}, ${index}: ${problems} / ${message}: ${text(document)}`);
    }
    // A fault that no program makes may be one in ten thousand; these are some hundreds.
    assert.ok(others.length <= DAGS / 100, others.join("\n"));
    assert.ok(refused > DAGS / 5, `only ${refused} of ${DAGS} were refused`);
    assert.ok(refused < DAGS, "every one was refused");
  });

  test(`${LABEL} says of the recorded Dags what was recorded`, async () => {
    for (const [index, answer] of (await answers(2 * DAGS, recorded.length)).entries()) {
      const { case: name, input: _, ...expected } = recorded[index] as Case;
      assert.equal(whole(answer), whole(expected), name);
    }
  });
}

interface Case extends NativeDagAnswer {
  readonly case: string;
  readonly input: unknown;
}

/** JSON from here has no `1.0`. */
function whole({ message, ...rest }: NativeDagAnswer): object {
  return { ...rest, message: message?.replace(/(\d)\.0\b/g, "$1") };
}

function text(document: unknown): string {
  return JSON.stringify(document);
}

test.run();
