import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LaunchGate } from "../../dist/launch/launch-gate.js"; // internal

test("so many at once, in order of arrival; leaving twice lets one in", async () => {
  const gate = new LaunchGate(2);
  const order: number[] = [];
  const leaves = await Promise.all([gate.enter(), gate.enter()]);
  const waiting = [1, 2, 3].map(async (at) => {
    const leave = await gate.enter();
    order.push(at);
    return leave;
  });
  await sleep(5);
  assert.equal(order, []);
  leaves[0]?.();
  leaves[0]?.();
  await sleep(5);
  assert.equal(order, [1]);
  (await waiting[0])?.();
  leaves[1]?.();
  for (const leave of await Promise.all(waiting)) leave();
  assert.equal(order, [1, 2, 3]);
  const again = await Promise.all([gate.enter(), gate.enter()]); // nobody is inside any more
  for (const leave of again) leave();
});

test("an abort ends the waiting, and takes nobody's turn", async () => {
  const gate = new LaunchGate(1);
  const leave = await gate.enter();
  const abort = new AbortController();
  const given = gate.enter([undefined, abort.signal]);
  const next = gate.enter();
  abort.abort();
  (await given)();
  leave();
  (await next)();
  (await gate.enter())();
});

test("a launch that hangs lets the next one pass in the end", async () => {
  const gate = new LaunchGate(1, { maxHoldMs: 100 });
  const startedAt = performance.now();
  await gate.enter();
  const leave = await gate.enter();
  const waitedMs = performance.now() - startedAt;
  assert.ok(waitedMs > 90 && waitedMs < 20_000, `${waitedMs} ms`);
  leave();
});

test.run();
