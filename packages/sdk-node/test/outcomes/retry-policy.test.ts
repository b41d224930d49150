import {
  InvalidRequestError,
  type RetryPolicy,
  type TaskContext,
  TaskError,
} from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { decideRetry } from "../../dist/runtime/decide-retry.js";
import { mappedLength } from "../../dist/runtime/mapped-length.js";

const retried = { shouldRetry: true, tryNumber: 2 } as TaskContext;

function decide(error: unknown, policy?: unknown, context = retried) {
  const told: unknown[] = [];
  const log = { error: (_event: string, { error }: { error: unknown }) => void told.push(error) };
  const decision = decideRetry(error, context, policy as RetryPolicy | undefined, log as never);
  const { retry, retryAfterMs, retryReason } = decision;
  return { decision: [retry, retryAfterMs, retryReason], told: told.map(String) };
}

test("a policy is asked for errors that say nothing themselves, while tries are left", () => {
  const policy: RetryPolicy = (error, { tryNumber }) =>
    error instanceof RangeError
      ? { retryAfterMs: tryNumber * 1000, retryReason: "quota" }
      : undefined;
  assert.equal(decide(new RangeError("no"), policy).decision, [true, 2000, "quota"]);
  assert.equal(decide(new Error("no"), policy).decision, [undefined, undefined, undefined]);
  assert.equal(decide("text", () => ({ retry: false })).decision, [false, null, null]);
  const own = new TaskError("own", { retryAfterMs: 5 });
  assert.equal(decide(own, policy).decision, [true, 5, null]);
  const last = { shouldRetry: false } as TaskContext;
  const { decision, told } = decide(new Error("no"), () => assert.unreachable(), last);
  assert.equal([decision, told], [[undefined, undefined, undefined], []]);
});

test("a policy that fails or answers nonsense has not been asked, and that is logged", () => {
  for (const [policy, message] of [
    [() => ({ retryAfterMs: "soon" }), /retryAfterMs is the text "soon", expected milliseconds/],
    [() => ({ retry: false, retryAfterMs: 1 }), /retryAfterMs is 1, expected none/],
    [() => 7, /retryPolicy: its argument is 7, expected \{ retry/],
    [async () => ({}), /expected no promise/],
    [
      () => {
        throw new Error("broken");
      },
      /broken/,
    ],
  ] as const) {
    const { decision, told } = decide(new Error("no"), policy);
    assert.equal(decision, [undefined, undefined, undefined]);
    assert.match(String(told[0]), message);
  }
});

test("the length of a list or a map is sent where tasks are expanded over it", () => {
  const plain = { mapIndex: -1 } as TaskContext;
  assert.is(mappedLength(["a", "b", "c"], plain), 3);
  assert.is(mappedLength({ a: 1, b: 2 }, plain), 2);
  assert.is(mappedLength([], plain), 0);
  assert.is(mappedLength("text", { mapIndex: 0 } as TaskContext), undefined);
  for (const [value, said] of [
    [undefined, "missing"],
    [null, "null"],
    ["text", 'the text "text"'],
    [new Date(0), "a Date"],
  ] as const) {
    try {
      mappedLength(value, plain);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, InvalidRequestError);
      assert.match((error as Error).message, `result is ${said}, expected a list or a map`);
    }
  }
});

test.run();
