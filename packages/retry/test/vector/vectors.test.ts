import { answerVector, parseRetryVector, type RetryVector } from "@parlance/retry";
import { compareRetryAnswer, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type GoldenVector, readGolden } from "../support/golden.ts";

const golden = readGolden();

test("the golden file is whole", () => {
  const counts: Record<string, number> = {};
  for (const { vector } of golden) counts[vector.layer] = (counts[vector.layer] ?? 0) + 1;
  assert.equal(counts, { sdk: 721, direct: 259, mapped: 196, memory: 123 });
  const classes: Record<string, number> = {};
  for (const { out } of golden) {
    const outcome = out.rejected ?? out.unreadable ?? out.error ?? "delay";
    classes[outcome] = (classes[outcome] ?? 0) + 1;
  }
  assert.equal(classes, {
    delay: 1276,
    TypeError: 5,
    ValueError: 7,
    OverflowError: 9,
    UnicodeEncodeError: 1,
    DeserializationError: 1,
  });
});

for (const layer of ["sdk", "mapped", "memory", "direct"]) {
  test(`all vectors of the layer ${layer} are answered as recorded`, () => {
    for (const one of golden) if (one.vector.layer === layer) checkAlike(one);
  });
}

test("the places where one unit in the last place decides are among them", () => {
  const traps = golden.filter(({ vector }) => vector.note?.startsWith("pow() rounding trap"));
  assert.is(traps.length, 64); // 32 of a plain task, 32 of a mapped one
});

function checkAlike({ line, vector, out }: GoldenVector): void {
  const differences = compareRetryAnswer(answerVector(parseRetryVector(line)), out);
  assert.equal(differences, [], `vector ${vector.id}`);
}

const PLAIN: RetryVector = {
  layer: "sdk",
  dag_id: "etl",
  task_id: "load",
  logical_date: "2026-01-02T03:04:05+00:00",
  end_date: "2026-01-02T04:00:00+00:00",
  try_number: 1,
  retry_delay_us: 300_000_000,
  multiplier: 2,
};

test("fields of the wrong kind are answered with a code, not thrown", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ dag_id: 5 }, "bad-input"],
    [{ try_number: 1.5 }, "bad-input"],
    [{ try_number: "1" }, "bad-input"],
    [{ retry_delay_us: 1.5 }, "bad-input"],
    [{ retry_delay_us: "300" }, "bad-input"],
    [{ retry_delay_us: { $int: "1e5" } }, "bad-input"],
    [{ max_retry_delay_us: {} }, "bad-input"],
    [{ max_task_retry_delay_s: 0.5 }, "bad-input"],
    [{ max_task_retry_delay_s: "60" }, "bad-input"],
    [{ override_seconds: "3" }, "wrong-type"],
    [{ override_seconds: {} }, "wrong-type"],
    [{ multiplier: {}, layer: "direct" }, "wrong-type"],
    [{ multiplier: "2", layer: "direct" }, "wrong-type"],
    [{ multiplier: null, layer: "direct" }, "wrong-type"],
    [{ retry_delay_us: null, layer: "direct" }, "wrong-type"],
    [{ logical_date: "2026-01-02T03:04:05" }, "naive-date"],
    [{ logical_date: 5 }, "bad-date"],
    [{ end_date: "soon" }, "bad-date"],
    [{ end_date: 5, layer: "memory" }, "bad-date"],
    [{ logical_date: {}, layer: "memory" }, "bad-date"],
    [{ dag_id: null, multiplier: 0 }, "bad-input"],
    [{ layer: "memory", logical_date: "2026-01-02T03:04:05+01:00[Europe/Paris]" }, "bad-input"],
  ];
  for (const [change, code] of cases) {
    const answer = answerVector({ ...PLAIN, ...change } as RetryVector);
    assert.is("error" in answer ? answer.error : "a delay", code, JSON.stringify(change));
  }
});

test("an explicit delay of a vector may be a boolean or of any size", () => {
  const delayOf = (override_seconds: unknown): unknown => {
    const answer = answerVector({ ...PLAIN, override_seconds } as RetryVector);
    return "error" in answer ? answer.error : answer.delayUs;
  };
  assert.is(delayOf(true), 1_000_000n);
  assert.is(delayOf({ $int: "1000000000" }), 1_000_000_000_000_000n);
  assert.is(delayOf({ $int: "9".repeat(30) }), "out-of-range");
});

const START =
  '{"dag_id":"d","task_id":"12345678901234567890","logical_date":null,"end_date":"2026-01-01T00:00:00Z","try_number":1,';

test("whole numbers keep their digits, text and fractions stay as they are", () => {
  const line = `${START}"retry_delay_us":9007199254740993,"multiplier":1.0000000000000002}`;
  const vector = parseRetryVector(line);
  assert.equal(vector.retry_delay_us, { $int: "9007199254740993" });
  assert.is(vector.multiplier, 1.0000000000000002);
  assert.is(vector.task_id, "12345678901234567890");
  assert.is(vector.layer, "sdk");
  const answer = answerVector({ ...vector, multiplier: 0 });
  assert.is("delayUs" in answer ? answer.delayUs : answer.error, 9_007_199_254_740_993n);
});

test("numbers with an exponent are doubles, however long", () => {
  const line = `${START}"retry_delay_us":0,"multiplier":12345678901234567890e-19}`;
  assert.is(parseRetryVector(line).multiplier, 1.2345678901234567);
});

test("an id of megabytes is read, whatever it is made of", () => {
  // At these lengths regular expressions for a text, simple and unrolled, overflow the stack.
  const ids = ["x".repeat(12_000_000), "\\\\".repeat(4_500_000), '\\"12345678901234567890\\\\'];
  for (const id of ids) {
    const line = `${START}"retry_delay_us":9007199254740993,"multiplier":0,"id":"${id}"}`;
    assert.equal(parseRetryVector(line).retry_delay_us, { $int: "9007199254740993" });
  }
});

test("what is no vector is refused", () => {
  for (const line of ["", "{", "null", "[]", '"x"', "5", "{}", '{"dag_id":"d"}']) {
    throws(() => parseRetryVector(line), "bad-input");
  }
  const error = throws(() => parseRetryVector('{"dag_id":"d","task_id":"t"}'), "bad-input");
  assert.match(error.message, /logical_date, end_date, try_number, retry_delay_us, multiplier/);
  throws(
    () => parseRetryVector(`${START}"retry_delay_us":0,"multiplier":2,"layer":"x"}`),
    "bad-input",
  );
});

test.run();
