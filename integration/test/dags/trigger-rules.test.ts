import { readSerializedDag } from "@parlance/coordinator/dag-run";
import { isLongRun, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../airflow/support/random.ts";
import { askPlayedRuns } from "./support/ask-played-runs.ts";
import { playHere } from "./support/play-here.ts";
import { randomPlan } from "./support/random-plan.ts";

// Whole runs by our rules and by the real scheduler's own code: after each step every instance stands alike, and
// the run ends alike. Each test run plays other Dags.

const DAGS = isLongRun() ? 2_000 : 60;
const LABEL = "runs go as under the real scheduler";

const python = requirePeer(test, LABEL, "airflow-3.3.2");
if (python !== undefined) {
  const { seed } = new Random();
  test(`${LABEL} (seed ${seed})`, async () => {
    const random = new Random(seed);
    const plans = Array.from({ length: DAGS }, () => randomPlan(random));
    const ends = new Set<string>();
    let at = 0;
    for await (const there of askPlayedRuns(python, plans)) {
      const plan = plans[at++];
      const told = `seed ${seed}, Dag ${at}: ${JSON.stringify(plan)}`;
      if (plan === undefined || "error" in there) {
        throw new Error(`${told}\n${"at" in there ? there.at : "there is no plan"}`);
      }
      const here = playHere(readSerializedDag(there.document), plan);
      for (const [step, states] of there.steps.entries()) {
        assert.equal(here.steps[step], states, `step ${step} of ${told}`);
      }
      assert.equal([here.steps.length, here.end], [there.steps.length, there.end], told);
      ends.add(here.end);
    }
    assert.is(ends.size, 2, "some runs succeed, some fail");
  });
}

test.run();
