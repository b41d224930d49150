import {
  awaitInput,
  Bundle,
  defer,
  fromTask,
  reschedule,
  skip,
  skipDownstream,
  TaskError,
  TaskRemovedError,
} from "@parlance/sdk-node";
import { runTask, TestAirflow } from "@parlance/sdk-node/testing";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("skip, reschedule, removal and errors with a wish of their own are states", async () => {
  const skipped = await runTask(() => skip("nothing to do"));
  assert.is(skipped.state, "skipped");
  assert.ok(
    skipped.logs.some(({ event, fields }) =>
      `${event} ${JSON.stringify(fields)}`.includes("nothing to do"),
    ),
  );

  const at = new Date("2026-07-01T00:00:00.000Z");
  const later = await runTask(() => reschedule(at));
  assert.is(later.state, "up_for_reschedule");
  assert.equal(later.rescheduleAt, at);

  const removed = await runTask(() => {
    throw new TaskRemovedError("gone");
  });
  assert.is(removed.state, "removed");

  const again = await runTask(
    () => {
      throw new TaskError("busy", { retryAfterMs: 90_000, retryReason: "quota" });
    },
    { maxTries: 3 },
  );
  assert.is(again.state, "up_for_retry");
  assert.equal(again.retry, { delayMs: 90_000, reason: "quota" });
  const never = await runTask(
    () => {
      throw new TaskError("no", { retry: false });
    },
    { maxTries: 3 },
  );
  assert.is(never.state, "failed");
});

test("a deferral is told with its trigger, and the handler goes on with an event", async () => {
  const handler: Parameters<typeof runTask>[0] = ({ resumed }) => {
    if (resumed !== null) return { event: resumed.event, kwargs: resumed.kwargs };
    const trigger = { classpath: "x.Y", kwargs: { at: new Date(0), n: 1 }, timeoutMs: 90_500 };
    return defer(trigger, { resumeMethod: "after", kwargs: { id: 7 } });
  };
  const first = await runTask(handler);
  assert.is(first.state, "deferred");
  assert.equal(
    { ...first.deferral, kwargs: null },
    {
      classpath: "x.Y",
      kwargs: null,
      timeoutMs: 90_500,
      resumeMethod: "after",
      resumeKwargs: { id: 7 },
    },
  );
  assert.is(Number(first.deferral?.kwargs["at"]), 0);
  const second = await runTask(handler, { resume: { ...first.deferral, event: "done" } });
  assert.equal(second.returnValue, { event: "done", kwargs: { id: 7 } });
  const late = await runTask(handler, { resume: { failure: "timeout" } });
  assert.is(late.state, "failed");
});

test("a question to a person, and its answer", async () => {
  const handler: Parameters<typeof runTask>[0] = ({ resumed }) => {
    if (resumed !== null) return resumed.answer?.chosenOptions;
    return awaitInput({ subject: "Go?", options: ["yes", "no"], params: { why: { value: "?" } } });
  };
  const asked = await runTask(handler);
  assert.is(asked.state, "awaiting_input");
  assert.is(asked.question?.subject, "Go?");
  assert.equal(asked.question?.options, ["yes", "no"]);
  assert.equal(asked.question?.params, { why: "?" });
  const answered = await runTask(handler, { resume: { answer: { chosenOptions: ["no"] } } });
  assert.equal(answered.returnValue, ["no"]);
});

test("skipDownstream, asset events and states are told", async () => {
  const airflow = new TestAirflow({ assets: [{ name: "a", uri: "s3://a", state: { at: 1 } }] });
  const outcome = await airflow.run(async ({ client }) => {
    await skipDownstream(["b", { taskId: "c", mapIndex: 2 }]);
    await client.assets.emit({ name: "a" }, { extra: { rows: 1 } });
    const at = await client.assetState({ name: "a" }).get<number>("at");
    await client.taskState.set("job", { id: 7, at });
  });
  assert.is(outcome.state, "success", JSON.stringify(outcome.logs));
  assert.equal(outcome.skippedTasks, ["b", ["c", 2]]);
  assert.equal(
    outcome.assetEvents.map(({ name, uri, extra }) => ({ name, uri, extra })),
    [{ name: "a", uri: "s3://a", extra: { rows: 1 } }],
  );
  assert.equal(outcome.taskState, { job: { id: 7, at: 1 } });
  const next = await airflow.run(async ({ client }) => {
    const [event] = await client.assets.listEvents({ name: "a" });
    return [event?.extra, await client.taskState.get("job")];
  });
  assert.equal(next.returnValue, [{ rows: 1 }, { id: 7, at: 1 }]);
});

test("inputs: given to a bare handler, pulled in a bundle, or bound by the call in Python", async () => {
  const total = ({ inputs }: { readonly inputs: { readonly rows: readonly number[] } }) =>
    inputs.rows.length;
  assert.is((await runTask(total, { inputs: { rows: [1, 2] } })).returnValue, 2);

  const bundle = new Bundle().task("d", "t", { inputs: { rows: fromTask<number[]>("up") } }, total);
  const pulled = await runTask(bundle, { xcoms: { up: [1, 2, 3] } });
  assert.is(pulled.returnValue, 3, JSON.stringify(pulled.logs));
  const bound = await runTask(bundle, { callArguments: { rows: [1] } });
  assert.is(bound.returnValue, 1);
  const result = await runTask(bundle, { callResults: { rows: "other" }, xcoms: { other: [] } });
  assert.is(result.returnValue, 0);
  const missing = await runTask(bundle);
  assert.is(missing.state, "failed");
  const both = await rejects(runTask(bundle, { inputs: { rows: [] } } as never));
  assert.match(both.message, /bare handler/);
});

test("tasks of the same moment do not meddle with one another", async () => {
  const [one, two, three] = await Promise.all([
    runTask(async () => {
      await new Promise(setImmediate);
      await skipDownstream("a");
    }),
    runTask(async () => {
      await skipDownstream("b");
      await new Promise(setImmediate);
      skip();
    }),
    runTask(() => {
      try {
        skip("not now");
      } catch {}
    }),
  ]);
  assert.equal([one.skippedTasks, two.skippedTasks], [["a"], ["b"]]);
  assert.equal([one.state, two.state, three.state], ["success", "skipped", "success"]);
  const warned = [one, two, three].map(({ logs }) => logs.some(({ level }) => level === "warning"));
  assert.equal(warned, [false, false, true]);
});
