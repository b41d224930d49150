import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";

const QUESTION = {
  dag_id: "etl",
  task_id: "load",
  logical_date: "2026-01-02T03:04:05+00:00",
  end_date: "2026-01-02T04:00:00+00:00",
  try_number: 1,
  retry_delay_us: 300_000_000,
  multiplier: 2,
};
const ANSWER = '{"delay_us":512000000,"next_retry":"2026-01-02T04:08:32.000000+00:00"}\n';

test("all 1,299 recorded vectors: the digits of a delay, or an error where Airflow has one", async () => {
  // Each question as it stands in the file, so that whole numbers keep their digits.
  const texts = readRecorded()
    .split("\n")
    .filter((line) => line.startsWith('{"id"'));
  assert.is(texts.length, 1299);
  const questions = texts.map((text) => text.replace(/, "out": .*$/, "}"));
  const run = await parlance(["retry", "delay"], { stdin: `${questions.join("\n")}\n` });
  assert.is(run.code, 0, run.stderr);
  const answers = run.stdout.trimEnd().split("\n");
  assert.is(answers.length, texts.length);
  for (const [at, text] of texts.entries()) {
    const delay = /"delay_us": (-?\d+)/.exec(text)?.[1];
    const next = /"next_retry": "([^"]+)"/.exec(text)?.[1];
    if (delay === undefined) assert.match(answers[at] ?? "", /^\{"error":"[a-z-]+"\}$/, text);
    else assert.is(answers[at], `{"delay_us":${delay},"next_retry":"${next}"}`, text);
  }
});

test("a value that Airflow refuses is an answer", async () => {
  const noText = { ...QUESTION, layer: "memory", end_date: 5 };
  const stdin = [
    noText,
    { ...QUESTION, multiplier: "abc" },
    { ...QUESTION, end_date: null },
    QUESTION,
  ]
    .map((each) => `${JSON.stringify(each)}\n`)
    .join("");
  const run = await parlance(["retry", "delay"], { stdin });
  assert.is(run.code, 0);
  assert.is(
    run.stdout,
    `{"error":"bad-date"}\n{"error":"wrong-type"}\n{"error":"missing-end-date"}\n${ANSWER}`,
  );
});

test("a line that is no question ends it with 65 and its number, after the answers before", async () => {
  const good = JSON.stringify(QUESTION);
  for (const bad of [
    "x",
    "[]",
    "{}",
    '{"dag_id":"etl"}',
    JSON.stringify({ ...QUESTION, layer: "x" }),
  ]) {
    const run = await parlance(["retry", "delay", "--json"], {
      stdin: `${good}\n\n${bad}\n${good}\n`,
    });
    assert.is(run.code, 65, bad);
    assert.is(run.stdout, ANSWER);
    assert.is(errorOf(run).code, "bad-vector");
    assert.match(errorOf(run).message, /^line 3: /);
  }
  const bytes = Buffer.concat([Buffer.from(`${good}\n`), Buffer.of(0xff, 0x0a)]);
  assert.match(
    (await parlance(["retry", "delay"], { stdin: bytes })).stderr,
    "line 2: it is no UTF-8",
  );
  assert.is((await parlance(["retry", "delay", "/no/such/file"])).code, 65);
});

function readRecorded(): string {
  return readFileSync(new URL("../../retry/test/data/next-retry.json", import.meta.url), "utf8");
}

test.run();
