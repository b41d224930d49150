import {
  encodeRequestFrame,
  encodeResponseFrame,
  type FrameError,
  isFrameError,
} from "@parlance/framing";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

class Point {
  readonly x = 1;
}

const REFUSED: readonly (readonly [what: string, value: unknown])[] = [
  ["a lone surrogate", "a\ud800"],
  ["a lone surrogate in long text", `${"x".repeat(300)}\udc00`],
  ["a function", () => 1],
  ["a symbol", Symbol("s")],
  ["undefined in an array", [1, undefined]],
  ["a hole", new Array(2)],
  ["an instance of a class", new Point()],
  ["a Set", new Set([1])],
  ["an Error", new Error("x")],
  ["a Float32Array", new Float32Array(2)],
  ["an ArrayBuffer", new ArrayBuffer(2)],
  ["a boxed number", Object(1)],
  ["an invalid Date", new Date(Number.NaN)],
  ["a promise", Promise.resolve()],
  ["2^64", 2n ** 64n],
  ["-2^63-1", -(2n ** 63n) - 1n],
  ["a function as map key", new Map([[() => 1, 1]])],
];

for (const [what, value] of REFUSED) {
  test(`${what} is refused with its path`, () => {
    const call = (): unknown =>
      encodeRequestFrame({ id: 1, body: { rows: [0, { "a b": value }] } });
    const error = throws(call, "cannot-encode") as FrameError;
    assert.ok(isFrameError(error));
    assert.ok(error.path?.startsWith('body.rows[1]["a b"]'), error.path);
    assert.ok(error.message.includes("encodeRequestFrame: body.rows[1]"), error.message);
  });
}

test("a body is null or a map with text keys", () => {
  for (const body of ["text", 1, [1], new Map([[1, 1]]), new Date(), new Point(), true]) {
    throws(() => encodeRequestFrame({ id: 1, body }), "cannot-encode");
    throws(() => encodeResponseFrame({ id: 1, body }), "cannot-encode");
    throws(() => encodeResponseFrame({ id: 1, error: body }), "cannot-encode");
  }
});

test("an id is an integer of 64 bits", () => {
  for (const id of [1.5, Number.NaN, 2 ** 53, 2n ** 64n, "1" as never, null as never]) {
    const error = throws(() => encodeRequestFrame({ id, body: null }), "cannot-encode");
    assert.match(error.message, /id/);
  }
});

test("a carrier is text to text", () => {
  for (const carrier of [{ a: 1 }, [1], "x", new Map([[1, "x"]])]) {
    const call = (): unknown =>
      encodeRequestFrame({ id: 1, body: null, carrier: carrier as never });
    throws(call, "cannot-encode");
  }
});

test("what a getter throws, and an object that changes while it is read", () => {
  const thrower = {
    get a(): number {
      throw new RangeError("mine");
    },
  };
  assert.throws(() => encodeRequestFrame({ id: 1, body: { thrower } }), /mine/);
  let reads = 0;
  const moody = {
    get a(): number | undefined {
      return reads++ === 0 ? 1 : undefined;
    },
  };
  throws(() => encodeRequestFrame({ id: 1, body: { moody } }), "cannot-encode");
});

test("an object of another realm, or without a prototype, is a map", async () => {
  const { runInNewContext } = await import("node:vm");
  const foreign: object = runInNewContext("({ a: [1] })");
  const bare: object = Object.assign(Object.create(null), { a: [1] });
  const expected = encodeRequestFrame({ id: 1, body: { a: [1] } });
  assert.equal(encodeRequestFrame({ id: 1, body: foreign }), expected);
  assert.equal(encodeRequestFrame({ id: 1, body: bare }), expected);
});

test("a polluted Object.prototype adds nothing", () => {
  const prototype = Object.prototype as { polluted?: number };
  prototype.polluted = 1;
  try {
    assert.is(encodeRequestFrame({ id: 1, body: {} }).length, 7);
  } finally {
    delete prototype.polluted;
  }
});

test("each frame has bytes of its own", () => {
  const first = encodeRequestFrame({ id: 1, body: { a: "first" } });
  const kept = Buffer.from(first);
  encodeRequestFrame({ id: 2, body: { a: "other" } });
  assert.is(Buffer.compare(first, kept), 0);
});

test.run();
