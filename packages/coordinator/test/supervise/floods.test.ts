import { setTimeout as sleep } from "node:timers/promises";
import { buildStartupDetails, MemoryTaskStore } from "@parlance/coordinator";
import { decodeResponseFrame, encodeRequestFrame } from "@parlance/framing";
import { load } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openRequestPeer, type RequestPeer } from "../support/request-peer.js";

const taskInstance = { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 };

const open = (): Promise<RequestPeer> =>
  openRequestPeer(
    buildStartupDetails({ schemaVersion: "2026-06-16", taskInstance, startDate: new Date() }),
    "2026-06-16",
    new MemoryTaskStore(),
  );

/** What the store is asked is done by `before` first. */
function slow({ store }: RequestPeer, before: () => unknown): void {
  const { variables } = store;
  const get = variables.get.bind(variables);
  const set = variables.set.bind(variables);
  variables.get = async (key) => {
    await before();
    return get(key);
  };
  variables.set = async (variable) => {
    await before();
    await set(variable);
  };
}

const requests = (count: number, body: (at: number) => object): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, at) => encodeRequestFrame({ id: at + 1, body: body(at) })),
  );

test("who asks without end and reads no answer costs little, and gets each answer in the end", async () => {
  const peer = await open();
  const count = load(40_000);
  let asked = 0;
  slow(peer, () => {
    asked += 1;
  });
  await peer.store.variables.set({ key: "k", value: "v".repeat(100_000), description: null });
  peer.socket.pause();
  const rssBefore = process.memoryUsage().rss;
  peer.socket.write(requests(count, () => ({ type: "GetVariable", key: "k" })));
  await sleep(300);
  // What the two sockets' buffers in the system hold, and little more.
  assert.ok(asked < 300, `${asked} of ${count} answers were made`);
  assert.ok(process.memoryUsage().rss - rssBefore < 150 * 2 ** 20);
  peer.socket.resume();
  for (let id = 1; id <= count; id++) assert.is(decodeResponseFrame(await peer.next()).id, id);
  assert.is(asked, count + 1);
  await peer.close();
});

test("a flood of requests leaves the rest of the process its turns", async () => {
  const peer = await open();
  let asked = 0;
  slow(peer, () => {
    asked += 1;
    for (const end = performance.now() + 1; performance.now() < end; );
  });
  peer.socket.write(requests(300, () => ({ type: "GetVariable", key: "k" })));
  await peer.next();
  const before = asked;
  await sleep(1);
  assert.ok(asked - before < 100, "a timer of 1 ms had to wait for all requests");
  for (let left = 299; left > 0; left--) await peer.next();
  await peer.close();
});

test("all that has arrived is dealt with, also when the child is gone", async () => {
  const peer = await open();
  const count = load(20_000);
  slow(peer, () => new Promise((resolve) => setImmediate(resolve)));
  const all = requests(count, (at) => ({
    type: "PutVariable",
    key: `k${at}`,
    value: "v",
    description: null,
  }));
  peer.socket.write(all);
  while (peer.comm.bytesRead < all.byteLength) await sleep(1);
  assert.ok((await peer.store.variables.keys()).length < count);
  peer.socket.resetAndDestroy();
  await peer.session.ended;
  await peer.session.idle();
  assert.is((await peer.store.variables.keys()).length, count);
  await peer.close();
});

test.run();
