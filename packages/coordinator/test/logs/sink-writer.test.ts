import { type LogRecord, type LogSink, SecretMasker } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LogPump } from "../../dist/logs/log-pump.js";
import { SinkWriter } from "../../dist/logs/sink-writer.js";

const record = (event: string): LogRecord => ({
  timestamp: null,
  level: "info",
  logger: "task",
  event,
});

/** Node's warnings of ours while `work` is done. */
async function warnings(work: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const see = ({ name, message }: Error) => void (name === "ParlanceWarning" && seen.push(message));
  process.on("warning", see);
  await work();
  await new Promise((resolve) => setImmediate(resolve)); // they are told in a later turn
  process.off("warning", see);
  return seen;
}

/** A sink that never settles for records of this text until it is told to. */
class Stuck implements LogSink {
  readonly taken: unknown[] = [];
  release: () => void = () => {};

  write({ event }: LogRecord): void | Promise<void> {
    this.taken.push(event);
    if (event !== "stuck") return;
    return new Promise((resolve) => {
      this.release = resolve;
    });
  }
}

test("a sink that never settles is waited for once, and what comes then is counted as lost", async () => {
  const told = await warnings(async () => {
    const sink = new Stuck();
    const pump = new LogPump({
      sink,
      masker: new SecretMasker(),
      maxLineBytes: 1000,
      sinkTimeoutMs: 5,
      now: () => new Date(),
    });
    for (const event of ["first", "stuck", "waits", "waits"]) pump.write(record(event));
    await pump.flush();
    pump.write(record("late"));
    await pump.flush();
    assert.equal(sink.taken, ["first", "stuck"]);
    assert.equal(pump.sinkError, {
      message: "a log sink has not settled for 0.005 s: records are lost",
      lost: 4,
    });
  });
  assert.equal(told, ["a log sink has not settled for 0.005 s: records are lost"]);
});

test("one that settles after all gets the next records, and has taken its own", async () => {
  const told = await warnings(async () => {
    const sink = new Stuck();
    const writer = new SinkWriter(sink, 5);
    for (let round = 1; round <= 3; round++) {
      await writer.write(record("stuck"));
      await writer.write(record("lost"));
      sink.release();
      await Promise.resolve();
      await writer.write(record("next"));
      assert.is(writer.error?.lost, round);
    }
    assert.equal(sink.taken, ["stuck", "next", "stuck", "next", "stuck", "next"]);
    await writer.flush();
  });
  assert.is(told.length, 1, "one warning, however often");
});

test("one that rejects late is counted once; a flush may hang as well", async () => {
  let reject: (error: Error) => void = () => {};
  const writer = new SinkWriter(
    {
      write: () =>
        new Promise((_, refuse) => {
          reject = refuse;
        }),
      flush: () => new Promise(() => {}),
    },
    5,
  );
  await writer.write(record("a"));
  reject(new Error("full"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(writer.error?.lost, 1);
  assert.match(writer.error?.message ?? "", "has not settled");
  await writer.flush();
  assert.is(writer.error?.lost, 1);
});

test("a shorter time holds for the call that is under way", async () => {
  const writer = new SinkWriter({ write: () => new Promise(() => {}) }, Number.POSITIVE_INFINITY);
  const pending = writer.write(record("a"));
  writer.setTimeout(5);
  await pending;
  assert.is(writer.error?.lost, 1);
});

test("a sink in time is never told of, whatever it gives back", async () => {
  const given: unknown[] = [undefined, 1, "text", null, {}, Promise.resolve(), Promise.resolve(5)];
  for (const back of given) {
    const writer = new SinkWriter({ write: () => back as undefined }, 60_000);
    await writer.write(record("a"));
    await writer.flush();
    assert.is(writer.error, undefined);
  }
  const broken = new SinkWriter({} as LogSink, 60_000);
  await broken.write(record("a"));
  assert.match(broken.error?.message ?? "", "write is not a function");
});

test.run();
