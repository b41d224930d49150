import { PassThrough, Readable } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { main } from "../dist/main.js";

async function filter(input: string | Uint8Array, ...flags: string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exitCode = await main(["logs", "filter", ...flags], {
    stdin: Readable.from(chunksOf(Buffer.from(input), 7)),
    stdout,
    stderr,
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
  });
  const text = (stream: PassThrough): Buffer => stream.read() ?? Buffer.alloc(0);
  return { exitCode, stdout: text(stdout), stderr: text(stderr).toString() };
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

const record = (level: string, logger: unknown, more = "") =>
  `{"timestamp":"2026-06-16T01:02:03.123456Z", "level":"${level}","logger":${JSON.stringify(logger)},"event":"\u4e2d"${more}}\n`;

test("keeps what a runtime would send, byte for byte and in order", async () => {
  const kept = [
    record("error", "a.b", ',"n":12345678901234567890,"n":1.0'),
    record("info", "a.bc").replace("\n", "\r\n"),
    record("debug", "x.y"),
    record("info", null),
  ];
  const dropped = [record("warning", "a.b.c"), record("debug", "a"), record("debug", null)];
  const input = [kept[0], dropped[0], kept[1], dropped[1], kept[2], dropped[2], kept[3]].join("");
  const flags = ["--level", "INFO", "--namespace-levels", "a.b=ERROR x=debug"];
  const { stdout, stderr, exitCode } = await filter(input, ...flags);
  assert.is(stdout.toString(), kept.join(""));
  assert.is(stderr, "");
  assert.is(exitCode, 0);
});

test("absent flags are absent variables: INFO", async () => {
  const { stdout, exitCode } = await filter(record("debug", "a") + record("info", "a"));
  assert.is(stdout.toString(), record("info", "a"));
  assert.is(exitCode, 0);
});

test("settings that stock refuses are one warning each, exit 0", async () => {
  const input = record("debug", "a") + record("info", "a") + record("warning", "a");
  for (const [level, kept] of [
    ["warning", 1],
    ["LOUD", 2],
    ["", 2],
  ] as const) {
    const { stdout, stderr, exitCode } = await filter(input, "--level", level);
    assert.is(stdout.toString().split("\n").length - 1, kept, level);
    assert.is(stderr.split("\n").length - 1, 1);
    assert.is(exitCode, 0);
  }
  const { stderr, exitCode } = await filter(input, "--namespace-levels=a=10 b=off c");
  assert.is(stderr.match(/warning/g)?.length, 6, "three warnings, each naming the level words");
  assert.is(stderr.split("\n").length - 1, 3);
  assert.is(exitCode, 0);
});

test("a last line without its line end is a line", async () => {
  const { stdout } = await filter(record("info", "a").trimEnd());
  assert.is(stdout.toString(), record("info", "a"));
});

test("lines that are no records are named and left out, the others still pass, exit 65", async () => {
  const bad = ["nonsense\n", "[1]\n", "42\n", '{"event":"x"}\n', record("trace", "a")];
  const input = Buffer.concat([
    Buffer.from(bad.join("")),
    Buffer.from('{"level":"info","event":"\xff"}\n', "latin1"),
    Buffer.from(`\n${record("info", "a")}`),
  ]);
  const { stdout, stderr, exitCode } = await filter(input);
  assert.is(stdout.toString(), record("info", "a"));
  for (let line = 1; line <= 6; line++) assert.match(stderr, new RegExp(`line ${line} `));
  assert.is(exitCode, 65);
  const asJson = await filter("nonsense\n", "--json");
  const last = asJson.stderr.trimEnd().split("\n").at(-1) ?? "";
  assert.is(JSON.parse(last).error.code, "bad-record");
});

test("wrong usage is 2", async () => {
  assert.is((await filter("", "--wat")).exitCode, 2);
});

test.run();
