import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { OutputBuffer, waitForStreams } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";

async function fill(source: PassThrough, bytes: number): Promise<number> {
  let written = 0;
  while (written < bytes && source.write(Buffer.alloc(16_384, "x"))) {
    written += 16_384;
    await sleep(0);
  }
  return written;
}

test("until backpressure starts it takes what comes, up to its limit", async () => {
  const source = new PassThrough();
  const output = new OutputBuffer(source, { maxStartBytes: 1_000_000 });
  const written = await fill(source, 10_000_000);
  assert.ok(written >= 950_000 && written < 1_200_000, `${written} bytes`);
  assert.ok(source.isPaused());
  source.end();
  const read = Buffer.concat(await output.toArray());
  assert.ok(read.length >= written, "nothing is lost");
});

test("with backpressure the writer waits for the reader", async () => {
  const source = new PassThrough();
  const output = new OutputBuffer(source);
  output.startBackpressure();
  const written = await fill(source, 10_000_000);
  assert.ok(written < 200_000, `${written} bytes`);
  source.end("last");
  const read = Buffer.concat(await output.toArray());
  assert.is(read.subarray(-4).toString(), "last");
});

test("the tail holds the last 64 KiB, whatever the pieces", async () => {
  const source = new PassThrough();
  const output = new OutputBuffer(source);
  assert.is(output.tail, "");
  for (let piece = 0; piece < 100; piece += 1) source.write(`${piece} `.repeat(piece * 10));
  source.write("the end");
  await sleep(5);
  assert.is(output.tail.length, 65_536);
  assert.ok(output.tail.endsWith("99 the end"));
  output.startBackpressure();
  assert.is(output.tail, "", "not kept once the start is through");
});

test("finish: what has arrived can still be read, then end", async () => {
  const source = new PassThrough();
  const output = new OutputBuffer(source);
  source.write("arrived");
  await sleep(5);
  output.finish();
  output.finish();
  assert.ok(output.isFinished && source.destroyed);
  assert.is(Buffer.concat(await output.toArray()).toString(), "arrived");
});

test("an error of the pipe is its end", async () => {
  const source = new PassThrough();
  const output = new OutputBuffer(source);
  source.write("before");
  await sleep(5);
  source.destroy(new Error("EIO"));
  assert.is(Buffer.concat(await output.toArray()).toString(), "before");
});

test("finishWithin gives up after its time", async () => {
  const source = new PassThrough();
  const output = new OutputBuffer(source);
  await output.finishWithin(40);
  assert.ok(output.isFinished);
  await output.finishWithin(10_000); // returns at once
});

test("waitForStreams: ended and destroyed streams count, the others are cut by time or signal", async () => {
  const ended = new PassThrough();
  ended.end();
  await ended.resume().toArray();
  const destroyed = new PassThrough();
  destroyed.destroy();
  assert.equal(await waitForStreams([ended, destroyed], { timeoutMs: 0 }), []);
  assert.equal(await waitForStreams([], { timeoutMs: Number.POSITIVE_INFINITY }), []);

  const open = new PassThrough();
  const output = new OutputBuffer(new PassThrough());
  output.resume();
  assert.equal(await waitForStreams([ended, open, output], { timeoutMs: 20 }), [open, output]);
  assert.ok(open.destroyed && output.isFinished);

  const other = new PassThrough();
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 20);
  const { signal } = abort;
  const options = { timeoutMs: Number.POSITIVE_INFINITY, signal };
  assert.equal(await waitForStreams([other], options), [other]);
  const third = new PassThrough();
  assert.equal(await waitForStreams([third], options), [third], "already aborted");
});

test("waitForStreams returns as soon as the last stream has ended, and leaves no listener", async () => {
  const streams = [new PassThrough(), new PassThrough()];
  for (const stream of streams) stream.resume();
  const before = streams.map((stream) => stream.listenerCount("end"));
  const waiting = waitForStreams(streams, { timeoutMs: 10_000 });
  for (const stream of streams) stream.end();
  assert.equal(await waiting, []);
  assert.equal(
    streams.map((stream) => stream.listenerCount("end")),
    before,
  );
});

test.run();
