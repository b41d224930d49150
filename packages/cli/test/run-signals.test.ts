import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { skip } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE } from "./support/cli.ts";

/** A runtime in bash: connects, says that it is up, and starts processes of several kinds. */
const STUBBORN = `
  trap '' TERM INT HUP
  for arg in "$@"; do
    case $arg in --comm=*) comm=\${arg##*:};; --logs=*) logs=\${arg##*:};; esac
  done
  exec 3<>/dev/tcp/127.0.0.1/$comm 4<>/dev/tcp/127.0.0.1/$logs
  sleep 300 & (setsid sleep 300 &)
  echo is-up
  sleep 300`;
const OBEDIENT = STUBBORN.replace("trap '' TERM INT HUP", "");

/** More than that within which two signals are one. */
const DEBOUNCE_MS = 700;

interface Started {
  readonly child: ChildProcess;
  /** Its processes that still run, its own included. */
  left(): number[];
  readonly stderr: () => string;
  /** The exit code. */
  ended(): Promise<number | null>;
}

async function start(script: string, stdio: (number | "pipe")[] = ["pipe", "pipe"]) {
  const mark = randomUUID();
  const words = ["--dag", "d", "--task", "t", "--", "/bin/bash", "-c", script, "bash"];
  const child = spawn(process.execPath, [`${PACKAGE}bin/parlance.js`, "run", ...words], {
    env: { ...process.env, AIRFLOW_VAR_MARK: mark },
    stdio: ["ignore", ...stdio],
  });
  let stderr = "";
  child.stdout?.resume();
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const started: Started = {
    child,
    left: () => processesWith(mark),
    stderr: () => stderr,
    ended: () => closed,
  };
  return started;
}

async function isUp(run: Started): Promise<void> {
  while (!run.stderr().includes("is-up")) await sleep(10);
}

function processesWith(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const isZombie = /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${name}/stat`, "latin1"));
        return !isZombie && readFileSync(`/proc/${name}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

if (process.platform !== "linux") {
  skip(test, "signals and full disks", "the test looks for processes in /proc");
} else {
  test("a second Ctrl-C or SIGTERM ends a task that ignores the first, at once and with all it started", async () => {
    const run = await start(STUBBORN);
    await isUp(run);
    assert.ok(run.left().length >= 4);
    run.child.kill("SIGINT");
    run.child.kill("SIGINT"); // npm passes one on that everybody got already: still the first
    while (!run.stderr().includes("with SIGTERM")) await sleep(10);
    await sleep(DEBOUNCE_MS); // no wait for anything: the second one must be that much later
    assert.is(run.child.exitCode, null);
    run.child.kill("SIGTERM");
    assert.is(await run.ended(), 1);
    assert.match(run.stderr(), "with SIGKILL: the coordinator was told to"); // not: it took too long
    assert.equal(run.left(), []);
  });

  test("a terminal that hangs up ends the task, too", async () => {
    const run = await start(OBEDIENT);
    await isUp(run);
    run.child.kill("SIGHUP");
    assert.is(await run.ended(), 1);
    assert.equal(run.left(), []);
  });

  if (!existsSync("/dev/full")) {
    skip(test, "full disks", "there is no /dev/full");
  } else {
    test("logs that can't be written anywhere do not end the task", async () => {
      const run = await start("exit 3", ["pipe", openSync("/dev/full", "w")]);
      assert.is(await run.ended(), 1);
      const ended = await start(OBEDIENT, ["pipe", openSync("/dev/full", "w")]);
      while (ended.left().length < 4) await sleep(20);
      ended.child.kill("SIGTERM");
      assert.is(await ended.ended(), 1);
      assert.equal(ended.left(), []);
    });

    test("an outcome that can't be written is a failure", async () => {
      const help = spawn(process.execPath, [`${PACKAGE}bin/parlance.js`, "--help"], {
        stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      });
      let stderr = "";
      help.stderr?.on("data", (chunk: Buffer) => {
        stderr += chunk;
      });
      assert.is(await new Promise((resolve) => help.on("close", resolve)), 1);
      assert.match(stderr, /\[cannot-write\] stdout: .*ENOSPC/);
    });
  }
}

test.run();
