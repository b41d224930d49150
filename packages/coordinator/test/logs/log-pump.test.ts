import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type LogRecord, SecretMasker } from "@parlance/coordinator";
import { load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LogPump } from "../../dist/logs/log-pump.js";

/** A sink that takes nothing until it is opened. */
class Gate {
  readonly records: LogRecord[] = [];
  #opened: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  async write(record: LogRecord): Promise<void> {
    await this.#opened;
    this.records.push(record);
  }
}

const newPump = (sink: Gate): LogPump =>
  new LogPump({
    sink,
    masker: new SecretMasker(),
    maxLineBytes: 2 ** 26,
    now: () => new Date(),
  });

/** Writes lines until the stream is full and stays so; gives how many bytes were taken. */
async function fill(stream: PassThrough, line: string, maxBytes: number): Promise<number> {
  let taken = 0;
  while (taken < maxBytes) {
    taken += line.length;
    if (!stream.write(line)) {
      await sleep(1);
      if (stream.writableNeedDrain) break;
    }
  }
  return taken;
}

test("what waits for a slow sink is limited in bytes, however long the lines are", async () => {
  for (const length of [100, 30_000, 5_000_000]) {
    const gate = new Gate();
    const stream = new PassThrough();
    const done = newPump(gate).attach("stdout", stream);
    const taken = await fill(stream, `${"x".repeat(length)}\n`, 100 * 2 ** 20);
    assert.ok(taken <= 3 * 2 ** 20 + 3 * length, `${taken} bytes of lines of ${length}`);
    gate.open();
    stream.end();
    await done;
  }
});

test("what is left behind and floods its output costs no more than 64 MiB once the task has ended", async () => {
  const gate = new Gate();
  const stream = new PassThrough();
  const pump = newPump(gate);
  const done = pump.attach("stdout", stream);
  pump.release();
  const line = `${"y".repeat(30_000)}\n`;
  const taken = await fill(stream, line, 100 * 2 ** 20);
  assert.ok(taken > 32 * 2 ** 20 && taken < 70 * 2 ** 20, `${taken} bytes`);
  gate.open();
  stream.end();
  await done;
  await pump.flush();
  assert.is(gate.records.length, Math.round(taken / line.length));
});

test("all of many lines come through, in order, from a sink that is slow now and then", async () => {
  const count = load(400_000);
  const stream = new PassThrough();
  let next = 0;
  const pump = new LogPump({
    sink: {
      write({ event }): void | Promise<void> {
        assert.is(event, next);
        next += 1;
        return next % 1_000 === 0 ? sleep(1) : undefined;
      },
    },
    masker: new SecretMasker(),
    maxLineBytes: 2 ** 26,
    now: () => new Date(),
  });
  const done = pump.attach("logs", stream);
  for (let at = 0; at < count; at++) {
    const hasRoom = stream.write(`{"level":"info","event":${at}}\n`);
    if (!hasRoom) await new Promise((resolve) => stream.once("drain", resolve));
  }
  stream.end();
  await done;
  await pump.flush();
  assert.is(next, count);
  assert.is(pump.sinkError, undefined);
});

test.run();
