import { load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { exactPower } from "../../dist/math/exact-power.js";
import { power } from "../../dist/math/power.js";
import { roundRatio } from "../../dist/math/round-ratio.js";

const positive = fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true });
const decimal = fc.integer({ min: 1, max: 1000 }).map((hundredths) => hundredths / 100);
const nearOne = fc
  .tuple(fc.boolean(), fc.integer({ min: 1, max: 52 }))
  .map(([above, bits]) => (above ? 1 + 2 ** -bits : 1 - 2 ** -bits / 2));
const base = fc.oneof(positive, decimal, nearOne);

test("the quick way gives what whole numbers give", () => {
  fc.assert(
    fc.property(base, fc.integer({ min: 0, max: 400 }), (value, exponent) => {
      assert.is(power(value, exponent), exactPower(value, exponent));
    }),
    { numRuns: load(40_000) },
  );
});

test("the exact way is the power of the fraction that a double is, rounded once", () => {
  fc.assert(
    fc.property(base, fc.integer({ min: -30, max: 30 }), (value, exponent) => {
      const [numerator, denominator] = fractionOf(value);
      const count = BigInt(Math.abs(exponent));
      const [top, bottom] = [numerator ** count, denominator ** count];
      const expected = exponent < 0 ? roundRatio(bottom, top) : roundRatio(top, bottom);
      assert.is(exactPower(value, exponent), expected);
    }),
    { numRuns: load(10_000) },
  );
});

test("a fraction is rounded to the nearest double, ties to even, down to the smallest", () => {
  fc.assert(
    fc.property(positive, (value) => {
      const [numerator, denominator] = fractionOf(value);
      assert.is(roundRatio(numerator, denominator), value);
      // A quarter of the gap above it still belongs to it.
      const gap = 2n ** 1100n;
      assert.is(roundRatio(numerator * gap + 1n, denominator * gap), value);
      assert.is(roundRatio(-numerator, denominator), -value);
    }),
    { numRuns: load(10_000) },
  );
  assert.is(roundRatio(2n ** 53n + 1n, 1n), 2 ** 53);
  assert.is(roundRatio(2n ** 53n + 3n, 1n), 2 ** 53 + 4);
  assert.is(roundRatio(1n, 2n ** 1075n), 0);
  assert.is(roundRatio(3n, 2n ** 1075n), 2 ** -1073);
  assert.is(roundRatio(2n ** 1024n - 2n ** 970n, 1n), Number.POSITIVE_INFINITY);
  assert.is(roundRatio(2n ** 1024n - 2n ** 970n - 1n, 1n), Number.MAX_VALUE);
  assert.is(roundRatio(1n, 10n), 0.1);
});

test("the ends of the range", () => {
  assert.is(power(2, 1023), 2 ** 1023);
  assert.is(power(2, 1024), Number.POSITIVE_INFINITY);
  assert.is(power(2, -1074), 2 ** -1074);
  assert.is(power(2, -1075), 0);
  assert.is(power(5e-324, 2), 0);
  assert.is(power(5e-324, -1), Number.POSITIVE_INFINITY);
  assert.is(power(1e308, 2), Number.POSITIVE_INFINITY);
  assert.is(power(Number.MAX_VALUE, 1), Number.MAX_VALUE);
  assert.is(power(Number.POSITIVE_INFINITY, 0), 1);
  assert.is(power(Number.POSITIVE_INFINITY, -1), 0);
  assert.is(power(Number.POSITIVE_INFINITY, 3), Number.POSITIVE_INFINITY);
  assert.is(power(1.5, Number.MAX_SAFE_INTEGER), Number.POSITIVE_INFINITY);
  assert.is(power(0.5, Number.MAX_SAFE_INTEGER), 0);
});

test("exponents of any size end soon", () => {
  assert.is(power(1 + 2 ** -52, 2 ** 52), Math.E);
  assert.is(power(1 - 2 ** -53, Number.MAX_SAFE_INTEGER), 1 / Math.E);
  assert.is(power(1 + 2 ** -52, -(2 ** 52)), 0.3678794411714424);
});

test("whole numbers beyond 2^53 are not rounded before", () => {
  const value = 2n ** 65n + 1n;
  assert.is(power(value, 3), Number(value ** 3n));
  assert.is(power(10n ** 400n, 0), 1);
  assert.is(power(10n ** 400n, 1), Number.POSITIVE_INFINITY);
  assert.is(power(10n ** 400n, -1), Number.POSITIVE_INFINITY); // as a double it is too large already
  assert.is(power(10n ** 30n, -2), exactPower(1e30, -2));
  assert.is(power(10n ** 30n, Number.MAX_SAFE_INTEGER), Number.POSITIVE_INFINITY);
});

/** The fraction that a double above 0 is, exactly. */
function fractionOf(value: number): [bigint, bigint] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const field = Number(raw >> 52n);
  const mantissa = (raw & (2n ** 52n - 1n)) + (field === 0 ? 0n : 2n ** 52n);
  const exponent = Math.max(field, 1) - 1075;
  return exponent < 0
    ? [mantissa, 2n ** BigInt(-exponent)]
    : [mantissa * 2n ** BigInt(exponent), 1n];
}

test.run();
