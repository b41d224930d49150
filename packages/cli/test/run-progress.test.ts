import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Progress } from "../dist/run/progress.js";

/** A stream whose reader stands still until it is let go on. */
class Stalled extends Writable {
  text = "";
  #release: (() => void) | undefined;
  #isStalled = true;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    if (this.#isStalled) this.#release = done;
    else done();
  }

  goOn(): void {
    this.#isStalled = false;
    this.#release?.();
  }
}

const line = "x".repeat(10_000);

test("what people see waits for a reader that stands still, until it is interrupted", async () => {
  const stream = new Stalled();
  const abort = new AbortController();
  const progress = new Progress(stream, abort.signal, { mayWait: true });
  let waiting = progress.print(line);
  let count = 1;
  for (; waiting === undefined; count++) waiting = progress.print(line);
  assert.ok(count < 20, `${count} lines were taken`);
  let isOver = false;
  void waiting.then(() => {
    isOver = true;
  });
  await sleep(10);
  assert.not(isOver);
  abort.abort();
  await waiting;
  assert.is(progress.print("last"), undefined);

  const other = new Stalled();
  const patient = new Progress(other, new AbortController().signal, { mayWait: true });
  do waiting = patient.print(line);
  while (waiting === undefined);
  other.goOn();
  await waiting;
});

test("beside --json, lines that nobody reads are left out and counted", async () => {
  const stream = new Stalled();
  const progress = new Progress(stream, new AbortController().signal, { mayWait: false });
  for (let at = 0; at < 1_000; at++) assert.is(progress.print(line), undefined);
  assert.ok(stream.writableLength < 1_200_000, `${stream.writableLength} bytes wait`);
  stream.goOn();
  await sleep(10);
  await progress.print("next");
  await sleep(10);
  const lines = stream.text.trimEnd().split("\n");
  assert.is(lines.at(-1), "next");
  const leftOut = Number(/^\((\d+) lines are not shown\)$/.exec(lines.at(-2) ?? "")?.[1]);
  assert.is(leftOut + lines.length - 2, 1_000);
});

test.run();
