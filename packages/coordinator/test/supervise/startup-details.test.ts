import { readFileSync } from "node:fs";
import { buildStartupDetails, MemoryTaskStore, type TaskInstanceSpec } from "@parlance/coordinator";
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

const BEGAN = "2026-01-02T03:04:05.123456Z";

test("a task that is resumed hears how, and when it began", () => {
  const { start_date, ti_context } = contextOf("2026-10-30", {
    nextMethod: "execute_complete",
    nextKwargs: { event: { ok: true } },
    startDate: Timestamp.parse(BEGAN),
    xcomKeysToClear: ["old"],
  });
  assert.is(ti_context["next_method"], "execute_complete");
  assert.equal(ti_context["next_kwargs"], { event: { ok: true } });
  assert.equal(ti_context["start_date"], Timestamp.parse(BEGAN));
  assert.equal(start_date, Timestamp.parse(BEGAN));
  assert.is(ti_context["first_task_reschedule_start_date"], null);
  assert.equal(ti_context["xcom_keys_to_clear"], ["old"]);
});

test("a rescheduled task hears how often, and since 2026-10-30 when it first began", () => {
  for (const schemaVersion of ["2026-06-16", "2026-10-30"] as const) {
    const { start_date, ti_context } = contextOf(schemaVersion, {
      nextKwargs: { ignored: true },
      rescheduleCount: 2,
      firstRescheduleStartDate: Timestamp.parse(BEGAN),
    });
    assert.is(ti_context["task_reschedule_count"], 2);
    assert.is(ti_context["start_date"], null);
    assert.is(ti_context["next_kwargs"], null);
    assert.equal(start_date, Timestamp.fromDate(new Date(0)), "it starts now, and pokes once more");
    const first = ti_context["first_task_reschedule_start_date"];
    assert.equal(first, schemaVersion === "2026-10-30" ? Timestamp.parse(BEGAN) : undefined);
  }
});

test("a run that assets have triggered shows their events, as a store gives them", async () => {
  const store = new MemoryTaskStore();
  const source = { dagId: "up", runId: "u1", taskId: "load", mapIndex: -1 };
  const asset = { name: "a", uri: "s3://a" };
  const timestamp = "2026-01-02T03:04:05.123456Z";
  await store.assets.record([
    { ...asset, timestamp, extra: { rows: 3 }, aliases: ["x"], partitionKey: "p", source },
  ]);
  const stored = await store.assets.events({ name: "a" });
  const bare = { ...asset, timestamp: new Date(0) };
  for (const schemaVersion of ["2026-06-16", "2026-10-30"] as const) {
    const consumedAssetEvents = [...stored, bare];
    const body = buildStartupDetails({
      schemaVersion,
      taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
      dagRun: { runType: "asset_triggered", consumedAssetEvents },
      startDate: new Date(0),
    });
    assert.equal(validateBody(schemaVersion, "to-task", body), {
      valid: true,
      type: "StartupDetails",
    });
    const { dag_run } = body["ti_context"] as { dag_run: { consumed_asset_events: unknown[] } };
    const none = { source_task_id: null, source_dag_id: null, source_run_id: null };
    assert.equal(dag_run.consumed_asset_events, [
      {
        asset: { ...asset, extra: {} },
        extra: { rows: 3 },
        source_task_id: "load",
        source_dag_id: "up",
        source_run_id: "u1",
        source_map_index: -1,
        source_aliases: [{ name: "x" }],
        timestamp: Timestamp.parse(timestamp),
        partition_key: "p",
      },
      {
        asset: { ...asset, extra: {} },
        extra: {},
        ...none,
        source_map_index: null,
        source_aliases: [],
        timestamp: Timestamp.fromDate(new Date(0)),
        partition_key: null,
      },
    ]);
  }
});

function contextOf(schemaVersion: SchemaVersion, spec: Partial<TaskInstanceSpec>) {
  const body = buildStartupDetails({
    schemaVersion,
    taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1, ...spec },
    startDate: new Date(0),
  });
  assert.ok(validateBody(schemaVersion, "to-task", body).valid);
  return body as { start_date: unknown; ti_context: { readonly [key: string]: unknown } };
}

test.run();
