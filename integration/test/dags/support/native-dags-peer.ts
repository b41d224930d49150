import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DagModel } from "../../../../packages/sdk-node/dist/dag/dag-model.js";

const SCRIPT = fileURLToPath(
  new URL("../../../../packages/test-kit/peers/airflow/native_dags.py", import.meta.url),
);

/** A serialised Dag, and the model that it was made from when it shall be compared. */
export interface NativeDagQuestion {
  readonly document: unknown;
  readonly model?: DagModel;
}

/** What Airflow makes of it. */
export interface NativeDagAnswer {
  readonly accepted: boolean;
  readonly error?: string;
  readonly message?: string;
  /** How it differs, loaded, from the same Dag written in Python. */
  readonly differences?: readonly string[];
}

/** Answers of the real Airflow 3.4, in order, from one process that ends with this one. */
export async function askNativeDags(
  python: string,
  questions: readonly NativeDagQuestion[],
): Promise<readonly NativeDagAnswer[]> {
  const child = spawn(python, [SCRIPT, "--stdin"], { stdio: ["pipe", "pipe", "pipe"] });
  const closed = once(child, "close");
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  child.stdin.on("error", () => {}); // it ended first: too few answers tell
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const answers: NativeDagAnswer[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    answers.push(JSON.parse(line) as NativeDagAnswer);
  }
  await closed;
  if (answers.length === questions.length) return answers;
  throw new Error(`${answers.length} of ${questions.length} Dags answered\n${complaints}`);
}
