import { type AirflowVersion, parseDagFiles, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixture, pack } from "./support/pack.ts";
import { readable } from "./support/records.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// What arrives on either side under the real supervisor: log lines, context, Dag parse requests.

const bundlesRoot = await pack(fixture("faults.ts"), "faults");
const store = { dag_run: { conf: { names: ["Åsa", 1] } } };

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}: details`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTests(version, label);
}

function registerTests(version: AirflowVersion, label: string): void {
  const run = superviseCases(
    version,
    { bundlesRoot, store },
    {
      logs: { dagId: "faults", taskId: "log_everything" },
      context: { dagId: "faults", taskId: "echo_context", mapIndex: 2, tryNumber: 2, maxTries: 3 },
    },
  );

  test(`${label}: every log line arrives, at its level, and ends no supervisor`, async () => {
    const { taskLog, supervisorError, serverState } = await run("logs");
    assert.is(supervisorError, null);
    assert.is(serverState, "success");
    const records = readable(taskLog) as { logger: string }[];
    const from = (...loggers: string[]) => records.filter(({ logger }) => loggers.includes(logger));
    // The names that Airflow has for itself are kept apart from the user's.
    assert.equal(from("task", "task.console"), [
      {
        level: "info",
        event: "field names",
        logger: "task",
        msg_: 1,
        target_: 2,
        self_: 3,
        level_: "x",
        event_: "y",
        timestamp_: "z",
      },
      { level: "warning", event: "a secret", logger: "task", note: "it is ***", password: "***" },
      {
        level: "error",
        event: "no JSON number",
        logger: "task",
        nan: "NaN",
        big: String(2n ** 70n),
        text: "\u2028 \ufffd",
      },
      { level: "warning", event: "from console { deep: [ 1, 2 ] }", logger: "task.console" },
      { level: "error", event: "1 of 2", logger: "task.console" },
    ]);
    assert.equal(from("task.stdout"), [
      { level: "info", event: "plain stdout", logger: "task.stdout" },
    ]);
    assert.equal(from("task.stderr"), [
      { level: "error", event: "plain stderr, unterminated", logger: "task.stderr" },
    ]);
    assert.is(records.length, 7);
  });

  test(`${label}: the context is the run's`, async () => {
    const { xcoms } = await run("context");
    assert.is(xcoms[0]?.mapIndex, 2);
    assert.equal(xcoms[0]?.value, {
      ids: ["faults", "echo_context", "manual__2026-01-02T03:04:05+00:00", "stub"],
      numbers: [2, 3, 2],
      shouldRetry: true,
      conf: { names: ["Åsa", 1] },
      logicalDate: "2026-01-02T03:04:05+00:00",
      runAfter: "2026-01-02T03:04:05.000Z",
    });
  });

  if (version !== "3.4.0b2") return;
  // 3.4 keeps handlers in a Dag bundle, so its Dag processor runs them and asks for Dags.
  test(`${label}: asked for its Dags, a handler bundle has none and no error`, async () => {
    const [parsed] = await parseDagFiles({ launch: { bundlesRoot }, files: ["faults"] });
    assert.is(parsed?.supervisorError, null);
    assert.equal(parsed?.result?.serialized_dags, []);
    assert.is(parsed?.result?.import_errors ?? null, null);
  });
}

test.run();
