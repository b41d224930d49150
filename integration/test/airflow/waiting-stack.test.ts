import { isLongRun, requirePeer, runAirflowStack } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixture, pack } from "./support/pack.ts";

// A complete stock Airflow with its triggerer: tasks that defer, ask a person, are rescheduled, are
// mapped over and skip what is behind them, until the Dag run has ended. Two minutes: only in full.

const LABEL = "a whole Airflow 3.3.2 takes up every task that waits";

if (isLongRun() && requirePeer(test, LABEL, "airflow-3.3.2") !== undefined) {
  test(LABEL, async () => {
    const { runs, importErrors } = await runAirflowStack({
      version: "3.3.2",
      dagsDir: fixture("waiting-dags"),
      dagIds: ["waiting"],
      bundlesRoot: await pack(fixture("waiting.ts"), "waiting"),
      queues: { typescript: "executable" },
      triggerer: true,
      // A machine that is busy is no error here.
      startupTimeoutSeconds: 120,
      env: { AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT: "60" },
      deadlineMs: 570_000,
      answers: { asked: { chosen_options: ["yes"], params_input: { count: 4 } } },
    });
    assert.equal(importErrors, []);
    const [run] = runs;
    assert.is(run?.state, "success");
    const states = run?.tasks.map(({ taskId, mapIndex, state, tryNumber }) => {
      return `${taskId}${mapIndex < 0 ? "" : `[${mapIndex}]`} ${state} ${tryNumber}`;
    });
    assert.equal(states?.sort(), [
      "asked success 1",
      "behind skipped 0",
      "chooses success 1",
      "deferred success 1",
      "doubled[0] success 1",
      "doubled[1] success 1",
      "doubled[2] success 1",
      "not_taken skipped 0",
      "parts success 1",
      "rescheduled success 1",
      "taken success 1",
    ]);
    const xcoms = Object.fromEntries(
      (run?.xcoms ?? [])
        .filter(({ key }) => key === "return_value")
        .map(({ taskId, mapIndex, value }) => [`${taskId} ${mapIndex}`, value]),
    );
    assert.equal(xcoms, {
      "deferred -1": { method: "resume", isSame: true, isDate: true },
      "asked -1": {
        ...{ chosenOptions: ["yes"], filledIn: { count: 4 } },
        ...{ timedOut: false, isDate: true },
      },
      "rescheduled -1": { rescheduleCount: 1, tryNumber: 1 },
      "parts -1": [1, 2, 3],
      ...{ "doubled 0": 2, "doubled 1": 4, "doubled 2": 6 },
      "taken -1": "taken",
    });
  });
}

test.run();
