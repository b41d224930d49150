import { type AirflowVersion, requirePeer } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixture, pack } from "./support/pack.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// What a task logs, in every way it can, as the real supervisors write it into the task's log.

const bundlesRoot = await pack(fixture("logging.ts"), "logging");

for (const version of ["3.3.2", "3.4.0b2"] as const) {
  const label = `Airflow ${version}:`;
  if (requirePeer(test, label, `airflow-${version}`) !== undefined) registerTests(version, label);
}

function registerTests(version: AirflowVersion, label: string): void {
  const task = (taskId: string) => ({ dagId: "logging", taskId });
  const run = superviseCases(
    version,
    { bundlesRoot, store: {} },
    { kinds: task("kinds"), many: task("many") },
  );

  test(`${label} records of every kind have their true level, logger and fields`, async () => {
    const { taskLog, finalState, supervisorError } = await run("kinds");
    assert.is(supervisorError, null);
    assert.is(finalState, "success");
    const line = ({ level, logger, event }: Record<string, unknown>): string =>
      `${String(level)} ${String(logger)}: ${String(event)}`;
    assert.equal(taskLog.map(line), [
      "info task: own info",
      "warning task: own warning",
      "error task: own error",
      "critical task: own critical",
      "info task.console: console 1",
      "warning task.console: console warn",
      "error task.console: console error RangeError: far",
      "info lib: pino info",
      "warning task.warnings: Warning: take care",
      "info task: at the end",
    ]);
    const [first] = taskLog;
    assert.equal([first?.["msg_"], first?.["level_"], first?.["n"]], ["m", "info", `${2n ** 64n}`]);
    assert.is(taskLog[7]?.["rows"], 7);
    assert.is(taskLog[8]?.["code"], "CARE01");
    const details = taskLog[6]?.["error_detail"] as readonly {
      readonly exc_type: string;
      readonly is_cause: boolean;
      readonly frames: readonly { readonly filename: string; readonly lineno: number }[];
    }[];
    assert.equal(
      details.map(({ exc_type, is_cause }) => [exc_type, is_cause]),
      [
        ["RangeError", false],
        ["Error", true],
      ],
    );
    const frame = details[0]?.frames.at(-1);
    assert.match(String(frame?.filename), /fixtures\/logging\.ts$/);
    assert.is(frame?.lineno, 14);
  });

  test(`${label} many records arrive whole and in order`, async () => {
    const { taskLog, finalState } = await run("many");
    assert.is(finalState, "success");
    assert.is(taskLog.length, 5_000);
    assert.ok(taskLog.every((record, index) => record["n"] === index));
  });
}

test.run();
