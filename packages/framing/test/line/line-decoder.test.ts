import { type Line, LineDecoder } from "@parlance/framing";
import { cpuMs, load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readCase, rechunk, toChunks } from "../support/chunks.ts";

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => Buffer.from(line.bytes).toString("utf8"));
}

function split(chunks: readonly Uint8Array[], maxLineBytes = 2 ** 26): Line[] {
  const decoder = new LineDecoder({ maxLineBytes });
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

test("any chunking of any lines gives the same lines", () => {
  const line = fc
    .string({ unit: "grapheme", maxLength: 30 })
    .map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(
      fc.array(line),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (lines, size, open) => {
        const whole = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const tail = open ? "left over" : "";
        const chunks = rechunk(Buffer.concat([whole, Buffer.from(tail)]), size);
        assert.equal(texts(split(chunks)), open ? [...lines, tail] : lines);
      },
    ),
    { numRuns: load(2_000) },
  );
});

test("LOG-17: characters cut by a read border stay whole", () => {
  const lines = texts(split(toChunks(readCase("LOG-17").input.chunks_hex)));
  assert.is(lines.length, 2);
  assert.is((JSON.parse(lines[1] as string) as { event: string }).event, "中文🐦");
});

test("LOG-25: a line of two mebibytes is one line", () => {
  const lines = split(toChunks(readCase("LOG-25").input.chunks_hex));
  const long = lines.find((line) => line.bytes.length > 2_000_000);
  assert.is(long?.truncated, false);
  const { event } = JSON.parse(texts([long as Line])[0] as string) as { event: string };
  assert.is(event, "z".repeat(2 * 1024 * 1024));
});

test("a line over the limit comes out once, cut, at once, and the next one is whole", () => {
  for (const size of [1, 3, 100]) {
    const decoder = new LineDecoder({ maxLineBytes: 4 });
    const lines = rechunk(Buffer.from("abcd\nabcdefghi\nxy\n\n"), size).flatMap((chunk) =>
      decoder.push(chunk),
    );
    assert.equal(texts(lines), ["abcd", "abcd", "xy", ""]);
    assert.equal(
      lines.map((line) => line.truncated),
      [false, true, false, false],
    );
    assert.equal(decoder.end(), []);
  }
  const open = new LineDecoder({ maxLineBytes: 4 });
  assert.is(open.push(Buffer.from("abcde"))[0]?.truncated, true);
  assert.equal(open.push(Buffer.from("more and more")), []);
  assert.equal(open.end(), []);
});

test("a carriage return stays", () => {
  assert.equal(texts(split([Buffer.from("a\r\nb")])), ["a\r", "b"]);
});

test("time grows with the size, also for one long line in small pieces", () => {
  const ms = cpuMs(() => {
    assert.is(split(rechunk(Buffer.alloc(16 * 1024 * 1024, 0x7a), 1447)).length, 1);
    assert.is(split(rechunk(Buffer.alloc(1024 * 1024, 0x0a), 1)).length, 1024 * 1024);
  });
  assert.ok(ms < 4000, `${ms} ms`);
});

test("limits that make no sense are refused", () => {
  for (const maxLineBytes of [0, 1.5, Number.NaN]) {
    assert.throws(() => new LineDecoder({ maxLineBytes }), /maxLineBytes/);
  }
});

test.run();
