import * as assert from "uvu/assert";
import { endTriggeredRuns } from "../support/end-triggered-runs.ts";
import type { Flow } from "../support/flow.ts";
import { RUN_ID } from "../support/python-tasks.ts";

const ref = (taskId: string) => ({ dagId: "proof", runId: RUN_ID, taskId, mapIndex: -1 });
const WHEN = {
  __classname__: "datetime.datetime",
  __version__: 2,
  __data__: { timestamp: 1767398400.5, tz: null },
};

/** Sensors that reschedule themselves: counted, the first start kept, timed out by it. */
export const rescheduled: Flow = async ({ run, instance, store, version }) => {
  const retry = { spec: { shouldRetry: true, maxTries: 2 } };
  const first = await run("sense_wait");
  assert.is(first.finalState, "up_for_reschedule");
  const before = await instance("sense_wait");
  assert.is(before.rescheduleCount, 1);
  assert.is(before.firstStartDate, before.startDate);
  assert.ok(Date.parse(before.rescheduleDate ?? "") > Date.parse(before.startDate ?? ""));

  const second = await run("sense_wait");
  assert.is(second.finalState, "up_for_reschedule");
  const after = await instance("sense_wait");
  assert.equal([after.id, after.rescheduleCount], [before.id, 2]);
  assert.is(after.firstStartDate, before.firstStartDate);
  assert.ok(String(after.startDate) > String(before.startDate));
  assert.equal(await store.taskInstances.history(ref("sense_wait")), [], "it is the same try");
  const asked = second.sent.some(({ type }) => type === "GetTaskRescheduleStartDate");
  assert.is(asked, version === "3.3.2", "3.4 is told at the start");

  await Promise.all(
    (["sense_timeout", "sense_soft"] as const).map(async (taskId) => {
      assert.is((await run(taskId, retry)).finalState, "up_for_reschedule");
      const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
      await store.taskInstances.update(ref(taskId), { firstStartDate: anHourAgo });
      const { finalState } = await run(taskId, retry);
      assert.is(finalState, taskId === "sense_soft" ? "skipped" : "failed", "no retry, either");
    }),
  );
  assert.is((await run("sense_ok")).finalState, "success");
};

/** A deferred task is resumed with an event, once; or fails as its trigger did. */
export const deferred: Flow = async ({ run, instance, xcoms, store }) => {
  assert.is((await run("defer_echo")).finalState, "deferred");
  const before = await instance("defer_echo");
  assert.is(before.state, "deferred");
  assert.is(before.nextMethod, "done");
  assert.is((before.nextKwargs as Record<string, unknown>)["extra"], "kw");
  assert.match(String(before.deferral?.["classpath"]), /DateTimeTrigger$/);
  // A resumed try keeps what it had left.
  await store.xcoms.set({ ...ref("defer_echo"), key: "kept" }, 1);

  const resume = { event: { a: [1, 2], when: WHEN } };
  assert.is((await run("defer_echo", { resume })).finalState, "success");
  assert.equal(await xcoms("defer_echo"), {
    kept: 1,
    return_value: { event: [1, 2], type: "datetime", kw: ["extra", "when"] },
  });
  const after = await instance("defer_echo");
  assert.equal([after.id, after.startDate, after.state], [before.id, before.startDate, "success"]);
  assert.equal([after.nextMethod, after.nextKwargs, after.deferral], [null, null, null]);
  const again = await run("defer_echo", { resume });
  assert.is(again.error?.code, "nothing-to-resume");
  assert.is((await instance("defer_echo")).state, "success");

  assert.is((await run("defer")).finalState, "deferred");
  const late = await run("defer", {
    spec: { shouldRetry: true, maxTries: 2 },
    resume: { failure: "Trigger timeout" },
  });
  assert.is(late.finalState, "failed", "a sensor's time-out is no reason for a retry");
};

/** Questions to people: kept, answered, and the task resumed with the answer. */
export const humanInput: Flow = async ({ run, instance, xcoms, store }) => {
  const [hitl, approve] = await Promise.all([run("hitl"), run("approve")]);
  assert.equal([hitl?.finalState, approve?.finalState], ["awaiting_input", "awaiting_input"]);
  const { id: tiId } = await instance("hitl");
  const pending = await store.hitl.list({ pending: true });
  assert.is(pending.length, 2);
  const question = pending.find((detail) => detail.tiId === tiId);
  assert.is(question?.subject, "Choose 2026-01-02");
  assert.equal(question?.options, ["yes", "no"]);
  assert.equal(question?.assignedUsers, [{ id: "1", name: "ann" }]);

  const user = { id: "1", name: "ann" };
  const answered = {
    chosenOptions: ["yes"],
    paramsInput: { reason: "y" },
    respondedBy: user,
    respondedAt: "2026-01-03T00:00:00Z",
  };
  assert.is(await store.hitl.respond(String(tiId), answered), true);
  const event = (options: readonly string[], input: object) => {
    return {
      event: {
        chosen_options: options,
        params_input: input,
        responded_at: WHEN,
        responded_by_user: user,
        timedout: false,
      },
    };
  };
  const [chosen, rejected] = await Promise.all([
    run("hitl", { resume: event(["yes"], { reason: "y" }) }),
    run("approve", { resume: event(["Reject"], {}) }),
  ]);
  assert.equal([chosen?.finalState, rejected?.finalState], ["success", "success"]);
  const { return_value: value } = await xcoms("hitl");
  assert.equal((value as Record<string, unknown>)["chosen_options"], ["yes"]);
  assert.is((await instance("hitl")).id, tiId);
  assert.is((await instance("after_approve")).state, "skipped");
};

/** Runs of other Dags: triggered once, waited for, deferred for. */
export const triggeredRuns: Flow = async ({ run, store, xcoms }) => {
  assert.is((await run("trig")).finalState, "success");
  const made = await store.dagRuns.get("other", "fixed_run");
  assert.equal([made?.state, made?.conf], ["queued", { a: 1 }]);
  assert.is((await xcoms("trig"))["trigger_run_id"], "fixed_run");
  assert.is((await run("trig")).finalState, "failed", "there is one of that id");
  assert.is((await run("trig_defer")).finalState, "failed");

  endTriggeredRuns(store, "success");
  assert.is((await run("trig_wait")).finalState, "success");
};
