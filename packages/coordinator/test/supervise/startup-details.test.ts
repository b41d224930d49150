import { readFileSync } from "node:fs";
import { buildStartupDetails } from "@parlance/coordinator";
import { encodeResponseFrame, Timestamp } from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";

const url = new URL("../../test/data/startup-details.json", import.meta.url);
const golden = JSON.parse(readFileSync(url, "utf8"));

const RECORDED: readonly [SchemaVersion, string][] = [
  ["2026-10-30", "airflow_3.4.0b2_schema_2026-10-30"],
  ["2026-06-16", "airflow_3.3.2_schema_2026-06-16"],
];

for (const [schemaVersion, name] of RECORDED) {
  test(`${schemaVersion}: the frame is byte for byte that of ${name}`, () => {
    const { hex, decoded } = golden[name];
    const [, { ti, ti_context, start_date }] = decoded;
    const at = (text: string): Timestamp => Timestamp.parse(text);
    const body = buildStartupDetails({
      schemaVersion,
      taskInstance: {
        id: ti.id,
        dagId: ti.dag_id,
        taskId: ti.task_id,
        runId: ti.run_id,
        tryNumber: 1,
        dagVersionId: ti.dag_version_id,
        hostname: null,
        queue: "stub",
        dagBundleName: "stub-bundle",
      },
      dagRun: {
        logicalDate: at(ti_context.dag_run.logical_date),
        dataIntervalStart: at(ti_context.dag_run.data_interval_start),
        dataIntervalEnd: at(ti_context.dag_run.data_interval_end),
        startDate: at(ti_context.dag_run.start_date),
      },
      argBindings: ti_context.arg_bindings,
      startDate: new Date(0),
    });
    const exact = { ...body, start_date: at(start_date) };
    assert.is(Buffer.from(encodeResponseFrame({ id: 0, body: exact })).toString("hex"), hex);
  });
}

test("defaults are valid in both versions, and tell a retry and a run id's date", () => {
  for (const schemaVersion of ["2026-06-16", "2026-10-30"] as const) {
    const body = buildStartupDetails({
      schemaVersion,
      taskInstance: {
        dagId: "d",
        taskId: "t",
        runId: "scheduled__2026-01-02T03:04:05+00:00",
        tryNumber: 2,
        maxTries: 2,
      },
      startDate: new Date("2026-05-06T07:08:09Z"),
    });
    assert.equal(validateBody(schemaVersion, "to-task", body), {
      valid: true,
      type: "StartupDetails",
    });
    const context = body["ti_context"] as {
      should_retry: boolean;
      dag_run: { run_after: Timestamp };
    };
    assert.is(context.should_retry, true);
    assert.is(context.dag_run.run_after.toISOString(), "2026-01-02T03:04:05+00:00");
  }
});

test.run();
