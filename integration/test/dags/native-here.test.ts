import { execFile } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PARLANCE } from "../airflow/support/pack.ts";
import { EXAMPLE, fixture } from "./support/pack-native.ts";

// The Dags that native-stack.test.ts runs on a whole Airflow 3.4 end here in the same states, after the same tries.

test("the example, by parlance run", async () => {
  const { code, states, run } = await runHere(EXAMPLE, "orders_pipeline", '--param=region="apac"');
  assert.equal([code, run.state], [0, "success"]);
  assert.equal(states, [
    "checks.amounts success 1",
    "checks.ids success 1",
    "choose success 1",
    "customers success 1",
    "extract success 2",
    "finish success 1",
    "invoice[0] success 1",
    "invoice[1] success 1",
    "is_large success 1",
    "nothing_to_do skipped 0",
    "publish success 1",
    "tell_sales skipped 0",
  ]);
});

test("a Dag of rules, skips, empty lists and mapping over what is mapped, by parlance run", async () => {
  const { code, states, run } = await runHere(fixture("native.ts"), "native_rules");
  assert.equal([code, run.state], [1, "failed"]);
  assert.equal(states, [
    ...["again[0]", "again[1]"].map((task) => `${task} success 1`),
    "behind_all success 1",
    "behind_failure success 1",
    "behind_gate skipped 0",
    "behind_none skipped 0",
    "behind_skips skipped 0",
    "beyond_gate success 1",
    ...["doubled[0]", "doubled[1]"].map((task) => `${task} success 1`),
    "fails failed 1",
    "gate success 1",
    "none success 1",
    "numbers success 1",
    "over_none skipped 0",
    "skips skipped 1",
    "sum success 1",
    "upstream_failed upstream_failed 0",
  ]);
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
