import { Bundle, describeBundle, literal, serve, TaskStub } from "@parlance/sdk-node";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const handler = () => 1;

test("registers, reads back and lists in order", () => {
  const bundle = new Bundle()
    .task("b", "2", handler)
    .task("a", "x", handler)
    .task("b", "1", handler);
  assert.is(bundle.getHandler("b", "1"), handler);
  assert.is(bundle.getHandler("b", "x"), undefined);
  assert.is(bundle.getHandler("toString", "x"), undefined);
  assert.equal(bundle.list(), [
    ["b", ["2", "1"]],
    ["a", ["x"]],
  ]);
  assert.equal(describeBundle(bundle).order, bundle.list());
});

test("the same task twice is an error that changes nothing", () => {
  const bundle = new Bundle().task("d", "t", handler);
  const error = throws(() => bundle.task("d", "t", () => 2), "duplicate-task");
  assert.match(error.message, /"d", "t"/);
  assert.is(error.name, "RegistrationError");
  assert.is(bundle.getHandler("d", "t"), handler);
});

test("ids are held to Airflow's own rule", () => {
  const bundle = new Bundle();
  for (const id of ["a", "ä.b-c_1", "\u4e2d\u6587", "g.inner", "x".repeat(250)]) {
    bundle.task(id, id, handler);
  }
  for (const id of ["", "a b", "a/b", "a\n", "x".repeat(251), 7, null, undefined]) {
    throws(() => bundle.task(id as string, "t", handler), "bad-id");
    throws(() => bundle.task("new", id as string, handler), "bad-id");
  }
  assert.is(bundle.list().length, 5, "failing calls add no Dag");
});

test("a handler that is no function, a bundle that is none", () => {
  for (const value of [undefined, null, {}, "f"]) {
    throws(() => new Bundle().task("d", "t", value as never), "bad-handler");
  }
  throws(() => serve({} as Bundle), "bad-bundle");
  throws(() => serve(undefined as never), "bad-bundle");
});

test("inputs that are none, and two that would take the same argument, are refused", () => {
  const register = (inputs: unknown) => new Bundle().task("d", "t", { inputs } as never, handler);
  for (const inputs of [null, [], "rows", { rows: "extract" }, { rows: {} }]) {
    throws(() => register(inputs), "bad-option");
  }
  throws(() => register({ userId: literal(1), user_id: literal(2) }), "bad-option");
  throws(() => register({ a: literal(1), b: literal(2, { argument: "a" }) }), "bad-option");
  const inputs = { userId: literal(1, { argument: "id" }), user_id: literal(2) };
  assert.equal(register(inputs).getTask("d", "t")?.inputs, inputs);
});

test("a stub is registered with what the Dag says of it, and options besides", () => {
  const inputs = { limit: literal(1) };
  const stub = new TaskStub<typeof inputs, number>("d", "t", inputs, { multipleOutputs: true });
  const bundle = new Bundle().task(
    stub,
    { executionTimeoutMs: 5 },
    ({ inputs: { limit } }) => limit,
  );
  const task = bundle.getTask("d", "t");
  assert.is(task?.inputs, inputs);
  assert.equal(task?.options, { multipleOutputs: true, executionTimeoutMs: 5 });
  throws(() => new Bundle().task(stub, undefined as never), "bad-handler");
  const negative = () => new Bundle().task(stub, { executionTimeoutMs: -1 }, () => 1);
  assert.match(throws(negative, "bad-option").message, "executionTimeoutMs is -1, expected milli");
});

test.run();
