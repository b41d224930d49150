import { createHash } from "node:crypto";
import { retryHashText } from "@parlance/retry";
import { load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { hashModulo } from "../../dist/hash/hash-modulo.js";
import { sha1 } from "../../dist/hash/sha1.js";

const hex = (text: string): string =>
  sha1(text)
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("");

test("any text is hashed as node:crypto hashes it", () => {
  // Of any script; fast-check's own texts of that kind take a second to set up.
  const range = (min: number, max: number) => fc.integer({ min, max });
  const unit = fc.oneof(
    range(0, 0x7f),
    range(0x80, 0x7ff),
    range(0x800, 0xd7ff),
    range(0xe000, 0x10ffff),
  );
  const wide = fc.array(unit, { maxLength: 70 }).map((units) => String.fromCodePoint(...units));
  const text = fc.oneof(fc.string({ maxLength: 150 }), wide);
  fc.assert(
    fc.property(text, (value) => {
      assert.is(hex(value), createHash("sha1").update(value).digest("hex"));
    }),
    { numRuns: load(4_000) },
  );
});

test("every length around the ends of blocks", () => {
  for (let length = 0; length < 200; length++) {
    for (const unit of ["x", "é", "語"]) {
      const text = unit.repeat(length);
      assert.is(hex(text), createHash("sha1").update(text).digest("hex"), `${length} of ${unit}`);
    }
  }
});

test("half of a surrogate pair has no hash", () => {
  for (const text of ["\ud800", "a\udfff", "\ud83d x", "\ude80\ud83d"]) {
    const error = throws(() => sha1(text), "lone-surrogate");
    assert.match(error.message, /U\+D|U\+DE80/);
  }
  assert.is(hex("\u{1f680}").length, 40);
});

test("the remainder is that of the whole number of 160 bits", () => {
  const modulus = fc.oneof(
    fc.integer({ min: 1, max: 2 ** 21 }),
    fc.integer({ min: 1, max: 2 ** 37 }),
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  );
  fc.assert(
    fc.property(fc.string(), modulus, (text, value) => {
      const expected = BigInt(`0x${createHash("sha1").update(text).digest("hex")}`) % BigInt(value);
      assert.is(hashModulo(sha1(text), value), Number(expected));
    }),
    { numRuns: load(20_000) },
  );
  for (const edge of [1, 2, 2 ** 21, 2 ** 21 + 1, 2 ** 37, 2 ** 37 + 1, 86_400]) {
    const expected = BigInt(`0x${hex("edge")}`) % BigInt(edge);
    assert.is(hashModulo(sha1("edge"), edge), Number(expected));
  }
});

test("the text to be hashed", () => {
  const input = { dagId: "a#b", taskId: "c", tryNumber: 3 };
  assert.is(retryHashText({ ...input, logicalDate: null }), "a#b#c#None#3");
  const logicalDate = "2026-01-02T03:04:05+01:00";
  assert.is(retryHashText({ ...input, logicalDate }), "a#b#c#2026-01-02 02:04:05+00:00#3");
  assert.is(
    retryHashText({ ...input, logicalDate, logicalDateOffset: "kept" }),
    "a#b#c#2026-01-02 03:04:05+01:00#3",
  );
  assert.is(
    retryHashText({ ...input, logicalDate: new Date("2026-01-02T03:04:05.120Z") }),
    "a#b#c#2026-01-02 03:04:05.120000+00:00#3",
  );
  throws(() => retryHashText({ ...input, logicalDate: "2026-01-02T03:04:05" }), "naive-date");
});

test.run();
