import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { SerializedDag } from "@parlance/coordinator/dag-run";
import type { PlayedRun, RunPlan } from "./run-plan.ts";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/airflow/play_dags.py", import.meta.url),
);

/** What the real scheduler makes of a plan, and the Dag as Airflow serialises it. */
export interface PlayedThere extends PlayedRun {
  readonly document: SerializedDag;
}

/** A plan that Airflow does not take. */
export interface RefusedThere {
  readonly error: string;
  readonly at: string;
}

/** Plays plans through with the real scheduler's code, in one process. @param python - of a peer */
export async function* askPlayedRuns(
  python: string,
  plans: readonly RunPlan[],
): AsyncGenerator<PlayedThere | RefusedThere> {
  const child = spawn(python, [SCRIPT], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  child.stdin.on("error", () => {}); // told by the missing answers
  child.stdin.end(plans.map((plan) => `${JSON.stringify(plan)}\n`).join(""));
  let answers = 0;
  try {
    for await (const line of createInterface(child.stdout)) {
      answers += 1;
      yield JSON.parse(line) as PlayedThere | RefusedThere;
    }
  } finally {
    child.kill(); // whoever asks has found a difference, and wants no more
  }
  if (answers < plans.length) throw new Error(`play_dags.py ended early: ${said}`);
}
