import { Extension, Float, Timestamp } from "@parlance/framing";
import fc from "fast-check";

const key: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("__proto__", "constructor", "toString", "$", "", "0", "10", "a".repeat(300)),
);

const int64: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 64n - 1n, 2n ** 53n, -(2n ** 53n), 2n ** 63n),
);

/** A bigint only where a number would not be exact, as the decoder gives it. */
const integer: fc.Arbitrary<number | bigint> = fc
  .oneof(int64, fc.integer({ min: -300, max: 70_000 }).map(BigInt), fc.maxSafeInteger().map(BigInt))
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));

const bytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 40 });

const timestamp: fc.Arbitrary<Timestamp> = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 0n, max: 2n ** 35n }),
    ),
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999_999 })),
  )
  .map(([seconds, nanoseconds]) => new Timestamp(seconds, nanoseconds));

const extension: fc.Arbitrary<Extension> = fc
  .tuple(
    fc.integer({ min: -128, max: 127 }).filter((type) => type !== -1),
    fc.uint8Array({ maxLength: 20 }),
  )
  .map(([type, data]) => new Extension(type, data));

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false),
  integer,
  fc.double().filter((value) => !Number.isInteger(value) || Object.is(value, -0)),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "grapheme", minLength: 250, maxLength: 300 }),
  bytes,
  timestamp,
  extension,
);

/** Any value the wire can carry, in the form the decoder gives it. */
export const wireValue: fc.Arbitrary<unknown> = fc.letrec<{ node: unknown; map: object }>(
  (tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("node"), { maxLength: 20 }),
      tie("map"),
      // At least one key that is not text: else the decoder gives a plain object.
      fc
        .array(fc.tuple(fc.oneof(key, fc.integer(), fc.constant(null)), tie("node")), {
          maxLength: 6,
        })
        .map((entries) => new Map<unknown, unknown>([...entries, [true, 1]])),
    ),
    map: textMap(tie("node")),
  }),
).node;

/** A body: null or a map with text keys. */
export const wireBody: fc.Arbitrary<object | null> = fc.option(textMap(wireValue));

function textMap(value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.array(fc.tuple(key, value), { maxLength: 20 }).map((entries) => {
    const object = {};
    for (const [name, item] of entries) {
      const field = { value: item, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(object, name, field);
    }
    return object;
  });
}

/** What JSON can hold, without the one key on which other codecs fail. */
export const jsonBody: fc.Arbitrary<object> = fc
  .dictionary(fc.string({ unit: "grapheme", maxLength: 12 }), fc.jsonValue({ maxDepth: 4 }), {
    noNullPrototype: true,
  })
  .filter((body) => !JSON.stringify(body).includes("__proto__"));

export const wholeFloat: fc.Arbitrary<Float> = fc
  .oneof(fc.integer(), fc.constantFrom(0, -0, 1e300, 2 ** 53))
  .map((value) => new Float(value));
