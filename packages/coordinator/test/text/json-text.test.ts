import { emitJson, emitText } from "@parlance/coordinator/text";
import { test } from "uvu";
import * as assert from "uvu/assert";

function piecesOf(work: (emit: (piece: string) => void) => void): readonly string[] {
  const pieces: string[] = [];
  work((piece) => pieces.push(piece));
  return pieces;
}

test("writes what JSON.stringify writes", () => {
  const values = [
    null,
    true,
    -1.5,
    "",
    'a"\\\n\u0000\ud800😀',
    [],
    {},
    [[], [{}], {}],
    [undefined, 1],
    { b: 1, "2": [null], "": { a: undefined, 'q"': "x" }, last: undefined },
    { first: undefined, second: 2 },
    JSON.parse('{"__proto__":{"a":1}}'),
    Number.NaN,
  ];
  for (const value of values) {
    assert.is(piecesOf((emit) => emitJson(value, emit)).join(""), JSON.stringify(value));
  }
});

test("a long text comes in pieces, and no character is cut in two", () => {
  const text = `x${"😀".repeat(1_200_000)}`;
  const pieces = piecesOf((emit) => emitText(text, emit));
  assert.ok(pieces.every((piece) => piece.length <= 1_048_577));
  assert.ok(pieces.join("") === JSON.stringify(text));
});

test("what readers take for line ends, and what a terminal acts upon, is escaped", () => {
  const text = "\u001b[0m\u007f\u0085\u009b31m\u061c\u200e\u2028\u2029\u202e\u2066é😀";
  const json = piecesOf((emit) => emitText(text, emit)).join("");
  assert.match(json, /^"[\x20-\x7e]+é😀"$/);
  assert.is(JSON.parse(json), text);
});

test.run();
