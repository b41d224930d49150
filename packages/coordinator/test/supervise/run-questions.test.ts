import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import type { ResponseFrame } from "@parlance/framing";
import { Timestamp } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { detailOf, ID, OTHER_ID, withPeer } from "../support/with-peer.js";

const DATE = "2026-06-16T00:00:00Z"; // of the task's own run
const at = (iso: string): Timestamp => Timestamp.parse(iso);
const typeOf = ({ body }: ResponseFrame): unknown => body?.["type"] ?? null;

async function storeWithRuns(): Promise<MemoryTaskStore> {
  const store = new MemoryTaskStore();
  const day = (date: string, state: string) => {
    return {
      run_id: date,
      logical_date: `${date}T00:00:00Z`,
      state,
      end_date: `${date}T01:00:00Z`,
    };
  };
  await seedStore(
    store,
    {
      dag_runs: [
        day("2026-06-13", "success"),
        day("2026-06-14", "success"),
        day("2026-06-15", "failed"),
        day("2026-06-17", "success"),
        { run_id: "by-asset", state: "success", run_after: "2026-06-12T00:00:00Z" },
      ],
      task_instances: [
        {
          task_id: "t",
          run_id: "2026-06-14",
          start_date: "2026-06-14T00:00:00Z",
          end_date: "2026-06-14T00:00:01.5Z",
        },
        { task_id: "t", run_id: "2026-06-15", state: "failed" },
        { task_id: "group.a", run_id: "2026-06-15", map_index: 0 },
        { task_id: "group.a", run_id: "2026-06-15", map_index: 1, state: "failed" },
        { task_id: "waits", run_id: "2026-06-15", state: null },
      ],
    },
    { dagId: "d" },
  );
  return store;
}

test("runs before this one: by state, by logical date, whatever was written last", async () =>
  withPeer(
    "2026-06-16",
    async (ask) => {
      const previous = async (more: object): Promise<unknown> => {
        const answer = await ask({ type: "GetPreviousDagRun", dag_id: "d", ...more });
        return (answer.body?.["dag_run"] as { run_id?: string } | null)?.run_id;
      };
      assert.is(await previous({ logical_date: DATE }), "2026-06-15");
      assert.is(await previous({ logical_date: at(DATE), state: "success" }), "2026-06-14");
      assert.is(await previous({ logical_date: DATE, state: "running" }), undefined);
      assert.is(await previous({ logical_date: "2026-06-17T02:00:00+02:00" }), "r");
      assert.is(await previous({ logical_date: "2026-06-13T00:00:00Z" }), undefined);
      const { body } = await ask({ type: "GetPrevSuccessfulDagRun", ti_id: OTHER_ID });
      assert.equal(body, {
        data_interval_start: at("2026-06-14T00:00:00Z"),
        data_interval_end: at("2026-06-14T00:00:00Z"),
        end_date: at("2026-06-14T01:00:00Z"),
        type: "PrevSuccessfulDagRunResult",
      });
    },
    { store: await storeWithRuns() },
  ));

test("the instance before this one, with its duration", async () =>
  withPeer(
    "2026-10-30",
    async (ask) => {
      const previous = async (more: object): Promise<unknown> =>
        (await ask({ type: "GetPreviousTI", dag_id: "d", task_id: "t", ...more })).body?.[
          "task_instance"
        ];
      assert.equal(await previous({ logical_date: "2026-06-14T12:00:00Z" }), {
        task_id: "t",
        dag_id: "d",
        run_id: "2026-06-14",
        logical_date: at("2026-06-14T00:00:00Z"),
        start_date: at("2026-06-14T00:00:00Z"),
        end_date: at("2026-06-14T00:00:01.5Z"),
        state: "success",
        try_number: 1,
        map_index: -1,
        region_id: null,
        region_index: null,
        duration: 1.5,
      });
      const runOf = async (more: object): Promise<unknown> =>
        ((await previous(more)) as { run_id?: string } | null)?.run_id;
      assert.is(await runOf({ logical_date: DATE }), "2026-06-15");
      assert.is(await runOf({ logical_date: DATE, state: "success" }), "2026-06-14");
      assert.is(await runOf({}), "r");
      assert.is(await runOf({ logical_date: DATE, map_index: 4 }), undefined);
    },
    { store: await storeWithRuns() },
  ));

test("counts and states: of any run, by date, group and state; an empty list filters nothing", async () =>
  withPeer(
    "2026-06-16",
    async (ask) => {
      const count = async (type: string, more: object): Promise<unknown> =>
        (await ask({ type, dag_id: "d", ...more })).body?.["count"];
      assert.is(await count("GetDRCount", {}), 6);
      assert.is(await count("GetDRCount", { states: [], run_ids: [], logical_dates: [] }), 6);
      assert.is(await count("GetDRCount", { states: ["failed", "running"] }), 2);
      assert.is(
        await count("GetDRCount", { logical_dates: [at(DATE), "2026-06-14T00:00:00Z"] }),
        2,
      );
      assert.is(await count("GetDRCount", { run_ids: ["r", "by-asset", "no"] }), 2);
      const ofMonday = { run_ids: ["2026-06-15"] };
      assert.is(await count("GetTICount", {}), 6);
      assert.is(await count("GetTICount", { ...ofMonday, states: ["failed"] }), 2);
      assert.is(await count("GetTICount", { ...ofMonday, states: ["null"] }), 1);
      assert.is(await count("GetTICount", { ...ofMonday, task_group_id: "group" }), 2);
      for (const type of ["GetTICount", "GetTaskStates"]) {
        const answer = await ask({ type, dag_id: "d", ...ofMonday, task_group_id: "gro" });
        assert.is(detailOf(answer).status_code, 404);
      }
      assert.is(await count("GetTICount", { logical_dates: ["2026-06-15T00:00:00Z"] }), 4);
      assert.is(await count("GetTICount", { logical_dates: [DATE], ...ofMonday }), 0);
      assert.is(await count("GetTICount", { map_index: 1 }), 1);
      const { body } = await ask({ type: "GetTaskStates", dag_id: "d", ...ofMonday });
      assert.equal(body?.["task_states"], {
        "2026-06-15": { "group.a_0": "success", "group.a_1": "failed", t: "failed", waits: null },
      });
      const both = { ...ofMonday, task_ids: ["t"], task_group_id: "group" };
      const states = (await ask({ type: "GetTaskStates", dag_id: "d", ...both })).body?.[
        "task_states"
      ];
      assert.equal(states, {
        "2026-06-15": { "group.a_0": "success", "group.a_1": "failed", t: "failed" },
      });
      assert.is(await count("GetTICount", both), 0);
      const crumbs = await ask({ type: "GetTaskBreadcrumbs", dag_id: "d", run_id: "2026-06-15" });
      const rows = crumbs.body?.["breadcrumbs"] as
        | { readonly task_id: string; readonly map_index: number }[]
        | undefined;
      const names = rows?.map(({ task_id, map_index }) => `${task_id} ${map_index}`);
      assert.equal(names, ["group.a 0", "group.a 1", "t -1"]);
    },
    { store: await storeWithRuns() },
  ));

test("TriggerDagRun makes a run that later questions find; a second one resets it only when it should", () =>
  withPeer("2026-06-16", async (ask, { store }) => {
    const trigger = {
      type: "TriggerDagRun",
      dag_id: "other",
      run_id: "o",
      logical_date: "2026-06-20T00:00:00.123456Z",
      conf: { n: 2n ** 63n },
      note: "n",
    };
    assert.is(typeOf(await ask(trigger)), "OKResponse");
    const run = (await ask({ type: "GetDagRun", dag_id: "other", run_id: "o" })).body;
    assert.equal(
      [run?.["run_type"], run?.["state"], run?.["conf"], run?.["note"], run?.["start_date"]],
      ["operator_triggered", "queued", { n: 2n ** 63n }, "n", null],
    );
    assert.equal(run?.["logical_date"], at("2026-06-20T00:00:00.123456Z"));
    assert.equal(run?.["run_after"], run?.["data_interval_end"]);
    assert.ok(run?.["run_after"] instanceof Timestamp);
    assert.is(typeOf(await ask({ type: "GetDag", dag_id: "other" })), "DagResult");
    const again = await ask({ ...trigger, conf: {} });
    assert.equal(again.body, {
      error: "DAGRUN_ALREADY_EXISTS",
      detail: null,
      type: "ErrorResponse",
    });
    await store.dagRuns.update("other", "o", { state: "success" });
    const state = { type: "GetDagRunState", dag_id: "other", run_id: "o" };
    assert.is((await ask(state)).body?.["state"], "success");
    assert.is(typeOf(await ask({ ...trigger, reset_dag_run: true })), "OKResponse");
    assert.is((await ask(state)).body?.["state"], "queued");
    assert.is((await store.dagRuns.get("other", "o"))?.clearNumber, 1);
    const undated = { type: "TriggerDagRun", dag_id: "other", run_id: "p" };
    await ask(undated);
    const now = await store.dagRuns.get("other", "p");
    assert.equal([now?.logicalDate, now?.dataIntervalStart, now?.conf], [null, null, {}]);
    assert.ok(Math.abs(Date.parse(now?.runAfter ?? "") - Date.now()) < 5_000);
  }));

test("what a task says of itself is kept with its try", () =>
  withPeer("2026-06-16", async (ask, { store, attempt, masker }) => {
    const row = () => store.taskInstances.get(attempt.taskInstance);
    masker.add("hidden-value");
    const fields = { sql: "say hidden-value", password: "p", n: 1 };
    await ask({ type: "SetRenderedFields", rendered_fields: fields });
    assert.equal((await row())?.renderedFields, { sql: "say ***", password: "***", n: 1 });
    await ask({ type: "SetRenderedMapIndex", rendered_map_index: "label" });
    assert.is((await row())?.renderedMapIndex, "label");
    const dates = { reschedule_date: "2026-06-16T00:05:00+02:00", end_date: DATE };
    await ask({ type: "RescheduleTask", ...dates });
    await ask({ type: "RescheduleTask", ...dates });
    const asked = { type: "GetTaskRescheduleStartDate", ti_id: ID, try_number: 1 };
    const { body } = await ask(asked);
    assert.equal(body?.["start_date"], at(DATE), "the start of the first attempt");
    assert.equal(
      [(await row())?.rescheduleCount, (await row())?.rescheduleDate],
      [2, "2026-06-15T22:05:00+00:00"],
    );
    assert.is(detailOf(await ask({ ...asked, ti_id: OTHER_ID })).status_code, 403);
    const reason = `hidden-value ${"x".repeat(1000)}`;
    await ask({
      type: "RetryTask",
      end_date: DATE,
      retry_delay_seconds: 7.5,
      retry_reason: reason,
      rendered_map_index: "later",
    });
    const retried = await row();
    assert.equal([retried?.retryDelaySeconds, retried?.retryReason?.length], [7.5, 500]);
    assert.ok(retried?.retryReason?.startsWith("*** xxx"));
    assert.is(retried?.renderedMapIndex, "later");
    const kwargs = { big: 2n ** 63n };
    const deferral = { type: "DeferTask", classpath: "x.Y", next_method: "m", next_kwargs: kwargs };
    await ask(deferral);
    const deferred = await row();
    assert.equal([deferred?.nextMethod, deferred?.nextKwargs], ["m", kwargs]);
    assert.equal(deferred?.deferral, deferral);
  }));

test("tasks are skipped unless they run or are over", () =>
  withPeer("2026-06-16", async (ask, { store }) => {
    const ref = { dagId: "d", runId: "r", mapIndex: -1 };
    const row = { tryNumber: 1, startDate: null, endDate: null };
    for (const state of ["running", "success", "failed", "queued", null]) {
      await store.taskInstances.set({ ...ref, ...row, taskId: `was ${state}`, state });
    }
    const tasks = ["was running", "was success", "was failed", "was queued", "was null", ["m", 3]];
    await ask({ type: "SkipDownstreamTasks", tasks });
    const { body } = await ask({ type: "GetTaskStates", dag_id: "d" });
    const states = body?.["task_states"] as { readonly r: object } | undefined;
    assert.equal(states?.r, {
      m_3: "skipped",
      t: "running",
      "was failed": "failed",
      "was null": "skipped",
      "was queued": "skipped",
      "was running": "running",
      "was success": "success",
    });
  }));

test("a note: null leaves it, an empty one takes it away, another run's task has none to say", () =>
  withPeer("2026-10-30", async (ask, { store }) => {
    const note = async (text: string | null) =>
      typeOf(await ask({ type: "UpdateDagRunNote", ti_id: ID, note: text }));
    const read = async () => (await ask({ type: "GetDagRun", dag_id: "d", run_id: "r" })).body;
    await note("hello");
    assert.is(await note(null), "OKResponse");
    assert.is((await read())?.["note"], "hello");
    assert.is((await store.dagRuns.get("d", "r"))?.note, "hello");
    await note("");
    assert.is((await read())?.["note"], null);
    const other = await ask({ type: "UpdateDagRunNote", ti_id: OTHER_ID, note: "x" });
    assert.is(detailOf(other).status_code, 403);
  }));

test("the date-times that stock accepts are read, each to the moment it names", () =>
  withPeer("2026-06-16", async (ask, { store }) => {
    for (const date of [
      "2026-06-20T01:02:03.5Z",
      "2026-06-20 01:02:03.500Z",
      "2026-06-20t03:02:03,5+0200",
      "2026-06-19_23:02:03.5\u221202:00",
      1781917323.5,
      1781917323500,
      at("2026-06-20T01:02:03.5Z"),
    ]) {
      const run = { type: "TriggerDagRun", dag_id: "d", run_id: `t ${String(date)}` };
      const answer = await ask({ ...run, logical_date: date });
      assert.is(typeOf(answer), "OKResponse", `${String(date)}: ${JSON.stringify(answer.error)}`);
      const stored = await store.dagRuns.get("d", run.run_id);
      assert.is(stored?.logicalDate, "2026-06-20T01:02:03.500000+00:00", String(date));
    }
  }));

test.run();
