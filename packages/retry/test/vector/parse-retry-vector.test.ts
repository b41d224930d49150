import { answerVector, parseRetryVector } from "@parlance/retry";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

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
