import { Timestamp } from "@parlance/framing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { body, openClient, present } from "../support/open-client.ts";

const TIME = new Timestamp(1_781_571_723n, 123_456_000);

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

test.run();
