import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { ApiError } from "@parlance/dev";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EventClient } from "../../dist/events/event-client.js";
import { EventStreams } from "../../dist/events/event-streams.js";

/** A response that is read as the test says. */
class TestResponse extends Writable {
  text = "";
  #pending: (() => void) | undefined;
  #reads = true;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    if (this.#reads) done();
    else this.#pending = done;
  }

  writeHead(): void {}

  stopReading(): void {
    this.#reads = false;
  }

  readOn(): void {
    this.#reads = true;
    this.#pending?.();
  }

  asResponse(): ServerResponse {
    return this as unknown as ServerResponse;
  }
}

const streamsOf = () =>
  new EventStreams({
    mark: "mark",
    revision: () => 1,
    now: () => new Date(0),
    heartbeatMs: 1_000_000,
  });
const notice = { type: "notice", dagId: "d", runId: "r", message: "x".repeat(100_000) } as const;

test("a client that does not read is cut off at 1 MiB, and the others miss nothing", async () => {
  const streams = streamsOf();
  const [slow, quick] = [new TestResponse(), new TestResponse()];
  for (const each of [slow, quick]) streams.open(each.asResponse(), {}, undefined);
  slow.stopReading();
  for (let count = 0; count < 12; count++) streams.publish(notice);
  await new Promise(setImmediate);
  assert.ok(slow.destroyed);
  assert.ok(slow.text.length + slow.writableLength < 1_400_000);
  assert.is(streams.size, 1);
  assert.is(quick.text.split("data: ").length - 1, 13);
  streams.close();
  await new Promise(setImmediate);
  assert.ok(quick.destroyed);
});

test("a client that has not taken a byte from one heartbeat to the next but one is cut off", () => {
  const response = new TestResponse();
  const client = new EventClient(response.asResponse());
  for (let count = 0; count < 5; count++) client.beat();
  assert.not(response.destroyed, "who reads may listen for ever");
  response.stopReading();
  client.beat();
  client.beat();
  assert.not(response.destroyed);
  response.readOn();
  client.beat();
  response.stopReading();
  for (let count = 0; count < 4; count++) client.beat();
  assert.ok(response.destroyed);
});

test("no more than 32 listen", () => {
  const streams = streamsOf();
  for (let count = 0; count < 32; count++) {
    streams.open(new TestResponse().asResponse(), {}, undefined);
  }
  assert.throws(
    () => streams.open(new TestResponse().asResponse(), {}, undefined),
    (error: unknown) => error instanceof ApiError && error.code === "too-many",
  );
  streams.close();
});

test.run();
