import { createSerializer, decodeException, encodeException, TaskFailure } from "@parlance/results";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

test("a TaskFailure is stored as the Python exception that it names", () => {
  const failure = new TaskFailure({ type: "ValueError", module: "builtins", args: ["bad", 1] });
  assert.is(failure.message, "ValueError: bad, 1");
  assert.is(failure.name, "TaskFailure");
  assert.equal(Object.entries(encodeException(failure)), [
    ["exc_type", "ValueError"],
    ["exc_message", ["bad", 1]],
    ["exc_module", "builtins"],
  ]);
  assert.equal(decodeException(encodeException(failure)), failure);
});

test("JavaScript errors are stored under their name in a module that no Python has", () => {
  class HttpError extends Error {}
  const odd = new Error("x");
  odd.name = "bad\0name";
  const stored = (error: unknown) => {
    const { exc_type, exc_message, exc_module } = encodeException(error);
    assert.is(exc_module, "parlance.javascript");
    return [exc_type, exc_message];
  };
  assert.equal(stored(new RangeError("too far")), ["RangeError", ["too far"]]);
  assert.equal(stored(new HttpError("404")), ["HttpError", ["404"]]);
  assert.equal(stored(odd), ["Error", ["x"]]);
  assert.equal(stored(new DOMException("stop", "AbortError")), ["AbortError", ["stop"]]);
  assert.equal(stored("text"), ["Error", ["text"]]);
  assert.equal(stored({ code: 1 }), ["Error", [{ code: 1 }]]);
  assert.equal(stored(undefined), ["Error", [undefined]]);
});

test("arguments that can't be written become text, one by one", async () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const args = [new Set([1]), "fine", () => 1, cycle, new Date("2024-01-01T00:00:00Z")];
  const failure = new TaskFailure({ type: "E", args });
  const json = encodeException(failure).exc_message;
  assert.equal(json.slice(0, 2), ["Set(1) { 1 }", "fine"]);
  assert.type(json[2], "string");
  assert.match(String(json[3]), /Circular/);
  assert.instance(json[4], Date);
  const msgpack = encodeException(failure, await createSerializer("msgpack")).exc_message;
  assert.match(String(msgpack[4]), /2024/);
  const long = new TaskFailure({ type: "E", args: [new Set(["x".repeat(5000)])] });
  assert.ok(String(encodeException(long).exc_message[0]).length < 1100);
});

test("stored exceptions are read in all forms that Celery reads", () => {
  const read = (value: unknown) => {
    const failure = decodeException(value);
    return failure === null ? null : [failure.type, failure.module, failure.args];
  };
  assert.is(read(null), null);
  assert.is(read({}), null);
  assert.is(read([]), null);
  assert.is(read(""), null);
  assert.equal(read({ exc_type: "A" }), ["A", null, [""]]);
  assert.equal(read({ exc_type: "A", exc_message: "m", exc_module: null }), ["A", null, ["m"]]);
  assert.equal(read(new Map([["exc_type", "A"]])), ["A", null, [""]]);
  assert.equal(
    read([
      ["exc_type", "A"],
      ["exc_message", ["m"]],
    ]),
    ["A", null, ["m"]],
  );
  assert.equal(read({ exc_type: "system", exc_module: "os", exc_message: "ls" }), [
    "system",
    "os",
    ["ls"],
  ]);
  for (const value of [
    "boom",
    [1, 2],
    5,
    { exc_message: ["m"] },
    { exc_type: 5 },
    { exc_type: "A", exc_module: 1 },
    { exc_type: "" },
  ]) {
    throws(() => decodeException(value), "cannot-decode");
  }
});

test("a TaskFailure that Celery could not rebuild is refused", () => {
  for (const facts of [
    { type: "" },
    { type: "a\0" },
    { type: "\ud800" },
    { type: "A", module: "" },
    { type: "A", args: "x" },
  ]) {
    assert.throws(() => new TaskFailure(facts as unknown as { type: string }), TypeError);
  }
});

test.run();
