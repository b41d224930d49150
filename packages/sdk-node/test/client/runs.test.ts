import { Timestamp, type WireMap } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readStartupDetails } from "../../dist/context.js";
import { startupDetails } from "../support/fake-supervisor.ts";
import { body, failure, openClient, present } from "../support/open-client.ts";

const TIME = new Timestamp(1_781_571_723n, 123_456_000);
const ID = "01a229d4-f37f-7d3f-86ca-4781063d5c26";
const RUN = {
  dag_id: "other",
  run_id: "r",
  logical_date: TIME,
  data_interval_start: null,
  data_interval_end: null,
  run_after: TIME,
  start_date: TIME,
  end_date: null,
  run_type: "manual",
  state: "running",
  conf: { a: 1 },
  consumed_asset_events: [
    {
      asset: { name: "a", uri: "u", extra: {} },
      extra: { rows: 1 },
      source_task_id: "t",
      source_dag_id: "d",
      source_run_id: "r0",
      source_map_index: 3,
      source_aliases: [{ name: "x" }],
      timestamp: "2026-06-16T01:02:03.123456Z",
    },
  ],
  partition_key: null,
  note: "n",
};
const ok = body({ type: "OKResponse", ok: true });
const notFound = () => ({
  body: null,
  error: failure("API_SERVER_ERROR", { status_code: 404, message: "Not found" }),
});

test("a run is triggered with every field; without an id it gets a new one", async () => {
  const { client, sent } = openClient(ok);
  const logicalDate = new Date("2026-06-20T00:00:00Z");
  const made = await client.dagRuns.trigger({
    ...{ dagId: "other", runId: "r", conf: { a: 1 }, logicalDate, runAfter: TIME },
    ...{ partitionKey: "p", note: "n", ifExists: "reset" },
  });
  assert.equal(made, { dagId: "other", runId: "r", started: true });
  assert.equal(sent[0], {
    type: "TriggerDagRun",
    dag_id: "other",
    run_id: "r",
    conf: { a: 1 },
    logical_date: Timestamp.fromDate(logicalDate),
    run_after: TIME,
    reset_dag_run: true,
    partition_key: "p",
    note: "n",
  });
  const first = await client.dagRuns.trigger({ dagId: "other", runAfter: TIME });
  const second = await client.dagRuns.trigger({ dagId: "other", runAfter: TIME });
  assert.match(first.runId, /^manual__2026-06-16T01:02:03\.123456\+00:00_[0-9a-f]{8}$/);
  assert.is.not(first.runId, second.runId);
  assert.equal(sent[1]?.["conf"], {});
  assert.is(sent[1]?.["reset_dag_run"], false);
});

test("a run that is there already is an error, or is kept; so is a Dag that is not there", async () => {
  const taken = openClient(body(failure("DAGRUN_ALREADY_EXISTS")));
  const options = { dagId: "other", runId: "r" };
  const error = await rejects(taken.client.dagRuns.trigger(options), "already-exists");
  assert.match(error.message, /other.*"r".*ifExists/);
  const kept = await taken.client.dagRuns.trigger({ ...options, ifExists: "keep" });
  assert.equal(kept, { ...options, started: false });
  const missing = openClient(notFound);
  await rejects(missing.client.dagRuns.trigger(options), "dag-not-found");
  const wrong = { ...options, ifExists: "skip" as never };
  await rejects(missing.client.dagRuns.trigger(wrong), "invalid-request");
  await rejects(missing.client.dagRuns.trigger({} as never), "invalid-request");
  const conf = { at: new Date() as never };
  await rejects(missing.client.dagRuns.trigger({ ...options, conf }), "invalid-value");
});

test("a run is read whole, this task's own by default; null when there is none", async () => {
  const { client, sent } = openClient(body({ type: "DagRunResult", ...RUN }));
  const run = present(await client.dagRuns.get());
  assert.equal(sent, [{ type: "GetDagRun", dag_id: "d", run_id: "manual__1" }]);
  assert.is(run.state, "running");
  assert.is(run.logicalDate?.toISOString(), "2026-06-16T01:02:03.123Z");
  assert.equal(run.exact.logicalDate, TIME);
  assert.is(run.dataIntervalStart, null);
  assert.equal(run.conf, { a: 1 });
  assert.equal([run.clearNumber, run.note, run.team, run.partitionDate], [0, "n", null, null]);
  const event = present(run.assetEvents[0]);
  assert.equal(event.aliases, ["x"]);
  assert.equal(event.source, { dagId: "d", taskId: "t", runId: "r0", mapIndex: 3 });
  assert.is(event.timestamp.getTime(), run.runAfter.getTime());
  assert.is(event.exact.timestamp?.nanoseconds, 123_456_000);
  assert.is(await openClient(notFound).client.dagRuns.get({ runId: "no" }), null);
});

test("state, count and the runs before", async () => {
  const state = openClient(body({ type: "DagRunStateResult", state: "failed" }));
  assert.is(await state.client.dagRuns.getState({ dagId: "other", runId: "r" }), "failed");
  assert.is(await openClient(notFound).client.dagRuns.getState(), null);

  const count = openClient(body({ type: "DRCount", count: 3 }));
  const dates = { logicalDates: [new Date("2026-06-16T00:00:00Z")], states: ["failed"] as const };
  assert.is(await count.client.dagRuns.count(dates), 3);
  assert.equal(count.sent[0]?.["logical_dates"], [new Timestamp(1_781_568_000n, 0)]);
  assert.equal(count.sent[0]?.["run_ids"], null);

  const previous = (dag_run: unknown, run: WireMap = {}) =>
    openClient(body({ type: "PreviousDagRunResult", dag_run }), { run });
  assert.is(await previous(RUN).client.dagRuns.getPrevious(), null); // this run has no logical date
  const dated = previous(RUN, { logical_date: TIME });
  assert.is((await dated.client.dagRuns.getPrevious({ state: "success" }))?.runId, "r");
  assert.equal(dated.sent, [
    { type: "GetPreviousDagRun", dag_id: "d", logical_date: TIME, state: "success" },
  ]);
  assert.is(await previous(null, { logical_date: TIME }).client.dagRuns.getPrevious(), null);

  const success = openClient(body({ type: "PrevSuccessfulDagRunResult", start_date: TIME }));
  const { startDate, endDate, exact } = await success.client.dagRuns.getPreviousSuccess();
  assert.equal(
    [startDate?.getTime(), endDate, exact.startDate],
    [TIME.toDate().getTime(), null, TIME],
  );
  assert.equal(success.sent, [{ type: "GetPrevSuccessfulDagRun", ti_id: ID }]);
});

test("a note needs the newer schema; null takes it away", async () => {
  const old = openClient(ok);
  const error = await rejects(old.client.dagRuns.setNote("n"), "newer-schema-needed");
  assert.match(error.message, "--schema-version 2026-10-30");
  const { client, sent } = openClient(ok, { schemaVersion: "2026-10-30" });
  await client.dagRuns.setNote(null);
  assert.equal(sent, [{ type: "UpdateDagRunNote", ti_id: ID, note: "" }]);
});

test("a Dag", async () => {
  const dag = {
    ...{ type: "DagResult", dag_id: "d", is_paused: true, bundle_name: "b", bundle_version: null },
    ...{ relative_fileloc: "d.py", owners: "us", tags: ["x"], next_dagrun: TIME },
  };
  const { client } = openClient(body(dag));
  const { nextRun, exact, ...rest } = present(await client.dagRuns.getDag());
  assert.equal(rest, {
    ...{ dagId: "d", isPaused: true, bundleName: "b", bundleVersion: null },
    ...{ file: "d.py", owners: "us", tags: ["x"] },
  });
  assert.equal([nextRun?.getTime(), exact.nextRun], [TIME.toDate().getTime(), TIME]);
  assert.is(await openClient(notFound).client.dagRuns.getDag("no"), null);
});

test("instances are counted by what is said, `null` for those without a state", async () => {
  const { client, sent } = openClient(body({ type: "TICount", count: 2 }));
  const filter = { taskIds: ["a"], mapIndex: 0, states: ["failed", null] as const };
  assert.is(await client.taskInstances.count(filter), 2);
  assert.equal(sent, [
    {
      ...{ type: "GetTICount", dag_id: "d", map_index: 0, task_ids: ["a"], task_group_id: null },
      ...{ logical_dates: null, run_ids: null, states: ["failed", "null"] },
    },
  ]);
  await rejects(client.taskInstances.count({ taskIds: [7 as never] }), "invalid-request");
  const broken = openClient(body({ type: "TICount" }));
  await rejects(broken.client.taskInstances.count(), "bad-answer");
});

test("states by run and task", async () => {
  const task_states = { r: { a: "success", b_0: null } };
  const { client, sent } = openClient(body({ type: "TaskStatesResult", task_states }));
  const filter = { dagId: "other", taskGroupId: "g", logicalDates: [TIME] };
  assert.equal(await client.taskInstances.getStates(filter), task_states);
  assert.equal(sent[0]?.["logical_dates"], [TIME]);
  assert.is(sent[0]?.["task_group_id"], "g");
});

test("the same task in the run before", async () => {
  const found = {
    ...{ task_id: "t", dag_id: "d", run_id: "r0", logical_date: TIME, state: "failed" },
    ...{ try_number: 2, map_index: 3, duration: 1.5, start_date: "2026-06-16T01:02:03.123456Z" },
  };
  const answer = { type: "PreviousTIResult", task_instance: found };
  const { client, sent } = openClient(body(answer), { mapIndex: 3, run: { logical_date: TIME } });
  const previous = await client.taskInstances.getPrevious();
  const { exact, logicalDate, startDate, ...rest } = present(previous);
  assert.equal(rest, {
    ...{ dagId: "d", taskId: "t", runId: "r0", endDate: null, state: "failed" },
    ...{ tryNumber: 2, mapIndex: 3, durationSeconds: 1.5 },
  });
  assert.equal(exact, { logicalDate: TIME, startDate: TIME, endDate: null });
  assert.equal([logicalDate, startDate], [TIME.toDate(), TIME.toDate()]);
  await client.taskInstances.getPrevious({ taskId: "other", logicalDate: null, state: "success" });
  const common = { type: "GetPreviousTI", dag_id: "d" };
  assert.equal(sent, [
    { ...common, task_id: "t", logical_date: TIME, map_index: 3, state: null },
    { ...common, task_id: "other", logical_date: null, map_index: -1, state: "success" },
  ]);
  const none = openClient(body({ type: "PreviousTIResult", task_instance: null }));
  assert.is(await none.client.taskInstances.getPrevious(), null);
});

test("reschedules, and what has ended in a run", async () => {
  const first = openClient(body({ type: "TaskRescheduleStartDate", start_date: TIME }));
  assert.equal(await first.client.taskInstances.getFirstReschedule(), TIME.toDate());
  const never = openClient(body({ type: "TaskRescheduleStartDate", start_date: null }));
  assert.is(await never.client.taskInstances.getFirstReschedule(), null);

  const crumb = { task_id: "t", map_index: -1, state: "success", operator: "PythonOperator" };
  const breadcrumbs = [{ ...crumb, duration: 0.5 }, { task_id: "u" }];
  const { client, sent } = openClient(body({ type: "TaskBreadcrumbsResult", breadcrumbs }));
  assert.equal(await client.taskInstances.listEnded({ runId: "r" }), [
    {
      ...{ taskId: "t", mapIndex: -1, state: "success", operator: "PythonOperator" },
      durationSeconds: 0.5,
    },
    { taskId: "u", mapIndex: -1, state: null, operator: null, durationSeconds: null },
  ]);
  assert.equal(sent, [{ type: "GetTaskBreadcrumbs", dag_id: "d", run_id: "r" }]);
});

test("what started the run, and where in a loop the task is, are in the context", () => {
  const details = startupDetails();
  const tiContext = details["ti_context"] as WireMap;
  const read = (more: WireMap) => {
    const { signal } = new AbortController();
    const ti_context = { ...tiContext, ...more };
    return readStartupDetails({ ...details, ti_context }, { signal, findTimeout: () => null })
      .context;
  };
  const dag_run = { ...(tiContext["dag_run"] as WireMap), ...RUN };
  const { assetEvents } = read({ dag_run });
  assert.equal(
    assetEvents.map(({ asset, source, extra }) => [asset.name, source.taskId, extra]),
    [["a", "t", { rows: 1 }]],
  );
  const loop = { node_id: "l", index: 1, max_iterations: 3, terminal_task_id: "end" };
  assert.equal(read({ loop: { ...loop, terminal_is_mapped: true } }).loop, {
    index: 1,
    maxIterations: 3,
    terminalTaskId: "end",
    terminalIsMapped: true,
  });
  assert.is(read({ loop: null }).loop, null);
  assert.is(read({}).loop, null);
});

test.run();
