import { join } from "node:path";
import { inspect, isDeepStrictEqual } from "node:util";
import {
  buildStartupDetails,
  MemoryTaskStore,
  openSqliteTaskStore,
  type TaskStore,
  type XComRef,
} from "@parlance/coordinator";
import { decodeResponseFrame, encodeRequestFrame, Float, type FrameError } from "@parlance/framing";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openRequestPeer, type RequestPeer } from "../support/request-peer.js";

/** Beyond the limit from which a thread is used. */
const LARGE = 9 * 1024 * 1024;
const folder = temporaryFolder("parlance-large");
const ids = { dag_id: "d", run_id: "r", task_id: "t", key: "k" };
const ref: XComRef = { dagId: "d", runId: "r", taskId: "t", key: "k", mapIndex: -1 };
const startupDetails = buildStartupDetails({
  schemaVersion: "2026-06-16",
  taskInstance: { dagId: "d", taskId: "t", runId: "r", tryNumber: 1 },
  startDate: new Date(),
});

const open = (store: TaskStore): Promise<RequestPeer> =>
  openRequestPeer(startupDetails, "2026-06-16", store);

/** Rewrites each message between the two versions. */
const openBelow = (store: TaskStore): Promise<RequestPeer> =>
  openRequestPeer(startupDetails, "2026-10-30", store, { runtime: "2026-06-16" });

async function answers(peer: RequestPeer, bodies: readonly object[]) {
  peer.socket.write(
    Buffer.concat(bodies.map((body, at) => encodeRequestFrame({ id: at + 1, body }))),
  );
  const frames: ReturnType<typeof decodeResponseFrame>[] = [];
  while (frames.length < bodies.length) {
    frames.push(decodeResponseFrame(await peer.next(), { wrapFloats: true }));
  }
  return frames;
}

/** A large list with every type that JSON alone would change. */
const value = [
  new Float(1),
  2n ** 63n,
  -0.5,
  "é\u0000\u{1f600}",
  { nested: [null, true] },
  "x".repeat(LARGE),
];

/** In a few words: 9 MB of difference help nobody. */
function same(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    assert.unreachable(`${inspect(actual, { maxStringLength: 20 })} is not what was expected`);
  }
}

async function passesThrough(store: TaskStore, opened = open): Promise<void> {
  const peer = await opened(store);
  const bodies = [
    { type: "GetXCom", ...ids },
    { type: "SetXCom", ...ids, value, mapped_length: 6 },
    { type: "GetXCom", ...ids },
    { type: "GetXComSequenceSlice", ...ids, start: null, stop: null, step: null },
    { type: "DeleteXCom", ...ids },
    { type: "GetXComCount", ...ids },
  ];
  const [before, set, got, slice, deleted, count] = await answers(peer, bodies);
  assert.equal(before?.body, { key: "k", value: null, type: "XComResult" });
  assert.equal([set?.id, set?.body, set?.error], [2, null, null]);
  same(got?.body?.["value"], value);
  same(slice?.body?.["root"], [value]);
  assert.equal([deleted?.body, count?.body?.["len"]], [null, 0]);
  await peer.close();
}

test("a large XCom is kept and given back with every type, in order with what surrounds it", async () => {
  await passesThrough(new MemoryTaskStore());
});

test("so it is for a runtime of an older schema version, from memory and from SQLite", async () => {
  await passesThrough(new MemoryTaskStore(), openBelow);
  const store = await openSqliteTaskStore(join(folder, "below.db"));
  await passesThrough(store, openBelow);
  await store.close();
});

test("so it is in a SQLite store, also for who opens it later", async () => {
  const file = join(folder, "large.db");
  const store = await openSqliteTaskStore(file);
  await passesThrough(store);
  const text = JSON.stringify("y".repeat(LARGE));
  await store.xcoms.setExactJson?.(ref, Buffer.from(text), { mappedLength: 3 });
  await store.close();
  const again = await openSqliteTaskStore(file);
  const [listed] = await again.xcoms.list({ dagId: "d", runId: "r" });
  assert.equal([listed?.mappedLength, listed?.key], [3, "k"]);
  same(listed?.value, "y".repeat(LARGE));
  await again.close();
});

test("a store that takes no bytes is given the value", async () => {
  const store = new MemoryTaskStore();
  const given: unknown[] = [];
  Object.assign(store.xcoms, {
    setExactJson: undefined,
    set: async (_ref: XComRef, one: unknown, facts: object) => void given.push(one, facts),
  });
  const peer = await open(store);
  const [set] = await answers(peer, [{ type: "SetXCom", ...ids, value }]);
  assert.equal([set?.body, set?.error], [null, null]);
  same(given, [value, { mappedLength: null }]);
  await peer.close();
});

test("a large body of another type is dealt with as a small one", async () => {
  const peer = await open(new MemoryTaskStore());
  const text = "v".repeat(LARGE);
  const bodies = [
    { type: "PutVariable", key: "v", value: text, description: null },
    { type: "GetVariable", key: "v" },
    { type: "Nonsense", value: text },
    { type: "SetXCom", ...ids, value: Buffer.alloc(LARGE) },
    { type: "SetXCom", ...ids, key: 7, value: text },
  ];
  const [, got, nonsense, binary, badKey] = await answers(peer, bodies);
  same(got?.body?.["value"], text);
  for (const [frame, says] of [
    [nonsense, "Nonsense"],
    [binary, "/value"],
    [badKey, "/key"],
  ] as const) {
    const detail = frame?.error?.["detail"] as { status_code: number; message: string };
    assert.is(detail.status_code, 422);
    assert.match(detail.message, says);
    assert.ok(detail.message.length < 500);
  }
  await peer.close();
});

test("a large payload that is no frame ends the link; what came before it is answered", async () => {
  const peer = await open(new MemoryTaskStore());
  const good = encodeRequestFrame({ id: 1, body: { type: "GetXComCount", ...ids } });
  const bad = Buffer.from(encodeRequestFrame({ id: 2, body: { type: "SetXCom", ...ids, value } }));
  bad[bad.length - 5] = 0xff; // in the middle of the last text: no UTF-8
  const late = encodeRequestFrame({ id: 3, body: { type: "GetXComCount", ...ids } });
  peer.socket.write(Buffer.concat([good, bad, late]));
  assert.is(decodeResponseFrame(await peer.next()).id, 1);
  const error = (await peer.session.ended) as FrameError;
  assert.is(error.code, "not-msgpack");
  assert.match(error.message, "UTF-8");
  await peer.session.idle();
  await peer.close();
});

test.run();
