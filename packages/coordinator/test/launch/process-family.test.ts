import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { buildChildEnvironment, type StartedTask, startTaskProcess } from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
// Internal: a child that does not lead a group of its own is never made by startTaskProcess.
import { FAMILY_VARIABLE, ProcessFamily } from "../../dist/launch/process-family.js";
import { type ProcessEntry, readProcessStat } from "../../dist/ownership/process-stat.js";
import { ProcProcessTable, PsListProcessTable } from "../../dist/ownership/process-table.js";
import { connectingBash, eventually, processesWith, UNTIL_TOLD } from "../support/launching.ts";

let round = 0;

/** A command line that only this test has. */
function lonelySleep(): string {
  round += 1;
  return `sleep 30.${process.pid}${round}`;
}

function start(script: string, runtime?: string, killGraceMs = 300): Promise<StartedTask> {
  const argv = ["/bin/sh", "-c", script, "sh", ...connectingBash(runtime)];
  return startTaskProcess({ argv, env: buildChildEnvironment(), killGraceMs });
}

const ESCAPES: readonly (readonly [string, (rest: string) => string])[] = [
  ["a plain child", (rest) => `${rest} &`],
  ["ignores SIGTERM", (rest) => `(trap '' TERM; ${rest}; ${rest}) &`],
  ["orphaned by a double fork", (rest) => `(${rest} &)`],
  ["a session of its own", (rest) => `setsid ${rest} &`],
  ["a session of its own, orphaned", (rest) => `(setsid ${rest} >/dev/null 2>&1 </dev/null &)`],
  ["a clean environment, orphaned", (rest) => `(env -i /bin/${rest} &)`],
  ["all descriptors closed, orphaned", (rest) => `(exec 0<&- 1>&- 2>&-; setsid ${rest} &)`],
];

for (const [name, flee] of ESCAPES) {
  test(`killTree ends what escaped: ${name}`, async () => {
    const rest = lonelySleep();
    const task = await start(`${flee(rest)}\nexec "$@"`);
    assert.ok(await eventually(() => processesWith(rest.replace(" ", "\0")).length > 0));
    assert.equal(await task.killTree(), []);
    assert.equal(processesWith(rest.replace(" ", "\0")), []);
    assert.is((await task.exited).exitCode, -9);
    await task.close();
  });
}

for (const [name, flee] of ESCAPES) {
  test(`close ends what is left after a good end: ${name}`, async () => {
    const rest = lonelySleep();
    const task = await start(`${flee(rest)}\nexec "$@"`, `${UNTIL_TOLD}; exit 0`);
    task.comm.write("end");
    assert.is((await task.exited).exitCode, 0);
    await task.close();
    assert.equal(processesWith(rest.replace(" ", "\0")), []);
  });
}

test("terminate: SIGTERM to all, SIGKILL to who ignores it, after the grace time", async () => {
  const rest = lonelySleep();
  const runtime = "trap 'exit 3' TERM; echo ready";
  // Ignored before the fork: the subshell has it from its first moment on.
  const deaf = `trap '' TERM\n(${rest}; ${rest}) &\ntrap - TERM`;
  const task = await start(`${deaf}\nexec "$@"`, runtime, 1_500);
  await once(task.stdout, "data");
  const startedAt = performance.now();
  assert.is((await task.terminate()).exitCode, 3, "the runtime may end in order");
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs > 1_400, `${tookMs} ms`);
  assert.equal(processesWith(rest.replace(" ", "\0")), []);
  await task.close();
});

test("terminate does not wait for the grace time when all have gone", async () => {
  const task = await start('exec "$@"', undefined, 3_600_000);
  assert.is((await task.terminate()).exitCode, -15);
  await task.close();
});

test("a launcher that ignores SIGTERM and its worker are both ended", async () => {
  const task = await start('trap \'\' TERM; "$@"; "$@"', "trap '' TERM");
  assert.is((await task.terminate()).exitCode, -9);
  await task.close();
});

test("processes that start others while they are killed are ended as well", async () => {
  const rest = lonelySleep();
  const task = await start(`(while :; do (setsid ${rest} &); sleep 0.01; done) &\nexec "$@"`);
  await sleep(150);
  assert.equal(await task.killTree(), []);
  await sleep(50);
  assert.equal(processesWith(rest.replace(" ", "\0")), []);
  await task.close();
});

test("killing again, and after the end, is harmless", async () => {
  const task = await start('exec "$@"');
  assert.equal(await task.killTree(), []);
  assert.equal(await task.killTree(), []);
  await task.kill("SIGTERM");
  assert.is((await task.terminate()).exitCode, -9);
  assert.is(task.exitStatus?.exitCode, -9);
  await task.close();
  await task.close();
});

async function startHere(script: string, mark: string): Promise<ChildProcess> {
  const env = { ...process.env, [FAMILY_VARIABLE]: mark };
  const child = spawn("/bin/sh", ["-c", script], { stdio: "ignore", env });
  await once(child, "spawn");
  return child;
}

test("LIF-03 not a leader of its own group: single processes are signalled, never a group", async () => {
  const rest = lonelySleep();
  const child = await startHere(`${rest} & ${rest}`, "m1");
  const neighbour = spawn("/bin/sleep", ["30"], { stdio: "ignore" });
  const pid = child.pid ?? 0;
  const family = new ProcessFamily({
    leader: { pid, startTime: readProcessStat("/proc", pid)?.startTime },
    hasOwnGroup: false,
    mark: "m1",
    processes: new ProcProcessTable(),
    isReaped: () => child.exitCode !== null || child.signalCode !== null,
  });
  await eventually(() => processesWith(rest.replace(" ", "\0")).length === 2);
  assert.is(await family.signal("SIGTERM"), 3);
  await once(child, "exit");
  assert.equal(await family.kill(), []);
  assert.equal(processesWith(rest.replace(" ", "\0")), []);
  assert.is(neighbour.exitCode ?? neighbour.signalCode, null);
  neighbour.kill("SIGKILL");
});

test("a number that belongs to somebody else by now is never signalled", async () => {
  const child = await startHere("sleep 30", "m2");
  const pid = child.pid ?? 0;
  const startTime = readProcessStat("/proc", pid)?.startTime ?? 0;
  for (const leader of [
    { pid, startTime: startTime - 5 }, // our process is gone, the number is used again
    { pid, startTime: startTime + 5 },
  ]) {
    const family = new ProcessFamily({
      leader,
      hasOwnGroup: false,
      mark: "another mark",
      processes: new ProcProcessTable(),
      isReaped: () => true,
    });
    assert.is(await family.signal("SIGKILL"), 0);
    assert.equal(await family.kill(), []);
  }
  assert.is(child.signalCode, null);
  child.kill("SIGKILL");
});

test("a list of processes that takes longer than all patience, or fails, still ends in a signal", async () => {
  const real = new ProcProcessTable();
  let isFirst = true;
  const slow = async (): Promise<ProcessEntry[]> => {
    if (isFirst) await sleep(2_100);
    isFirst = false;
    return await real.list();
  };
  const lists = [slow, () => Promise.reject(new Error("EMFILE"))];
  await Promise.all(
    lists.map(async (list) => {
      const child = spawn("/bin/sleep", ["30"], { stdio: "ignore", detached: true });
      const exited = once(child, "exit");
      const family = new ProcessFamily({
        leader: { pid: child.pid ?? 0, startTime: undefined },
        hasOwnGroup: true,
        mark: "m4",
        processes: { list },
        isReaped: () => child.signalCode !== null,
      });
      const left = await family.kill();
      assert.equal((await exited)[1], "SIGKILL");
      assert.equal(
        left,
        list === slow ? [] : [child.pid],
        "who can't look can't say that it is gone",
      );
    }),
  );
});

test("elsewhere: the tree by the ps command", async () => {
  const rest = lonelySleep();
  const child = await startHere(`sh -c '${rest} & ${rest}'; true`, "m3");
  const family = new ProcessFamily({
    leader: { pid: child.pid ?? 0, startTime: undefined },
    hasOwnGroup: false,
    mark: "m3",
    processes: new PsListProcessTable(),
    isReaped: () => child.exitCode !== null || child.signalCode !== null,
  });
  await eventually(() => processesWith(rest.replace(" ", "\0")).length >= 2);
  assert.equal(await family.kill(), []);
  assert.equal(processesWith(rest.replace(" ", "\0")), []);
});

test.run();
