import { type AirflowVersion, requirePeer, type SuperviseResult } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixture, pack } from "./support/pack.ts";
import { lines } from "./support/records.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// Tasks that go wrong under the real supervisor. What Airflow does differs between 3.3 and 3.4
// where it is said so below.

const bundlesRoot = await pack(fixture("faults.ts"), "faults");
const store = { variables: { region: "EMEA" } };

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: faults`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTests(version, label);
}

function registerTests(version: AirflowVersion, label: string): void {
  const is34 = version === "3.4.0b2";
  const attempt = (taskId: string, maxTries = 0) => {
    return { dagId: "faults", taskId, maxTries };
  };
  const run = superviseCases(
    version,
    { bundlesRoot, store },
    {
      fail: attempt("fail"),
      failRetried: attempt("fail", 1),
      missingXCom: attempt("missing_xcom"),
      missingVariable: attempt("missing_variable"),
      unknownTask: attempt("nobody_wrote_this"),
      survivesApiError: {
        ...attempt("survive_api_error"),
        faults: [{ path: "^variables/", status: 502 }],
      },
      resultRefused: {
        ...attempt("return_a_value"),
        faults: [{ method: "POST", path: "^xcoms/", status: 500 }],
      },
      endRefusedOnce: {
        ...attempt("return_a_value"),
        faults: [{ method: "PATCH", path: "/state$", status: 503, times: 1 }],
      },
      uncaught: attempt("uncaught"),
      unhandledRejection: attempt("unhandled_rejection", 1),
      exitZero: attempt("exit_zero"),
      sigterm: { ...attempt("until_stopped"), sigtermOnLog: "waiting for the end" },
      sigtermRetried: { ...attempt("until_stopped", 1), sigtermOnLog: "waiting for the end" },
      sigtermDeaf: { ...attempt("deaf"), sigtermOnLog: "waiting for the end" },
      markedFailed: { ...attempt("until_stopped"), killAfterSeconds: 0.5 },
    },
  );

  test(`${label}: a handler that throws`, async () => {
    const failed = await run("fail");
    assert.is(failed.serverState, "failed");
    assert.is(failed.exitCode, 0);
    assert.is(failed.supervisorError, null);
    const details = failed.taskLog[0]?.["error_detail"] as {
      exc_type: string;
      is_cause: boolean;
    }[];
    assert.equal(details.map((detail) => [detail.exc_type, detail.is_cause]).sort(), [
      ["Error", false],
      ["RangeError", true],
    ]);

    const retried = await run("failRetried");
    assert.is(retried.serverState, "up_for_retry");
    const end = retried.apiCalls.find((call) => call.path.endsWith("/state"));
    const body = end?.body as { retry_reason?: unknown } | undefined;
    assert.is(body?.retry_reason, "Error: the rows do not add up");
  });

  test(`${label}: what a task needs is missing`, async () => {
    const xcom = await run("missingXCom");
    assert.is(xcom.serverState, "failed");
    assert.is(xcom.taskLog[0]?.["value"], null);
    assert.match(String(xcom.taskLog[1]?.["error"]), /^NotFoundError: /);
    const variable = await run("missingVariable");
    assert.is(variable.serverState, "failed");
    assert.match(String(variable.taskLog[0]?.["error"]), "nobody_set_this");
  });

  test(`${label}: a task that the program does not have is removed`, async () => {
    const result = await run("unknownTask");
    assert.is(result.serverState, "removed");
    assert.is(result.exitCode, 0);
  });

  test(`${label}: errors of Airflow's API`, async () => {
    const survived = await run("survivesApiError");
    assert.is(survived.serverState, "success");
    assert.equal(survived.xcoms[0]?.value, { code: "api-error", statusCode: 502 });

    // A result that could not be kept is a failure, not a success without a result.
    const refused = await run("resultRefused");
    assert.is(refused.serverState, "failed");
    assert.match(String(refused.taskLog[0]?.["error"]), "SetXCom");

    assert.is((await run("endRefusedOnce")).serverState, "success");
  });

  test(`${label}: errors behind the handler's back`, async () => {
    const uncaught = await run("uncaught");
    assert.is(uncaught.serverState, "failed");
    assert.match(JSON.stringify(uncaught.taskLog), "thrown in a timer");
    const rejection = await run("unhandledRejection");
    assert.is(rejection.serverState, "up_for_retry");
    assert.match(JSON.stringify(rejection.taskLog), "nobody waits for this");
    // Airflow itself takes a silent exit 0 for a success and leaves the task running.
    const exit = await run("exitZero");
    assert.is(exit.serverState, "failed");
    assert.match(JSON.stringify(exit.taskLog), "process.exit");
  });

  test(`${label}: SIGTERM to the supervisor`, async () => {
    const stopped = [await run("sigterm"), await run("sigtermRetried"), await run("sigtermDeaf")];
    for (const result of stopped) {
      assert.equal(result.leftoverChildren, []);
      if (is34) {
        // 3.4 dies of the signal and tells nobody; the task notices the lost link and ends.
        assert.is(result.supervisorSignal, 15);
        assert.is(result.serverState, "running");
        assert.is(orphanedTasks(result).length, 1);
        for (const { endedAfterMs, exitCode } of orphanedTasks(result)) {
          assert.type(endedAfterMs, "number");
          assert.ok((endedAfterMs ?? Number.POSITIVE_INFINITY) < 5_500, `${endedAfterMs} ms`);
          assert.is.not(exitCode, 0);
        }
      } else {
        assert.equal(orphanedTasks(result), []);
        assert.is(result.supervisorError, null);
      }
    }
    if (is34) return;
    const [last, retried, deaf] = stopped;
    assert.equal(
      stopped.map((result) => result.serverState),
      ["failed", "up_for_retry", "failed"],
    );
    for (const result of [last, retried]) {
      assert.ok(lines(result?.taskLog ?? []).includes("info cleaning up"));
    }
    assert.ok((deaf?.wallMs ?? 0) < 6_000, "ended by itself before Airflow's SIGKILL");
    assert.match(JSON.stringify(deaf?.taskLog), "SIGTERM");
  });

  test(`${label}: marked failed in the UI`, async () => {
    const result = await run("markedFailed");
    assert.is(result.finalState?.toLowerCase(), "server_terminated");
    assert.ok(lines(result.taskLog).includes("info cleaning up"));
    assert.equal(result.leftoverChildren, []);
    assert.is(result.supervisorError, null);
  });
}

/** Without the runtime's exit holder, a shell that lives 10 ms longer than the task. */
function orphanedTasks({ orphans = [] }: SuperviseResult): NonNullable<SuperviseResult["orphans"]> {
  return orphans.filter((orphan) => orphan.name !== "sh");
}

test.run();
