import { execFile } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PARLANCE } from "../airflow/support/pack.ts";
import { EXAMPLE_STATES, RULES_STATES } from "./support/native-states.ts";
import { EXAMPLE, fixture } from "./support/pack-native.ts";

// The Dags that native-stack.test.ts runs on a whole Airflow 3.4 end here in the same states, after the same tries.

test("the example, by parlance run", async () => {
  const { code, states, run } = await runHere(EXAMPLE, "orders_pipeline", '--param=region="apac"');
  assert.equal([code, run.state], [0, "success"]);
  assert.equal(states, EXAMPLE_STATES);
});

test("a Dag of rules, skips, empty lists and mapping over what is mapped, by parlance run", async () => {
  const { code, states, run } = await runHere(fixture("native.ts"), "native_rules");
  assert.equal([code, run.state], [1, "failed"]);
  assert.equal(states, RULES_STATES);
});

interface Here {
  readonly code: number;
  readonly states: readonly string[];
  readonly run: { readonly state: string };
}

interface Entry {
  readonly taskId: string;
  readonly mapIndex: number;
  readonly finalState: string;
  readonly tryNumber: number;
}

async function runHere(entry: string, dagId: string, ...flags: readonly string[]): Promise<Here> {
  const args = [PARLANCE, "run", entry, "--dag", dagId, "--time-scale", "0", "--json", ...flags];
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile(process.execPath, args, (error, out) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout: out });
    });
  });
  const { tasks, run } = JSON.parse(stdout) as { tasks: Entry[]; run: Here["run"] };
  const states = tasks.map(({ taskId, mapIndex, finalState, tryNumber }) => {
    return `${taskId}${mapIndex < 0 ? "" : `[${mapIndex}]`} ${finalState} ${tryNumber}`;
  });
  return { code, states: states.sort(), run };
}

test.run();
