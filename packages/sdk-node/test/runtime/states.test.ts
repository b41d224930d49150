import type { WireMap } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answer, type RunOptions, run } from "../support/fake-supervisor.ts";

const task = (taskId: string, options: Partial<RunOptions> = {}) =>
  run({ fixture: "states.mjs", taskId, ...options });

const stored: Partial<RunOptions> = {
  answer: (body): Answer | undefined => {
    if (body["type"] !== "CreateHITLDetailPayload") return undefined;
    const { type: _type, ...question } = body;
    return { body: { type: "HITLDetailRequestResult", ...question } };
  },
};

/** Without its date, which is checked to be one of this century with a zone. */
function undated(body: WireMap | undefined): object {
  const { end_date, ...rest } = body ?? {};
  if (end_date !== undefined) assert.match(String(end_date), /^20\d\d-.*Z$/);
  return rest;
}

const skipped = { type: "TaskState", state: "skipped" };

test("skip: the task is skipped, its reason logged", async () => {
  const { bodies, logs, exitCode } = await task("skip", { context: { should_retry: true } });
  assert.equal(bodies.map(undated), [skipped]);
  assert.equal(
    logs.map(({ level, event, reason }) => [level, event, reason]),
    [["info", "Task skipped", "nothing new"]],
  );
  assert.is(exitCode, 0);
});

test("skip in code that nobody waits for fails the task and says so", async () => {
  const { terminal, logs } = await task("skip-nobody-waits");
  assert.equal(terminal.map(undated), [{ type: "TaskState", state: "failed" }]);
  assert.match(String(logs.at(-1)?.["error"]), /called where nobody waits for it/);
});

test("what ends a handler and is caught leaves a success, with a warning", async () => {
  const { terminal, logs } = await task("skip-in-catch");
  assert.is(terminal[0]?.["type"], "SucceedTask");
  assert.is(logs.at(-1)?.level, "warning");
  assert.match(String(logs.at(-1)?.["caught"]), /not now/);
});

test("skipDownstream: the tasks are named, this one succeeds", async () => {
  const { bodies } = await task("skip-downstream");
  assert.equal(bodies.slice(0, -1), [
    { type: "SkipDownstreamTasks", tasks: ["a", ["b", 2]] },
    { type: "SkipDownstreamTasks", tasks: ["c"] },
  ]);
  assert.is(bodies.at(-1)?.["type"], "SucceedTask");
});

test("reschedule: at a date, or after a time", async () => {
  const { bodies, exitCode } = await task("reschedule");
  assert.equal(bodies.map(undated), [
    {
      type: "RescheduleTask",
      state: "up_for_reschedule",
      reschedule_date: "2026-06-16T03:04:05.678Z",
    },
  ]);
  assert.is(exitCode, 0);
  const began = Date.now();
  const { bodies: after } = await task("reschedule-after");
  const waits = Date.parse(String(after[0]?.["reschedule_date"])) - began;
  assert.ok(waits >= 60_000, String(waits));
});

test("defer: trigger, time-out and what the next start gets", async () => {
  const { bodies, exitCode } = await task("defer");
  assert.equal(bodies, [
    {
      type: "DeferTask",
      state: "deferred",
      classpath: "a.b.Trigger",
      trigger_kwargs: { moment: 1.5, tags: ["x"] },
      trigger_timeout: "PT90.5S",
      queue: null,
      next_method: "woken",
      next_kwargs: { page: 7 },
    },
  ]);
  assert.is(exitCode, 0);
});

test("a deferred task starts again with the event", async () => {
  const context = { next_method: "woken", next_kwargs: { page: 7, event: { done: [1] } } };
  const { bodies } = await task("defer", { context });
  assert.equal(bodies[0]?.["value"], {
    method: "woken",
    event: { done: [1] },
    kwargs: { page: 7 },
    answer: null,
  });
});

test("a trigger that failed, or was too late, fails the task without its handler", async () => {
  for (const [error, traceback, expected] of [
    ["Trigger timeout", null, /had not happened when its time was over/],
    [
      "Trigger failure",
      ["Traceback\n", "ValueError: no\n"],
      /the trigger failed: .*ValueError: no/,
    ],
  ] as const) {
    const { terminal, logs } = await task("defer", {
      context: {
        should_retry: true,
        next_method: "__fail__",
        next_kwargs: { error, traceback: traceback && [...traceback] },
      },
    });
    assert.is(terminal[0]?.["type"], "RetryTask");
    assert.match(String(terminal[0]?.["retry_reason"]), expected);
    assert.match(String(logs.at(-1)?.["error"]), expected);
  }
});

test("awaitInput: the question is stored first, then the task waits", async () => {
  const { bodies, exitCode } = await task("ask", stored);
  const ti_id = "01a229d4-f37f-7d3f-86ca-4781063d5c26";
  const count = { value: 3, description: "how many", schema: { type: "integer" }, source: "task" };
  assert.equal(bodies, [
    {
      ...{ type: "CreateHITLDetailPayload", ti_id, subject: "Ship it?", body: "**really**" },
      ...{ options: ["yes", "no"], defaults: ["no"], multiple: false, params: { count } },
      assigned_users: [{ id: "1", name: "Ada" }],
    },
    {
      ...{ type: "AwaitInputTask", state: "awaiting_input", timeout: "PT3600S" },
      ...{ next_method: "resume", next_kwargs: {} },
    },
  ]);
  assert.is(exitCode, 0);
});

test("a question that Airflow refuses fails the task", async () => {
  const error = { type: "ErrorResponse", error: "API_SERVER_ERROR", detail: { status_code: 422 } };
  const { terminal } = await task("ask", { answer: () => ({ error }) });
  assert.is(terminal.length, 1);
  assert.is(terminal[0]?.["state"], "failed");
});

test("the answer arrives in words of ours", async () => {
  const event = {
    chosen_options: ["yes"],
    params_input: { count: 4 },
    responded_at: {
      __classname__: "datetime.datetime",
      __version__: 2,
      __data__: { timestamp: 1_781_571_723.5, tz: null },
    },
    responded_by_user: { id: "1", name: "Ada" },
    timedout: false,
  };
  const { bodies } = await task("ask", {
    context: { next_method: "resume", next_kwargs: { event } },
  });
  assert.equal(bodies[0]?.["value"], {
    chosenOptions: ["yes"],
    params: { count: 4 },
    respondedAt: "2026-06-16T01:02:03.500Z",
    respondedBy: { id: "1", name: "Ada" },
    timedOut: false,
  });
});

test("TaskRemovedError: the task is removed", async () => {
  const { bodies, exitCode } = await task("removed", { context: { should_retry: true } });
  assert.equal(bodies.map(undated), [{ type: "TaskState", state: "removed" }]);
  assert.is(exitCode, 0);
});

test("TaskError: for good, or with a delay of its own", async () => {
  const retried = { context: { should_retry: true } };
  const failed = { type: "TaskState", state: "failed" };
  assert.equal((await task("for-good", retried)).bodies.map(undated), [failed]);
  assert.equal((await task("later", retried)).bodies.map(undated), [
    {
      ...{ type: "RetryTask", state: "up_for_retry" },
      ...{ retry_delay_seconds: 1.5, retry_reason: "quota used up" },
    },
  ]);
});

test("a retry policy is asked, and the length of a result that is mapped over is sent", async () => {
  const { terminal } = await task("policy", {
    context: { should_retry: true },
    taskInstance: { try_number: 2 },
  });
  assert.equal(undated(terminal[0]), {
    ...{ type: "RetryTask", state: "up_for_retry", retry_delay_seconds: 2 },
    retry_reason: "Error: no",
  });
  assert.is((await task("maps")).bodies[0]?.["mapped_length"], 3);
});

test("a rendered map index goes along with every report", async () => {
  const { bodies } = await task("map-index", { taskInstance: { map_index: 1 } });
  assert.equal(bodies.map(undated), [
    { type: "SetRenderedMapIndex", rendered_map_index: "EMEA" },
    { ...skipped, rendered_map_index: "EMEA" },
  ]);
});

test.run();
