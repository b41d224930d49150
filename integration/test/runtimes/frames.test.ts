import { readFileSync } from "node:fs";
import { finalState, MemoryTaskStore, openSqliteTaskStore, seedStore } from "@parlance/coordinator";
import { type AirflowVersion, requirePeer, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { differences } from "./support/compare-frames.ts";
import { endTriggeredRuns } from "./support/end-triggered-runs.ts";
import { inParallel } from "./support/in-parallel.ts";
import { DATA, type PythonTask, PythonTasks, RUN_ID, VERSIONS } from "./support/python-tasks.ts";
import {
  ENVIRONMENTS,
  type Recorded,
  reportedState,
  seedOf,
  specOf,
  TRIGGERED_RUN_ENDS,
} from "./support/recordings.ts";

// Each recorded scenario anew, now under our coordinator: the task runner must send the same frames,
// and so has been told and answered what it was by a supervisor that it is content with.

for (const { version } of VERSIONS) {
  const label = `Airflow ${version}: recorded scenarios`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTest(version, label);
}

function registerTest(version: AirflowVersion, label: string): void {
  test(label, async () => {
    const url = new URL(`frames-${version}.golden.json`, DATA);
    const scenarios = Object.entries(
      JSON.parse(readFileSync(url, "utf8")) as Readonly<Record<string, Recorded>>,
    );
    const tasks = await PythonTasks.start(version);
    const wrong: string[] = [];
    try {
      await inParallel(scenarios, 3, async ([name, recorded]) => {
        const problem = await replay(tasks, version, name, recorded);
        if (problem !== undefined) wrong.push(`${name}: ${problem}`);
      });
    } finally {
      await tasks.close();
    }
    assert.ok(wrong.length === 0, `\n${wrong.join("\n")}`);
    assert.ok(scenarios.length >= 70);
  });
}

async function replay(
  tasks: PythonTasks,
  version: AirflowVersion,
  name: string,
  recorded: Recorded,
): Promise<string | undefined> {
  const store =
    version === "3.3.2"
      ? new MemoryTaskStore()
      : await openSqliteTaskStore(`${temporaryFolder()}/store.db`);
  try {
    await seedStore(store, seedOf(name), { dagId: "proof", runId: RUN_ID });
    const task: PythonTask = {
      store,
      spec: specOf(recorded),
      env: ENVIRONMENTS[name] ?? {},
      // Where stock gives no answer none of the scenarios waits for one, so it must be all the same.
      strictAirflow: version !== "3.3.2",
    };
    const runEnds = TRIGGERED_RUN_ENDS[name];
    if (runEnds !== undefined) endTriggeredRuns(store, runEnds);
    const { exitCode, finalState: state, sent } = await tasks.run(recorded.told.task_id, task);
    const expected = finalState({
      exitCode: recorded.exit,
      reported: reportedState(recorded),
      shouldRetry: recorded.told.should_retry ?? false,
    });
    const problems = [
      ...(exitCode === recorded.exit ? [] : [`exit code ${exitCode}, not ${recorded.exit}`]),
      ...(state === expected ? [] : [`${state}, not ${expected}`]),
      ...differences(sent, recorded.sent, { version, name }),
    ];
    return problems.length === 0 ? undefined : problems.join("\n  ");
  } finally {
    await store.close();
  }
}

test.run();
