import { readdirSync, readFileSync } from "node:fs";
import { type LogRecord, readLogLine, readOutputLine } from "@parlance/coordinator";
import { LineDecoder } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";

type Chunk = string | { readonly repeat: string; readonly count: number };
interface LogCase {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly chunks_hex: readonly Chunk[] };
  readonly expected: {
    readonly stock: {
      readonly written: readonly Record<string, unknown>[];
      readonly reported_as_malformed: number;
      readonly reader_killed_by: string | null;
    };
  };
}

const NOW = new Date("2026-06-16T10:00:00.5Z");
const folder = new URL("../../test/cases/", import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.startsWith("LOG-"))
  .map((name): LogCase => JSON.parse(readFileSync(new URL(name, folder), "utf8")));

function read(chunks: readonly Chunk[]): LogRecord[] {
  const decoder = new LineDecoder({ maxLineBytes: 64 * 1024 * 1024 });
  const bytes = chunks.map((chunk) =>
    typeof chunk === "string"
      ? Buffer.from(chunk, "hex")
      : Buffer.from(chunk.repeat.repeat(chunk.count), "hex"),
  );
  const lines = [...bytes.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
  return lines.map((line) => readLogLine(line, NOW));
}

const isWarning = (record: LogRecord): boolean => record.logger === "parlance.supervisor";

/** Lines that stock drops without a word, or breaks on, and what we make of them. */
const DIFFERENCES: { readonly [id: string]: { readonly warnings: number; readonly why: string } } =
  {
    "LOG-01": { warnings: 1, why: "stock's reader breaks on a line that is no object" },
    "LOG-03": { warnings: 1, why: "stock's reader breaks on a record without a level" },
    "LOG-04": { warnings: 3, why: "stock drops unknown levels without a word" },
    "LOG-05": { warnings: 1, why: "stock drops notset without a word" },
    "LOG-08": { warnings: 1, why: "stock's reader breaks on a numeric timestamp" },
    "LOG-18": {
      warnings: 0,
      why: "stock's reader breaks on a field msg, which is a field like any other here",
    },
  };

test("all 17 cases are there", () => assert.is(cases.length, 17));

for (const { id, title, input, expected } of cases) {
  test(`${id}: ${title}`, () => {
    const records = read(input.chunks_hex);
    const warnings = records.filter(isWarning);
    const { written, reported_as_malformed } = expected.stock;
    assert.is(warnings.length, DIFFERENCES[id]?.warnings ?? reported_as_malformed);
    for (const warning of warnings) {
      assert.is(warning.level, "warning");
      assert.ok("line" in warning || "line_base64" in warning);
    }
    const kept = records.filter((record) => !isWarning(record));
    if (id in DIFFERENCES && written.length === 0) {
      assert.is(kept.at(-1)?.event, "after");
      return;
    }
    assert.is(kept.length, written.length);
    for (const [at, stock] of written.entries()) {
      // Fields that only stock's own logging library makes of others are not imitated.
      const { stack, ...fields } = stock;
      assert.is(stack === undefined || stack === "<present>", true);
      for (const [key, value] of Object.entries(fields)) {
        const long = /^<(\d+) characters>$/.exec(String(value));
        if (long !== null) assert.is(String(kept[at]?.[key]).length, Number(long[1]));
        else assert.equal(kept[at]?.[key], value, `${id} record ${at}, ${key}`);
      }
    }
  });
}

const line = (text: string | Uint8Array): LogRecord =>
  readLogLine(
    { bytes: typeof text === "string" ? Buffer.from(text) : text, truncated: false },
    NOW,
  );

test("no field is lost: LOG-20's names, a rename only where the new name is free", () => {
  assert.is(
    line('{"level":"info","exc_info":true,"stack_info":true,"args":[1]}')["exc_info"],
    true,
  );
  const renamed = line('{"level":"error","exception":[1],"event":"x"}');
  assert.equal([renamed["error_detail"], renamed["exception"]], [[1], undefined]);
  const both = line('{"level":"error","exception":1,"error_detail":2}');
  assert.equal([both["exception"], both["error_detail"]], [1, 2]);
  const named = line('{"level":"info","logger":"a","logger_name":"b"}');
  assert.equal([named.logger, named["logger_name"]], ["a", "b"]);
  const proto = line('{"level":"info","__proto__":{"x":1}}');
  assert.equal(Object.getOwnPropertyDescriptor(proto, "__proto__")?.value, { x: 1 });
  assert.is((proto as unknown as { x?: number }).x, undefined);
});

test("an integer keeps its digits, inside texts and fractions nothing changes", () => {
  const record = line(
    '{"level":"info","big":12345678901234567890,"neg":[-9007199254740993],"safe":9007199254740991,' +
      '"text":"id \\"12345678901234567890\\\\","f":0.12345678901234567890,"e":1e20}',
  );
  assert.equal(record["big"], { $: "int", v: "12345678901234567890" });
  assert.equal(record["neg"], [{ $: "int", v: "-9007199254740993" }]);
  assert.is(record["safe"], 9007199254740991);
  assert.is(record["text"], 'id "12345678901234567890\\');
  assert.is(record["f"], 0.12345678901234568);
  assert.is(record["e"], 1e20);
});

test("what is malformed carries the whole line", () => {
  assert.is(line("{nonsense")["line"], "{nonsense");
  assert.is(line(Buffer.from([0xff, 0x00]))["line_base64"], "/wA=");
  const deep = `{"level":"info","x":${"[".repeat(2000)}${"]".repeat(2000)}}`;
  assert.is(line(deep)["line"], deep);
  const cut = readLogLine({ bytes: Buffer.from('{"level":"in'), truncated: true }, NOW);
  assert.equal([cut.level, cut["line"], cut["truncated"]], ["warning", '{"level":"in', true]);
  assert.match(String(line('{"level":"INFO"}').event), "INFO");
  for (const stamp of [
    '"yesterday"',
    "12",
    '"2026-02-30T00:00:00Z"',
    '"2026-01-01T25:00:00Z"',
    "{}",
  ]) {
    assert.is(line(`{"level":"info","timestamp":${stamp}}`).level, "warning", stamp);
  }
  assert.is(
    line('{"level":"info","timestamp":"2026-12-31T23:59:59.9999999Z"}').timestamp,
    "2027-01-01T00:00:00Z",
  );
  assert.is(line('{"level":"info"}').timestamp, "2026-06-16T10:00:00.500000Z");
});

test("printed lines are verbatim, with the bytes where they are no UTF-8", () => {
  const out = readOutputLine("stdout", { bytes: Buffer.from("  a \r"), truncated: false }, NOW);
  assert.equal([out.level, out.logger, out.event], ["info", "task.stdout", "  a \r"]);
  const err = readOutputLine("stderr", { bytes: Buffer.from([0x61, 0xff]), truncated: false }, NOW);
  assert.equal([err.level, err.logger, err.event], ["error", "task.stderr", "a\ufffd"]);
  assert.is(err["line_base64"], "Yf8=");
});

test("lines made to break a reader are one record each", () => {
  const nested = "[".repeat(200_000) + "]".repeat(200_000);
  const lines = [
    `{"level":${nested},"event":""}`,
    `{"level":"info","logger":${nested},"event":""}`,
    `{"level":"info","timestamp":"2026-01-02T03:04:05.${"1".repeat(5_000_000)}Z","event":""}`,
    `{"level":"info","timestamp":"${"9".repeat(5_000_000)}","event":""}`,
    nested,
    `{"level":"info","event":[${"[],".repeat(4_000_000)}1]}`,
    `{"level":"info",${'"":{},'.repeat(2_000_000)}"event":1}`,
  ];
  for (const line of lines) {
    const record = readLogLine({ bytes: Buffer.from(line), truncated: false }, NOW);
    assert.is(record.level, "warning");
    assert.is(record["line"], line);
  }
});

test("a long text with whatever in it, and a list of a million, are a record like others", () => {
  const event = `${'[{,"\\'.repeat(1_000_000)}`;
  const list = Array.from({ length: 1_000_000 }, (_, at) => at);
  const line = JSON.stringify({ level: "info", event, list });
  const record = readLogLine({ bytes: Buffer.from(line), truncated: false }, NOW);
  assert.is(record.level, "info");
  assert.ok(record.event === event);
  assert.is((record["list"] as unknown[]).length, 1_000_000);
});

test.run();
