import { type Heartbeat, HeartbeatLoop, type HeartbeatVerdict } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function play(
  answers: readonly ("fail" | "ok" | "gone")[],
): Promise<HeartbeatVerdict | undefined> {
  let verdict: HeartbeatVerdict | undefined;
  let beats = 0;
  const heartbeat: Heartbeat = {
    intervalMs: 10,
    async beat() {
      const answer = answers[beats] ?? "ok";
      beats += 1;
      if (answer === "fail") throw new Error("503");
      return answer === "gone" ? "gone" : "running";
    },
  };
  const loop = new HeartbeatLoop(heartbeat, (given) => {
    verdict = given;
  });
  loop.start();
  while (beats <= answers.length && verdict === undefined) await sleep(5);
  loop.stop();
  return verdict;
}

test("LIF-10: only failures in a row end the task", async () => {
  assert.is(await play(["fail", "fail", "ok", "fail", "fail", "ok"]), undefined);
  assert.is(await play(["fail", "fail", "fail"]), "failing");
  assert.is(await play(["ok", "gone"]), "gone");
});

test("LIF-12: a beat that hangs costs no processor time, and stop leaves nothing", async () => {
  let aborted = false;
  const heartbeat: Heartbeat = {
    intervalMs: 0,
    beat: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason);
        });
      }),
  };
  const loop = new HeartbeatLoop(heartbeat, () => assert.unreachable("no verdict"));
  const before = process.cpuUsage();
  loop.start();
  await sleep(300);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 100_000, `${user + system} us in 300 ms`);
  loop.stop();
  assert.ok(aborted);
});

test("an interval of 0 is raised to a minimum", async () => {
  let beats = 0;
  const heartbeat: Heartbeat = {
    intervalMs: 0,
    async beat() {
      beats += 1;
      return "running";
    },
  };
  const loop = new HeartbeatLoop(heartbeat, () => {});
  const startedAt = performance.now();
  loop.start();
  while (beats < 5) await sleep(5);
  loop.stop();
  assert.ok(performance.now() - startedAt >= 4 * 9, "from one beat to the next it takes 10 ms");
});

test.run();
