import {
  awaitInput,
  defer,
  InvalidRequestError,
  isTaskOutcome,
  reschedule,
  skip,
  skipDownstream,
  TaskError,
} from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";

/** Calls as plain JavaScript may: with any arguments. */
const untyped = (call: unknown, ...args: readonly unknown[]) =>
  (call as (...args: readonly unknown[]) => unknown)(...args);

function thrownBy(call: unknown, ...args: readonly unknown[]): unknown {
  try {
    untyped(call, ...args);
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const trigger = { classpath: "a.B" };
const ask = (more: object) => ({ subject: "Go?", options: ["yes", "no"], ...more });
const loop: Record<string, unknown> = {};
loop["self"] = loop;

const REFUSED: readonly (readonly [call: unknown, args: readonly unknown[], message: string])[] = [
  [skip, [7], "skip(…): its argument is 7, expected text"],
  [reschedule, [], "reschedule(…): its argument is missing, expected a valid Date or { afterMs }"],
  [
    reschedule,
    ["2026-06-16"],
    'reschedule(…): its argument is the text "2026-06-16", expected a valid',
  ],
  [reschedule, [new Date("no")], "its argument is an invalid Date"],
  [reschedule, [{}], "reschedule(…): afterMs is missing, expected milliseconds"],
  [reschedule, [{ afterMs: -1 }], "reschedule(…): afterMs is -1, expected milliseconds from 0"],
  [reschedule, [{ afterMs: Number.POSITIVE_INFINITY }], "afterMs is Infinity"],
  [defer, [], "defer(…): its argument is missing, expected a trigger such as"],
  [defer, [{ classpath: "" }], "defer(…): classpath is empty text, expected a Python class"],
  [defer, [{ classpath: "B" }], 'defer(…): classpath is the text "B", expected a Python class'],
  [defer, [{ classpath: "a..B" }], "defer(…): classpath is the text"],
  [defer, [{ ...trigger, kwargs: [1] }], "defer(…): kwargs is an array, expected an object"],
  [defer, [{ ...trigger, timeoutMs: 0 }], "defer(…): timeoutMs is 0, expected milliseconds from 1"],
  [defer, [{ ...trigger, timeoutMs: "PT1S" }], 'defer(…): timeoutMs is the text "PT1S"'],
  [defer, [{ ...trigger, queue: 1 }], "defer(…): queue is 1, expected text"],
  [defer, [{ ...trigger, kwargs: { f: () => 1 } }], "/f is a function"],
  [defer, [{ ...trigger, kwargs: { n: Number.NaN } }], "/n is NaN"],
  [defer, [trigger, { resumeMethod: 1 }], "defer(…): resumeMethod is 1, expected a word"],
  [defer, [trigger, { kwargs: { loop } }], "/loop/self is a value that contains itself"],
  [awaitInput, [{ options: ["a"] }], "awaitInput(…): subject is missing, expected a headline"],
  [awaitInput, [{ subject: "?" }], "awaitInput(…): options is missing, expected a list"],
  [
    awaitInput,
    [ask({ options: [] })],
    "awaitInput(…): options is an empty array, expected at least",
  ],
  [awaitInput, [ask({ options: ["a", 1] })], "awaitInput(…): options.1 is 1, expected text"],
  [awaitInput, [ask({ options: ["a", "a"] })], 'awaitInput(…): options.1 is the text "a"'],
  [
    awaitInput,
    [ask({ defaults: "maybe" })],
    'defaults.0 is the text "maybe", expected one of yes, no',
  ],
  [awaitInput, [ask({ defaults: ["yes", "no"] })], "defaults is an array, expected one option"],
  [awaitInput, [ask({ multiple: 1 })], "awaitInput(…): multiple is 1, expected true or false"],
  [awaitInput, [ask({ params: { n: 3 } })], "params.n is 3, expected a field"],
  [
    awaitInput,
    [ask({ params: { _options: {} } })],
    "params._options is an object, expected another",
  ],
  [
    awaitInput,
    [ask({ params: { n: { schema: 1 } } })],
    "params.n.schema is 1, expected a JSON schema",
  ],
  [awaitInput, [ask({ assignees: "ada" })], 'assignees is the text "ada", expected a list'],
  [awaitInput, [ask({ assignees: [{ name: "Ada" }] })], "assignees.0.id is missing"],
];

for (const [call, args, message] of REFUSED) {
  test(`refused: ${message}`, () => {
    const error = thrownBy(call, ...args);
    assert.instance(error, InvalidRequestError);
    assert.ok((error as Error).message.includes(message), (error as Error).message);
  });
}

test("a TaskError with wrong options is refused", () => {
  for (const [options, path] of [
    [{ retry: "no" }, "/retry"],
    [{ retryAfterMs: -1 }, "/retryAfterMs"],
    [{ retryReason: 1 }, "/retryReason"],
    [{ retry: false, retryAfterMs: 1 }, "/retryAfterMs"],
  ] as const) {
    const error = thrownBy((given: object) => new TaskError("no", given), options);
    assert.is((error as InvalidRequestError).path, path);
  }
  const cause = new Error("why");
  const error = new TaskError("later", { retryAfterMs: 0, cause });
  assert.equal([error.retry, error.retryAfterMs, error.retryReason], [true, 0, null]);
  assert.is(error.cause, cause);
  assert.is(error.name, "TaskError");
});

test("skipDownstream is refused before anything is sent, and outside of a task", async () => {
  for (const [tasks, message] of [
    [[""], "skipDownstream(…): 0 is empty text, expected a task id"],
    [[{ taskId: "a" }], "skipDownstream(…): 0.mapIndex is missing"],
    [[{ taskId: "a", mapIndex: -2 }], "skipDownstream(…): 0.mapIndex is -2"],
    [7, "skipDownstream(…): its argument is 7, expected a task id"],
    ["a", "skipDownstream(…) was called where no task runs"],
  ] as const) {
    const error = await (untyped(skipDownstream, tasks) as Promise<void>).catch((each) => each);
    assert.ok(String(error.message).includes(message), error.message);
  }
});

test("what is thrown says what was asked for, and keeps what was given", () => {
  const at = new Date(0);
  const outcome = thrownBy(reschedule, at);
  at.setFullYear(2000);
  assert.ok(isTaskOutcome(outcome));
  assert.equal(outcome.facts, { kind: "reschedule", at: new Date(0) });
  assert.is(String(outcome), "TaskOutcome: the task starts again at 1970-01-01T00:00:00.000Z");
  assert.not(isTaskOutcome(new Error("no")));
  const deferred = thrownBy(defer, { ...trigger, kwargs: { moment: at } });
  assert.ok(isTaskOutcome(deferred) && deferred.facts.kind === "defer");
  assert.equal(deferred.facts.triggerKwargs, { moment: at });
});

test.run();
