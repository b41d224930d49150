import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CAPABILITIES, CAPABILITY_TASKS } from "../airflow/support/capabilities-example.ts";
import { PARLANCE, pack } from "../airflow/support/pack.ts";

// examples/capabilities as a user has it: plain `parlance pack`, then `parlance run` of one task at a time on an
// empty store. The same tasks under the real supervisors are in airflow/capabilities.test.ts.

/** What each task ends in alone; success unless said. */
const STATES: Readonly<Record<string, string>> = {
  failed: "failed",
  skipped: "skipped",
  removed: "removed",
  deferred: "deferred",
  up_for_reschedule: "up_for_reschedule",
  awaiting_input: "awaiting_input",
};
/** Those that are tried again when there are retries left. */
const RETRIED: readonly string[] = ["up_for_retry", "retry-policy"];
/** Processes at a time. */
const AT_A_TIME = 2;

interface Ran {
  readonly taskId: string;
  readonly finalState: string;
  readonly exitCode: number | null;
  readonly attempts: number;
  readonly xcoms: Readonly<Record<string, unknown>>;
  readonly retry?: { readonly delaySeconds?: number };
  readonly error?: object;
}

const BUNDLE = join(await pack(`${CAPABILITIES}src/tasks.ts`, "capabilities"), "capabilities");
const CASES: readonly (readonly [taskId: string, ...flags: string[]])[] = [
  ...CAPABILITY_TASKS.map((taskId) => [taskId] as const),
  ...RETRIED.map((taskId) => [taskId, "--should-retry"] as const),
];
const runs = runAll();

for (const [index, [taskId, ...flags]] of CASES.entries()) {
  const isRetried = flags.length > 0;
  const state = isRetried ? "up_for_retry" : (STATES[taskId] ?? "success");
  test(`${taskId} ${flags.join(" ")} is ${state}`, async () => {
    const { code, task, stderr } = (await runs)[index] as Outcome;
    assert.equal([task.finalState, task.exitCode, task.attempts], [state, 0, 1], stderr);
    assert.is(task.error, undefined);
    assert.is(code, ["success", "skipped"].includes(state) ? 0 : 1);
    const value = RESULTS[taskId];
    if (value !== undefined && !isRetried) assert.equal(task.xcoms["return_value"], value);
  });
}

/** Results that the store must have for the task to have done what it is there for. */
const RESULTS: Readonly<Record<string, unknown>> = {
  success: "done",
  up_for_retry: "through after 1 tries",
  "retry-policy": "through after 1 tries",
  "taskflow-binding": { greeting: "hello", earlier: null },
  "xcom-read-write": { rows: [1, 2, 3], whole: { $: "int", v: "9007199254740993" } },
  "variable-read-write": "written",
  "task-state-store": { page: 7 },
  "asset-event-read": [],
};

test("without --task they run one after another, and the retries are used up", async () => {
  const args = ["run", BUNDLE, "--dag", "capabilities", "--json"];
  const { stdout } = await parlance(args);
  const { tasks } = JSON.parse(stdout) as { tasks: Ran[] };
  assert.equal(
    tasks.map(({ taskId, finalState, attempts }) => [taskId, finalState, attempts]),
    CAPABILITY_TASKS.map((taskId) => [
      taskId,
      STATES[taskId] ?? "success",
      RETRIED.includes(taskId) ? 2 : 1,
    ]),
  );
  // What was emitted is read by the next.
  assert.equal(tasks.at(-1)?.xcoms["return_value"], [{ rows: 42 }]);
});

interface Outcome {
  readonly code: number;
  readonly task: Ran;
  readonly stderr: string;
}

async function runAll(): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = [...CASES.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, [taskId, ...flags]] = next;
      const args = ["run", BUNDLE, "--dag", "capabilities", "--task", taskId, "--json", ...flags];
      const { code, stdout, stderr } = await parlance(args);
      const [task] = (JSON.parse(stdout) as { tasks: [Ran] }).tasks;
      outcomes[index] = { code, task, stderr };
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return outcomes;
}

function parlance(
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PARLANCE, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test.run();
