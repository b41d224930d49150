import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { SlowRequests } from "../../dist/client/slow-requests.js";

test("a request is told of when it is late, again and again until it is answered", async () => {
  const told: string[] = [];
  const requests = new SlowRequests({
    firstNoticeMs: 60,
    nextNoticeMs: 40,
    onSlow: (type) => told.push(type),
  });
  const quick = requests.add("quick");
  const slow = requests.add("slow");
  requests.delete(quick);
  while (told.length < 2) await sleep(5);
  const late = requests.add("late");
  requests.delete(slow);
  while (told.length < 3) await sleep(5);
  requests.delete(late);
  await sleep(120);
  assert.equal(told, ["slow", "slow", "late"]);
});

test("it says for how many seconds", async () => {
  let waited = 0;
  const onSlow = (_type: string, seconds: number): void => {
    waited = seconds;
  };
  const requests = new SlowRequests({ firstNoticeMs: 900, nextNoticeMs: 60_000, onSlow });
  requests.add("slow");
  while (waited === 0) await sleep(20);
  assert.is(waited, 1);
});

test.run();
