import { join } from "node:path";
import {
  ArgvCoordinator,
  type ExecuteTaskRequest,
  type FinalState,
  type LogRecord,
  MemoryTaskStore,
  type TaskResult,
} from "@parlance/coordinator";
import type { SchemaVersion } from "@parlance/protocol/schema-version";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { fixture, pack } from "../airflow/support/pack.ts";

// Every state a task may end in, under our own coordinator: what it judges, and what is in the store.

const RUN_ID = "manual__1";
const VERSIONS: readonly SchemaVersion[] = ["2026-06-16", "2026-10-30"];

for (const schemaVersion of VERSIONS) {
  const folder = await pack(fixture("states.ts"), "states", ["--schema-version", schemaVersion]);
  const argv = [join(folder, "states")];
  registerTests(new ArgvCoordinator({ argv, schemaVersion }), `schema ${schemaVersion}:`);
}

interface Ran extends TaskResult {
  readonly logs: readonly LogRecord[];
}

function registerTests(coordinator: ArgvCoordinator, label: string): void {
  const run = async (
    store: MemoryTaskStore,
    taskId: string,
    more: Partial<ExecuteTaskRequest> & { readonly shouldRetry?: boolean } = {},
  ): Promise<Ran> => {
    const { shouldRetry = false, ...request } = more;
    const logs: LogRecord[] = [];
    const taskInstance = { dagId: "states", runId: RUN_ID, taskId, tryNumber: 1, shouldRetry };
    const logSink = { write: (record: LogRecord) => void logs.push(record) };
    const result = await coordinator.executeTask({ taskInstance, store, logSink, ...request });
    return { ...result, logs };
  };
  const xcom = async (store: MemoryTaskStore, taskId: string): Promise<unknown> => {
    const found = await store.xcoms.list({ dagId: "states", runId: RUN_ID, taskId, mapIndex: -1 });
    return found.find(({ key }) => key === "return_value")?.value;
  };

  const ENDS: readonly (readonly [taskId: string, state: FinalState, shouldRetry?: boolean])[] = [
    ["success", "success"],
    ["failed", "failed"],
    ["failed", "up_for_retry", true],
    ["for_good", "failed", true],
    ["up_for_retry", "up_for_retry", true],
    ["skipped", "skipped", true],
    ["removed", "removed", true],
    ["not_there", "removed", true],
    ["up_for_reschedule", "up_for_reschedule"],
    ["deferred", "deferred"],
    ["awaiting_input", "awaiting_input"],
    ["too_slow", "up_for_retry", true],
    ["nothing_left", "failed"],
    ["nothing_left", "up_for_retry", true],
    ["exits", "failed"],
    ["rejects", "failed"],
    ["throws_text", "failed"],
    ["maps", "success"],
  ];
  for (const [taskId, state, shouldRetry] of ENDS) {
    test(`${label} ${taskId} is ${state}`, async () => {
      const { finalState, exitCode, error } = await run(new MemoryTaskStore(), taskId, {
        shouldRetry: shouldRetry ?? false,
      });
      assert.equal([finalState, exitCode, error], [state, 0, undefined]);
    });
  }

  test(`${label} a retry has the delay and the reason that the task gave`, async () => {
    const { retry } = await run(new MemoryTaskStore(), "up_for_retry", { shouldRetry: true });
    assert.equal(retry, { delaySeconds: 90.5, reason: "TaskError: the quota is used up" });
  });

  test(`${label} tasks behind are skipped in the store, the task itself succeeds`, async () => {
    const store = new MemoryTaskStore();
    assert.is((await run(store, "skip_downstream")).finalState, "success");
    for (const [taskId, mapIndex] of [
      ["a", -1],
      ["b", 1],
    ] as const) {
      const ref = { dagId: "states", runId: RUN_ID, taskId, mapIndex };
      assert.is((await store.taskInstances.get(ref))?.state, "skipped", taskId);
    }
  });

  test(`${label} a deferred task goes on with the event, or fails as its trigger did`, async () => {
    const store = new MemoryTaskStore();
    assert.is((await run(store, "deferred")).finalState, "deferred");
    const resume = { event: { done: [1] } };
    assert.is((await run(store, "deferred", { resume })).finalState, "success");
    assert.equal(await xcom(store, "deferred"), {
      ...{ method: "woken", event: { done: [1] } },
      ...{ page: 7, since: "2026-06-16T03:04:05.678Z" },
    });
    const other = new MemoryTaskStore();
    await run(other, "deferred");
    const late = await run(other, "deferred", { resume: { failure: "Trigger timeout" } });
    assert.is(late.finalState, "failed");
    assert.match(String(late.logs.at(-1)?.["error"]), /^DeferralError: /);
  });

  test(`${label} a question to a person is stored, and the answer reaches the task`, async () => {
    const store = new MemoryTaskStore();
    await run(store, "awaiting_input");
    const [question] = await store.hitl.list({ pending: true });
    assert.is(question?.subject, "Ship it?");
    assert.equal(question?.options, ["yes", "no"]);
    assert.equal(question?.defaults, ["no"]);
    assert.equal(question?.assignedUsers, [{ id: "1", name: "Ada" }]);
    const event = {
      ...{ chosen_options: ["yes"], params_input: { count: 4 }, timedout: false },
      ...{ responded_at: null, responded_by_user: null },
    };
    assert.is((await run(store, "awaiting_input", { resume: { event } })).finalState, "success");
    assert.equal(await xcom(store, "awaiting_input"), {
      ...{ chosenOptions: ["yes"], params: { count: 4 } },
      ...{ respondedBy: null, timedOut: false },
    });
  });

  test(`${label} a rescheduled task starts anew and knows since when it runs`, async () => {
    const store = new MemoryTaskStore();
    await run(store, "up_for_reschedule");
    assert.is((await run(store, "up_for_reschedule")).finalState, "success");
    const value = (await xcom(store, "up_for_reschedule")) as { rescheduleCount: number };
    assert.is(value.rescheduleCount, 1);
  });

  test(`${label} a task that is stopped cleans up, and is a failure`, async () => {
    const stop = new AbortController();
    const logs: LogRecord[] = [];
    const result = await run(new MemoryTaskStore(), "killed", {
      shouldRetry: true,
      signal: stop.signal,
      logSink: {
        write: (record: LogRecord) => {
          logs.push(record);
          if (record.event === "waiting") stop.abort();
        },
      },
    });
    assert.equal([result.finalState, result.exitCode], ["up_for_retry", 0]);
    assert.ok(logs.some(({ event }) => event === "cancelled"));
  });
}

test.run();
