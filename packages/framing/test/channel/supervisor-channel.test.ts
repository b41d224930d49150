import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  decodeRequestFrame,
  encodeRequestFrame,
  encodeResponseFrame,
  FrameError,
  type RequestFrame,
  SupervisorChannel,
  TaskChannel,
} from "@parlance/framing";
import { fromHex, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { socketPair } from "../support/sockets.ts";

interface Played {
  readonly channel: SupervisorChannel;
  readonly child: Socket;
  readonly frames: RequestFrame[];
  readonly ended: Promise<Error | undefined>;
  /** How often `onEnd` was called. */
  ends(): number;
}

async function start(
  onFrame: (frame: RequestFrame, channel: SupervisorChannel) => void = () => {},
  maxFrameBytes?: number,
): Promise<Played> {
  const [near, child] = await socketPair();
  child.on("error", () => {});
  const frames: RequestFrame[] = [];
  let count = 0;
  let settle: (error: Error | undefined) => void;
  const ended = new Promise<Error | undefined>((resolve) => {
    settle = resolve;
  });
  const channel = new SupervisorChannel(near, {
    maxFrameBytes,
    onFrame: (frame) => {
      frames.push(frame);
      onFrame(frame, channel);
    },
    onEnd: (error) => {
      count++;
      settle(error);
    },
  });
  return { channel, child, frames, ended, ends: () => count };
}

test("frames come in order, the end on a border is clean and told once", async () => {
  const played = await start();
  const frames = [0, -1, 2n ** 63n].map((id) => encodeRequestFrame({ id, body: { id } }));
  played.child.end(Buffer.concat(frames));
  assert.is(await played.ended, undefined);
  assert.equal(
    played.frames.map((frame) => frame.id),
    [0, -1, 2n ** 63n],
  );
  await sleep(20);
  assert.is(played.ends(), 1);
  assert.not(played.channel.isOpen);
});

test("good frames before a bad one are delivered, then the fault", async () => {
  const played = await start();
  const good = encodeRequestFrame({ id: 1, body: {} });
  played.child.write(Buffer.concat([good, fromHex("0000000492a130c0"), good]));
  assert.is(((await played.ended) as FrameError).code, "bad-id");
  assert.is(played.frames.length, 1);
});

test("too large, truncated and reset are told apart", async () => {
  const large = await start(() => {}, 100);
  large.child.write(fromHex("00000065"));
  assert.is(((await large.ended) as FrameError).code, "too-large");
  const cut = await start();
  cut.child.end(fromHex("000000"));
  assert.is(((await cut.ended) as FrameError).code, "truncated");
  const reset = await start();
  reset.child.resetAndDestroy();
  assert.is(((await reset.ended) as NodeJS.ErrnoException).code, "ECONNRESET");
});

test("what onFrame throws ends the channel and is told", async () => {
  const mine = new Error("handler");
  const played = await start(() => {
    throw mine;
  });
  played.child.write(encodeRequestFrame({ id: 1, body: {} }));
  assert.is(await played.ended, mine);
});

test("an answer after the task has gone is dropped, one that cannot be written throws", async () => {
  const played = await start();
  throws(() => played.channel.send({ id: 1, body: { f: () => 1 } }), "cannot-encode");
  assert.ok(played.channel.isOpen);
  played.child.destroy();
  await played.ended;
  played.channel.send({ id: 1, body: {} });
  await played.channel.drained;
});

test("a child that closes while much is being written to it is no uncaught error", async () => {
  const played = await start();
  for (let id = 0; id < 50; id++) played.channel.send({ id, body: { v: "x".repeat(100_000) } });
  await sleep(5);
  played.child.resetAndDestroy();
  await played.ended;
  await played.channel.drained;
  assert.is(played.ends(), 1);
});

test("a child that has sent all it will still gets the answers on their way", async () => {
  const played = await start((frame, channel) => {
    channel.send({ id: frame.id, body: { v: "x".repeat(3_000_000) } });
  });
  played.child.end(encodeRequestFrame({ id: 1, body: {} }));
  let bytes = 0;
  played.child.on("data", (chunk) => {
    bytes += chunk.length;
  });
  await once(played.child, "close");
  assert.ok(bytes > 3_000_000, `${bytes} bytes arrived`);
});

test("drained settles when all is with the system", async () => {
  const played = await start();
  for (let id = 0; id < 20; id++) played.channel.send({ id, body: { v: "x".repeat(1_000_000) } });
  let drained = false;
  const waiting = played.channel.drained.then(() => {
    drained = true;
  });
  await sleep(30);
  assert.not(drained, "nobody reads yet");
  played.child.resume();
  await waiting;
  played.channel.close();
  played.child.end();
  assert.is(await played.ended, undefined);
});

test("a child that only asks and never reads is not read any further", async () => {
  const answer = { v: "x".repeat(1_000_000) };
  const played = await start((frame, channel) => channel.send({ id: frame.id, body: answer }));
  const request = encodeRequestFrame({ id: 1, body: { pad: "y".repeat(50_000) } });
  for (let sent = 0; sent < 200; sent++) played.child.write(request);
  await sleep(200);
  const seen = played.frames.length;
  assert.ok(seen < 150, `${seen} answers of a megabyte were queued`);
  played.child.resume();
  while (played.frames.length < 200) await once(played.child, "data");
  played.child.destroy();
  await played.ended;
});

test("both ends together: pipelined requests of all sizes", async () => {
  const [near, far] = await socketPair();
  const supervisor = new SupervisorChannel(near, {
    onFrame: (frame) => supervisor.send({ id: frame.id, body: frame.body, error: null }),
    onEnd: () => {},
  });
  supervisor.send({ id: 0, body: { type: "StartupDetails" } });
  const task = new TaskChannel(far);
  await task.first();
  const sizes = [0, 1, 40, 70_000, 3, 16_385, 2_000_000, 16_384, 5];
  const answers = await Promise.all(sizes.map((size) => task.request({ v: "z".repeat(size) })));
  const received = answers.map((answer) => String(answer.body?.["v"]).length);
  assert.equal(received, sizes);
  supervisor.close();
  assert.is(await task.closed, undefined);
});

test("much to send does not wait for the event loop to go on", async () => {
  const [near, far] = await socketPair();
  const channel = new SupervisorChannel(near, { onFrame: () => {}, onEnd: () => {} });
  channel.send({ id: 1, body: { data: new Uint8Array(100) } });
  assert.is(near.bytesWritten, 0);
  channel.send({ id: 2, body: { data: new Uint8Array(70_000) } });
  const written = near.bytesWritten;
  assert.ok(written > 70_000);
  for (let id = 3; id < 18; id++) channel.send({ id, body: null });
  assert.is(near.bytesWritten, written);
  channel.send({ id: 18, body: null });
  assert.ok(near.bytesWritten > written);
  channel.close();
  far.resume().end();
});

test("large payloads go elsewhere in order; a frame encoded elsewhere is sent; fail ends the link", async () => {
  const [near, child] = await socketPair();
  child.on("error", () => {});
  const seen: (number | bigint | string)[] = [];
  let end: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    const channel = new SupervisorChannel(near, {
      large: {
        minBytes: 100_000,
        onPayload: (pieces, payloadBytes) => {
          const frame = decodeRequestFrame(Buffer.concat(pieces));
          seen.push(`${frame.id}: ${payloadBytes}`);
          channel.sendEncoded(encodeResponseFrame({ id: frame.id, body: null }));
        },
      },
      onFrame: ({ id }) => {
        seen.push(id);
        if (id === 3) channel.fail(new FrameError("not-msgpack", "read elsewhere"));
      },
      onEnd: (error) => {
        end = error;
        resolve();
      },
    });
  });
  const value = "v".repeat(200_000);
  const frames = [
    { id: 1, body: { value: "small" } },
    { id: 2, body: { value } },
    { id: 3, body: null },
  ];
  child.write(Buffer.concat(frames.map(encodeRequestFrame)));
  await ended;
  assert.equal(seen, [1, "2: 200014", 3]);
  assert.is((end as FrameError).code, "not-msgpack");
  child.destroy();
});

test.run();
