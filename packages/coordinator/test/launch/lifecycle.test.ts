import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { text } from "node:stream/consumers";
import {
  buildChildEnvironment,
  StartError,
  type StartedTask,
  type StartTaskProcessOptions,
  startTaskProcess,
  waitForStreams,
} from "@parlance/coordinator";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadCase } from "../support/cases.ts";
import { connecting, eventually, shell, writeFiles } from "../support/launching.ts";

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Scenario {
  readonly files: { readonly [path: string]: string };
}

function start(options: Partial<StartTaskProcessOptions>): Promise<StartedTask> {
  return startTaskProcess({ argv: [], env: buildChildEnvironment(), killGraceMs: 500, ...options });
}

/** A launcher in shell around a runtime in Node: `$@` runs the runtime. */
function around(script: string, code?: string): readonly string[] {
  return ["/bin/sh", "-c", script, "sh", ...connecting(code)];
}

/** A runtime whose connections are both accepted: one that went sooner would not have started. */
const ENDS_WHEN_TOLD = 'comm.once("data", () => process.exit(0))';

test("LIF-01 the exit event decides, the streams are waited for up to the limit", async () => {
  const { expected } = loadCase<Scenario, { exit_code: number; stdout: string }>("LIF-01");
  const task = await start({
    argv: around('"$@"; sleep 300 & echo done; exit 0', ENDS_WHEN_TOLD),
  });
  task.comm.write("end");
  const stdout = text(task.stdout);
  task.comm.resume();
  task.logs.resume();
  const { exitCode } = await task.exited;
  assert.is(exitCode, expected.exit_code, "seen while its streams are held open");
  const cut = await waitForStreams([task.stdout, task.stderr, task.comm, task.logs], {
    timeoutMs: 200,
  });
  assert.is(cut.length, 2, "stdout and stderr were still held");
  assert.is(await stdout, `${expected.stdout}\n`);
  await task.close();
});

test("streams that end by themselves are waited for, not cut", async () => {
  const task = await start({
    argv: around('"$@"; (sleep 0.2; echo late) & exit 0', ENDS_WHEN_TOLD),
  });
  task.comm.write("end");
  const stdout = text(task.stdout);
  for (const stream of [task.stderr, task.comm, task.logs]) stream.resume();
  await task.exited;
  const streams = [task.stdout, task.stderr, task.comm, task.logs];
  assert.equal(await waitForStreams(streams, { timeoutMs: 60_000 }), []);
  assert.is(await stdout, "late\n");
  await task.close();
});

test("LIF-03 a signal for the task's group reaches neither us nor our group", async () => {
  const { expected } = loadCase<Scenario, { supervisor_alive: boolean; task_alive: boolean }>(
    "LIF-03",
  );
  const neighbour = spawn("/bin/sleep", ["30"], { stdio: "ignore" }); // in our own group
  const task = await start({ argv: around('"$@"; sleep 30') });
  await task.kill("SIGTERM");
  assert.is((await task.exited).exitCode, -15);
  await task.close();
  assert.throws(() => process.kill(task.pid, 0), /ESRCH/);
  assert.is(expected.task_alive, false);
  assert.is(neighbour.exitCode ?? neighbour.signalCode, null, "our group is untouched");
  neighbour.kill("SIGKILL");
  await once(neighbour, "exit");
});

test("LIF-14 what user code prints is no part of the protocol", async () => {
  const { input } = loadCase<Scenario, unknown>("LIF-14");
  const folder = writeFiles(input.files);
  const print = `await import(${JSON.stringify(`${folder}/task.mjs`)});`;
  const argv = connecting(`(async () => { ${print} comm.write("in"); })()`);
  const task = await start({
    argv: ["/bin/sh", "-c", 'printf "before\\377"; printf err >&2; exec "$@"', "sh", ...argv],
  });
  const [first] = (await once(task.comm, "data")) as [Buffer];
  assert.is(first.toString(), "in", "the link carries what was written to it, nothing else");
  await task.terminate();
  const printed = Buffer.concat(await task.stdout.toArray());
  const expected = Buffer.from([0, 0, 0, 5, 0xdd, 0xff]);
  assert.is(
    printed.toString("latin1"),
    `before\xff${expected.toString("latin1")}Content-Length: 3\n`,
  );
  assert.is(await text(task.stderr), "err");
  await task.close();
});

test("LIF-15 no external program is needed: PATH leads nowhere", async () => {
  const before = process.env["PATH"];
  const { expected } = loadCase<Scenario, { PATH: string }>("LIF-15");
  process.env["PATH"] = expected.PATH;
  try {
    const task = await start({ argv: around('/bin/sleep 30 & "$@"') }); // OWN-02's shape
    assert.equal(await task.killTree(), []);
    assert.is((await task.exited).exitCode, -9);
    await task.close();
  } finally {
    process.env["PATH"] = before;
  }
});

test("LIF-18 a command that does not exist fails at once", async () => {
  const { expected } = loadCase<Scenario, { rejects_within_s: number; error_code: string }>(
    "LIF-18",
  );
  const startedAt = performance.now();
  const error = await rejects(start({ argv: ["/no/such/program"] }), "spawn-failed");
  assert.ok(performance.now() - startedAt < expected.rejects_within_s * 10_000);
  assert.is((error as StartError).errno, expected.error_code);
});

test("LIF-19 silence is no success", async () => {
  const { input } = loadCase<Scenario, unknown>("LIF-19");
  const cwd = writeFiles(input.files);
  const error = await rejects(start({ argv: ["./task.sh"], cwd }), "exited-before-connect");
  assert.is((error as StartError).exitCode, 0);
});

test("the exit is seen at once when the process ends, streams open or not", async () => {
  const task = await start({
    argv: around(
      'sleep 300 & exec "$@"',
      'comm.once("data", () => comm.write("" + Date.now(), () => process.exit(7)))',
    ),
  });
  task.comm.write("end");
  let sent = "";
  task.comm.on("data", (chunk: Buffer) => {
    sent += chunk;
  });
  const { exitCode } = await task.exited;
  const seenAt = Date.now();
  assert.is(exitCode, 7);
  await task.close();
  // About 5 ms; what stock sees the exit by looks every 5 s.
  assert.ok(seenAt - Number(sent) < 2_500, `${seenAt - Number(sent)} ms from the call of exit`);
});

test("output before the connection may be more than a pipe holds", async () => {
  const print = 'head -c 3000000 /dev/zero | tr "\\0" x; "$@"';
  const task = await start({ argv: around(print) });
  await task.terminate();
  assert.is((await text(task.stdout)).length, 3_000_000);
  await task.close();
});

test("onSpawn gives the output of a failed start as well, whole", async () => {
  let whole: Promise<string> | undefined;
  const error = await rejects(
    start({
      argv: shell("head -c 100000 /dev/zero | tr '\\0' y", "exit 3"),
      onSpawn: ({ stdout }) => {
        whole = text(stdout);
      },
    }),
    "exited-before-connect",
  );
  assert.is((await whole)?.length, 100_000);
  assert.is((error as StartError).stdoutTail, "y".repeat(64 * 1024), "the last 64 KiB");
});

test("a throwing onSpawn ends the process and is passed on", async () => {
  let pid = 0;
  const onSpawn: StartTaskProcessOptions["onSpawn"] = (output) => {
    pid = output.pid;
    throw new Error("mine");
  };
  const error = await rejects(start({ argv: shell("sleep 30"), onSpawn }));
  assert.is(error.message, "mine");
  // Killed for sure; its number goes when Node has reaped it, in one of the next turns.
  assert.ok(await eventually(() => !isThere(pid)));
});

test("aborting ends a start; before the start nothing is started", async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 100);
  const argv = shell("trap '' TERM", "sleep 30"); // has to be killed
  const error = await rejects(start({ argv, signal: abort.signal, killGraceMs: 100 }), "aborted");
  assert.instance(error, StartError);
  await rejects(start({ argv: ["/no/such/program"], signal: abort.signal }), "aborted");
});

test("a kill signal ends a start that would take its time to end", async () => {
  const abort = new AbortController();
  const kill = new AbortController();
  setTimeout(() => abort.abort(), 50);
  setTimeout(() => kill.abort(), 100);
  const argv = shell("trap '' TERM", "sleep 3000");
  const error = await rejects(
    start({ argv, signal: abort.signal, killSignal: kill.signal, killGraceMs: 3_600_000 }),
    "aborted",
  );
  assert.instance(error, StartError);
});

test("limits without end are no limits", async () => {
  const endless = { startupTimeoutMs: Number.POSITIVE_INFINITY, killGraceMs: Number.MAX_VALUE };
  const task = await start({ argv: connecting(), ...endless });
  const streams = [task.stdout, task.stderr];
  for (const stream of streams) stream.resume();
  const waiting = waitForStreams(streams, { timeoutMs: 2 ** 31 });
  assert.is((await task.terminate()).exitCode, -15);
  assert.equal(await waiting, []);
  await task.close();
});

test("a program that is still open for writing is tried again, a little while", async () => {
  const folder = writeFiles({ "fresh.sh": "#!/bin/sh\nexit 6\n" });
  const handle = await open(`${folder}/fresh.sh`, "r+");
  setTimeout(() => void handle.close(), 60);
  const error = await rejects(start({ argv: [`${folder}/fresh.sh`] }), "exited-before-connect");
  assert.is((error as StartError).exitCode, 6);

  const held = await open(`${folder}/fresh.sh`, "r+");
  const busy = await rejects(start({ argv: [`${folder}/fresh.sh`] }), "spawn-failed");
  assert.match(busy.message, /ETXTBSY.*still open for writing/);
  await held.close();
});

test("the child gets no stdin to wait for, and the two addresses last, in order", async () => {
  const argv = ["/bin/sh", "-c", 'cat; echo "$@"; exit 5', "sh", "one two", "$HOME", "--comm=x"];
  const error = (await rejects(start({ argv }), "exited-before-connect")) as StartError;
  assert.match(
    error.stdoutTail,
    /^one two \$HOME --comm=x --comm=127\.0\.0\.1:\d+ --logs=127\.0\.0\.1:\d+\n$/,
  );
});

test.run();
