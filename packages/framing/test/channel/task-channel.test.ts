import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ChannelClosedError,
  decodeRequestFrame,
  encodeResponseFrame,
  FrameDecoder,
  type FrameError,
  type RequestFrame,
  type ResponseFrameInput,
  TaskChannel,
  type TaskChannelOptions,
} from "@parlance/framing";
import { fromHex, rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { socketPair } from "../support/sockets.ts";

/** The far end of a task's link, played by hand. */
class Peer {
  readonly socket: Socket;
  readonly requests: RequestFrame[] = [];
  readonly chunks: number[] = [];

  constructor(socket: Socket, onRequest: (frame: RequestFrame) => void = () => {}) {
    this.socket = socket;
    socket.on("error", () => {});
    const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 32 - 1 });
    socket.on("data", (chunk) => {
      const payloads = decoder.push(chunk);
      this.chunks.push(payloads.length);
      for (const payload of payloads) {
        const frame = decodeRequestFrame(payload);
        this.requests.push(frame);
        onRequest(frame);
      }
    });
  }

  send(...frames: ResponseFrameInput[]): void {
    this.socket.write(Buffer.concat(frames.map(encodeResponseFrame)));
  }

  async received(count: number): Promise<void> {
    while (this.requests.length < count) await once(this.socket, "data");
  }
}

async function start(
  options: TaskChannelOptions = {},
  onRequest?: (frame: RequestFrame, peer: Peer) => void,
): Promise<{ task: TaskChannel; peer: Peer }> {
  const [near, far] = await socketPair();
  const task = new TaskChannel(near, options);
  const peer = new Peer(far, (frame) => onRequest?.(frame, peer));
  peer.send({ id: 0, body: { type: "StartupDetails" } });
  await task.first();
  return { task, peer };
}

function end({ task, peer }: { task: TaskChannel; peer: Peer }): Promise<Error | undefined> {
  task.close();
  peer.socket.end();
  return task.closed;
}

test("the first frame is the first, whenever it is asked for, and is no answer", async () => {
  const link = await start();
  assert.equal((await link.task.first()).body, { type: "StartupDetails" });
  assert.is(link.task.ignoredAnswers, 0);
  assert.is(await end(link), undefined);
});

test("FRM-29: answers in another order go to their requests, an error with them", async () => {
  const link = await start({}, (frame, peer) => {
    if (frame.id !== 3) return;
    peer.send({ id: 3, body: { v: "two" } }, { id: 1, body: { v: "zero" } });
    peer.send({ id: 2, error: { error: "GENERIC_ERROR", detail: null } });
  });
  const { task } = link;
  const answers = await Promise.all([0, 1, 2].map((n) => task.request({ n })));
  assert.equal(answers[0]?.body, { v: "zero" });
  assert.equal(answers[1]?.error, { error: "GENERIC_ERROR", detail: null });
  assert.equal(answers[2]?.body, { v: "two" });
  assert.is(task.pendingRequests, 0);
  await end(link);
});

test("LIF-17: ids go up by one, are never in flight twice, and nothing stays behind", async () => {
  const inFlight = new Set<unknown>();
  let last = 0;
  const link = await start({}, (frame, peer) => {
    assert.is(frame.id, ++last);
    assert.not(inFlight.has(frame.id));
    inFlight.add(frame.id);
    setImmediate(() => {
      inFlight.delete(frame.id);
      peer.send({ id: frame.id, body: {} });
    });
  });
  for (let round = 0; round < 100; round++) {
    await Promise.all(Array.from({ length: 50 }, () => link.task.request({ type: "x" })));
  }
  assert.is(last, 5000);
  assert.is(link.task.pendingRequests, 0);
  await end(link);
});

test("requests made before the event loop goes on leave together, whatever they wait for", async () => {
  const link = await start({}, (frame, peer) => peer.send({ id: frame.id }));
  const requestAfter = async (microtasks: number): Promise<unknown> => {
    for (let count = 0; count < microtasks; count++) await undefined;
    return await link.task.request({ type: "x" });
  };
  await Promise.all(Array.from({ length: 15 }, (_, count) => requestAfter(count)));
  assert.equal(link.peer.chunks, [15]);
  await end(link);
});

test("a deadline rejects, removes the entry, and the late answer is dropped and counted", async () => {
  const link = await start({ requestTimeoutMs: 30 });
  const { task, peer } = link;
  const error = await rejects(task.request({ a: 1 }), "request-timeout");
  assert.match(error.message, /request 1.* 30 ms/);
  assert.is(task.pendingRequests, 0);
  const next = task.request({ a: 2 }, { timeoutMs: Number.POSITIVE_INFINITY });
  await sleep(50);
  peer.send({ id: 1, body: {} }, { id: 77, body: {} }, { id: 2n ** 63n, body: {} }, { id: 2 });
  assert.is((await next).id, 2);
  assert.is(task.ignoredAnswers, 3);
  await end(link);
});

test("an aborted signal rejects with its reason and removes the entry", async () => {
  const link = await start();
  const reason = new Error("not needed any more");
  const controller = new AbortController();
  const waiting = link.task.request({ a: 1 }, { signal: controller.signal });
  await link.peer.received(1);
  controller.abort(reason);
  assert.is(await rejects(waiting), reason);
  assert.is(link.task.pendingRequests, 0);
  assert.is(await rejects(link.task.request({}, { signal: controller.signal })), reason);
  await end(link);
  assert.is(link.peer.requests.length, 1, "a request with an aborted signal is not sent");
});

test("a value that cannot be encoded rejects, sends nothing and uses up no id", async () => {
  const link = await start({}, (frame, peer) => peer.send({ id: frame.id }));
  await rejects(link.task.request({ a: () => 1 }), "cannot-encode");
  assert.is((await link.task.request({}, { carrier: { traceparent: "00-1" } })).id, 1);
  assert.equal(link.peer.requests[0]?.carrier, { traceparent: "00-1" });
  await end(link);
});

test("when the peer goes in order, all that waits rejects, and so does what comes later", async () => {
  const link = await start();
  const waiting = [link.task.request({}), link.task.request({})];
  const outcomes = Promise.all(waiting.map((request) => rejects(request, "channel-closed")));
  await link.peer.received(2);
  link.peer.socket.end();
  for (const error of await outcomes) {
    assert.instance(error, ChannelClosedError);
    assert.is(error.cause, undefined);
  }
  assert.is(await link.task.closed, undefined);
  await rejects(link.task.request({}), "channel-closed");
  assert.is(link.task.pendingRequests, 0);
});

const BAD_ENDS: readonly (readonly [what: string, hex: string, code: string])[] = [
  ["FRM-04: an end inside a prefix", "0000", "truncated"],
  ["FRM-05: an end inside a payload", "00000039920081a161d932", "truncated"],
  ["FRM-28: a frame that is no array", "0000000180", "bad-arity"],
  ["bad bytes", "00000001c1", "not-msgpack"],
  ["an empty frame", "00000000", "empty-frame"],
  ["a frame over the limit", "00100000", "too-large"],
];

for (const [what, hex, code] of BAD_ENDS) {
  test(`${what} rejects all that waits, with the fault as cause`, async () => {
    const { task, peer } = await start({ maxFrameBytes: 1000 });
    const waiting = rejects(task.request({}), "channel-closed");
    await peer.received(1);
    peer.socket.end(fromHex(hex));
    assert.is(((await waiting).cause as FrameError).code, code);
    assert.is(((await task.closed) as FrameError).code, code);
  });
}

test("a reset is no uncaught error", async () => {
  const { task, peer } = await start();
  const waiting = rejects(task.request({}), "channel-closed");
  await peer.received(1);
  peer.socket.resetAndDestroy();
  assert.is(((await waiting).cause as NodeJS.ErrnoException).code, "ECONNRESET");
  assert.is(((await task.closed) as NodeJS.ErrnoException).code, "ECONNRESET");
  await rejects(task.request({}), "channel-closed");
});

test("an answer that came before the bad frame still counts", async () => {
  const { task, peer } = await start();
  const [first, second] = [task.request({}), task.request({})];
  const lost = rejects(second, "channel-closed");
  await peer.received(2);
  peer.socket.write(Buffer.concat([encodeResponseFrame({ id: 1 }), fromHex("00000000")]));
  assert.is((await first).id, 1);
  await lost;
});

test("close: what was sent still arrives, what waits rejects, the link ends", async () => {
  const link = await start();
  const big = rejects(link.task.request({ v: "x".repeat(8_000_000) }), "channel-closed");
  link.task.close();
  link.task.close();
  await big;
  await link.peer.received(1);
  assert.is(String(link.peer.requests[0]?.body?.["v"]).length, 8_000_000);
  link.peer.socket.end();
  assert.is(await link.task.closed, undefined);
});

test("close: a peer that never closes does not hold the link", async () => {
  const [near, far] = await socketPair();
  far.on("error", () => {});
  const allowed = new TaskChannel(near);
  allowed.close();
  assert.is(await allowed.closed, undefined);
  far.destroy();
});

test("no first frame: a deadline, or the end of the link", async () => {
  const [near, far] = await socketPair();
  const task = new TaskChannel(near);
  await rejects(task.first({ timeoutMs: 20 }), "request-timeout");
  const waiting = rejects(task.first(), "channel-closed");
  far.end();
  await waiting;
  await rejects(task.first(), "channel-closed");
});

test("a socket that is already gone", async () => {
  const [near, far] = await socketPair();
  near.destroy();
  far.destroy();
  await once(near, "close");
  const task = new TaskChannel(near);
  await rejects(task.request({}), "channel-closed");
  assert.is(await task.closed, undefined);
});

test.run();
