import type { SuperviseResult } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type PackedRun, packedRuns } from "./support/packed-runs.ts";
import { superviseCases } from "./support/supervise-cases.ts";

// Every state a task may end in, under the real supervisors: what reaches the Execution API.

/** W3C. */
const TRACE = {
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  tracestate: "vendor=1",
};

for await (const run of packedRuns("states.ts", "states")) registerTests(run);

function registerTests({ version, schema, bundlesRoot, label }: PackedRun): void {
  const task = (taskId: string) => ({ dagId: "states", taskId });
  const retried = (taskId: string) => ({ ...task(taskId), maxTries: 1 });
  const resumed = (taskId: string, next_method: string, next_kwargs: object) => {
    return { ...task(taskId), store: { ti_context: { next_method, next_kwargs } } };
  };
  const again = { task_reschedule_count: 2, start_date: "2026-06-16T00:00:00Z" };
  const date = (timestamp: number, tz: unknown = null) => {
    return {
      __classname__: "datetime.datetime",
      __version__: 2,
      __data__: { timestamp, tz },
    };
  };
  const utc = {
    ...{ __classname__: "builtins.tuple", __version__: 1 },
    __data__: ["UTC", "pendulum.tz.timezone.FixedTimezone", 1, true],
  };
  const chosen = { chosen_options: ["yes"], params_input: { count: 4 }, timedout: false };
  const answered = {
    responded_at: date(1_781_571_723),
    responded_by_user: { id: "1", name: "Ada" },
  };
  const run = superviseCases(
    version,
    { bundlesRoot, store: {} },
    {
      success: task("success"),
      failed: task("failed"),
      failedRetried: retried("failed"),
      forGood: retried("for_good"),
      retry: retried("up_for_retry"),
      policy: retried("policy"),
      trace: { ...task("trace"), contextCarrier: TRACE },
      skipped: retried("skipped"),
      skipDownstream: task("skip_downstream"),
      removed: retried("removed"),
      unknown: retried("not_there"),
      reschedule: task("up_for_reschedule"),
      rescheduled: { ...task("up_for_reschedule"), store: { ti_context: again } },
      defer: task("deferred"),
      deferResumed: resumed("deferred", "woken", {
        ...{ page: 7, since: date(1_781_571_723.5) },
        event: { done: [1] },
      }),
      deferFailed: {
        ...resumed("deferred", "__fail__", { error: "Trigger timeout" }),
        maxTries: 1,
      },
      ask: task("awaiting_input"),
      askAnswered: resumed("awaiting_input", "resume", { event: { ...chosen, ...answered } }),
      tooSlow: retried("too_slow"),
      killed: { ...task("killed"), killAfterSeconds: 1 },
      nothingLeft: retried("nothing_left"),
      exits: retried("exits"),
      rejects: retried("rejects"),
      throwsText: retried("throws_text"),
      mapped: { ...task("mapped"), mapIndex: 2 },
      maps: task("maps"),
      cleared: {
        ...task("success"),
        store: {
          xcom_keys_to_clear: ["old"],
          xcoms: [{ task_id: "success", key: "old", value: 1 }],
        },
      },
    },
  );
  const isNewer = schema === "2026-10-30";
  const ends = (name: Parameters<typeof run>[0], expected: object, exitCode = 0) =>
    test(`${label} ${name}`, async () => {
      const result = await run(name);
      assert.is(result.supervisorError, null);
      assert.is(result.exitCode, exitCode);
      assert.equal(result.leftoverChildren, []);
      const { end_date, ...reported } = reportOf(result);
      assert.equal(reported, expected);
      assert.is(result.finalState, reported["state"]);
      assert.is(result.serverState, reported["state"]);
    });
  const success = { state: "success", task_outlets: [], outlet_events: [] };

  ends("success", success);
  ends("failed", { state: "failed" });
  ends("failedRetried", { state: "up_for_retry", retry_reason: "Error: no such table" });
  // What a newer server is told of a failure for good, an older one has no field for.
  const reason = isNewer ? { retry_reason: "TaskError: the input is wrong" } : {};
  ends("forGood", { state: "failed", ...reason });
  ends("retry", {
    ...{ state: "up_for_retry", retry_delay_seconds: 90.5 },
    retry_reason: "TaskError: the quota is used up",
  });
  ends("policy", { state: "up_for_retry", retry_delay_seconds: 7, retry_reason: "ours" });
  ends("skipped", { state: "skipped" });
  ends("removed", { state: "removed" });
  ends("unknown", { state: "removed" });
  ends("reschedule", {
    state: "up_for_reschedule",
    reschedule_date: "2026-06-16T03:04:05.678000Z",
  });
  ends("defer", {
    ...{ state: "deferred", next_method: "woken", trigger_timeout: "PT1M30.5S" },
    classpath: "airflow.providers.standard.triggers.temporal.DateTimeTrigger",
    trigger_kwargs: { moment: date(1_781_579_045.678, utc) },
    next_kwargs: { page: 7, since: date(1_781_579_045.678, utc) },
  });
  ends("deferFailed", {
    state: "up_for_retry",
    retry_reason: "DeferralError: what the task waited for had not happened when its time was over",
  });
  ends("ask", { state: "awaiting_input", next_method: "resume", next_kwargs: {}, timeout: "PT1H" });
  ends("tooSlow", {
    state: "up_for_retry",
    retry_reason: "TaskStoppedError: the task took longer than its execution timeout of 0.2 s",
  });
  for (const [name, text] of [
    ["nothingLeft", /^TaskStoppedError: the handler waits for something that can never come/],
    ["exits", /^TaskStoppedError: the program called process\.exit\(0\)/],
    ["rejects", /^Error: nobody waits$/],
    ["throwsText", /^just text$/],
  ] as const) {
    test(`${label} ${name} is a failure`, async () => {
      const result = await run(name);
      assert.is(result.serverState, "up_for_retry");
      assert.is(result.exitCode, 0);
      assert.match(String(reportOf(result)["retry_reason"]), text);
    });
  }

  test(`${label} the delay of a retry is the task's own`, async () => {
    const result = await run("retry");
    const { end_date } = reportOf(result) as { end_date: string };
    assert.is(Date.parse(String(result.nextRetryAt)) - Date.parse(end_date), 90_500);
  });

  test(`${label} a supervisor that can be told of a time-out has taken it`, async () => {
    const { taskLog } = await run("tooSlow");
    assert.not(taskLog.some(({ level }) => level === "warning"));
  });

  test(`${label} tasks behind are skipped, by id and by map index`, async () => {
    const { apiCalls, serverState } = await run("skipDownstream");
    const call = apiCalls.find(({ path }) => path.endsWith("/skip-downstream"));
    assert.equal(call?.body, { tasks: ["a", ["b", 1]] });
    assert.is(serverState, "success");
  });

  test(`${label} the question to a person is stored before the task waits`, async () => {
    const { apiCalls } = await run("ask");
    const stored = apiCalls.findIndex(({ path }) => path.startsWith("hitlDetails/"));
    const { ti_id, type, ...question } = (apiCalls[stored]?.body ?? {}) as {
      readonly [field: string]: unknown;
    };
    const count = { value: 3, description: null, schema: { type: "integer" }, source: "task" };
    assert.equal(question, {
      ...{ subject: "Ship it?", body: null, options: ["yes", "no"], defaults: ["no"] },
      ...{ multiple: false, params: { count }, assigned_users: [{ id: "1", name: "Ada" }] },
    });
    assert.ok(stored < apiCalls.findIndex(({ body }) => stateOf(body) === "awaiting_input"));
  });

  test(`${label} a task goes on where it was left`, async () => {
    const value = async (name: Parameters<typeof run>[0]) => {
      const { xcoms, serverState } = await run(name);
      assert.is(serverState, "success", name);
      return xcoms.find(({ key }) => key === "return_value")?.value;
    };
    assert.equal(await value("deferResumed"), {
      ...{ method: "woken", event: { done: [1] } },
      ...{ page: 7, since: "2026-06-16T01:02:03.500Z" },
    });
    assert.equal(await value("askAnswered"), {
      ...{ chosenOptions: ["yes"], params: { count: 4 }, timedOut: false },
      ...{ respondedBy: { id: "1", name: "Ada" }, respondedAt: "2026-06-16T01:02:03.000Z" },
    });
    assert.equal(await value("trace"), TRACE);
    assert.equal(await value("rescheduled"), {
      ...{ rescheduleCount: 2, firstStartDate: "2026-06-16T00:00:00.000Z" },
    });
  });

  test(`${label} a task that is ended from outside cleans up and leaves`, async () => {
    const { taskLog, finalState, leftoverChildren, exitCode } = await run("killed");
    assert.ok(taskLog.some(({ event }) => event === "cancelled"));
    assert.is(String(finalState).toLowerCase(), "server_terminated");
    assert.equal(leftoverChildren, []);
    assert.is(exitCode, 0);
  });

  test(`${label} map index in words, and the length of a list`, async () => {
    const mapped = await run("mapped");
    assert.is(reportOf(mapped)["rendered_map_index"], "part 2");
    const { apiCalls } = await run("maps");
    const call = apiCalls.find(
      ({ path, method }) => path.startsWith("xcoms/") && method === "POST",
    );
    assert.is(call?.query?.["mapped_length"], "3");
  });

  test(`${label} an XCom of an earlier try is gone`, async () => {
    const { xcoms } = await run("cleared");
    assert.equal(
      xcoms.map(({ key }) => key),
      ["return_value"],
    );
  });
}

/** What the server was told last of the task's state, without what is null and its own fields. */
function reportOf({ apiCalls }: SuperviseResult): { readonly [field: string]: unknown } {
  const body = apiCalls.findLast((call) => call.path.endsWith("/state"))?.body ?? {};
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

function stateOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "state" in body ? body.state : undefined;
}

test.run();
