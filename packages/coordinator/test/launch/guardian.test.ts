import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { skip } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { connectingBash, eventually, processesWith } from "../support/launching.ts";

const HOST = fileURLToPath(new URL("../../test/fixtures/host.mjs", import.meta.url));

/** Connects, ignores everything that can be ignored, and starts what leaves tree, group and session. */
const STUBBORN = connectingBash(
  "trap '' TERM INT HUP; sleep 300 & (setsid sleep 300 &); echo up; sleep 300; sleep 300",
)[2] as string;

interface Host {
  readonly child: ChildProcess;
  readonly mark: string;
  /** Number of its helper process. */
  readonly helper: number;
}

async function startHost(): Promise<Host> {
  const mark = randomUUID();
  const child = spawn(process.execPath, [HOST, STUBBORN], {
    env: { ...process.env, T_MARK: mark },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  const ours = processesWith(mark);
  const helper = children.trim().split(" ").map(Number);
  return { child, mark, helper: helper.find((pid) => !ours.includes(pid)) as number };
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

if (process.platform !== "linux") {
  skip(test, "a coordinator that is killed", "the test looks for processes in /proc");
} else {
  test("when a coordinator is killed its tasks end, also what has left their group", async () => {
    const { child, mark, helper } = await startHost();
    assert.ok(processesWith(mark).length >= 4);
    assert.ok(isAlive(helper));
    child.kill("SIGKILL");
    // 4 s of grace and a look at every process of the machine, which may be busy: no measure.
    assert.ok(await eventually(() => processesWith(mark).length === 0, 20_000));
    assert.ok(await eventually(() => !isAlive(helper), 20_000));
  });

  test("a coordinator that ends in order leaves no helper, and a helper holds no coordinator up", async () => {
    const { child, mark, helper } = await startHost();
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    assert.is(await exited, 0);
    assert.equal(processesWith(mark), []);
    assert.ok(await eventually(() => !isAlive(helper), 10_000));
  });
}

test.run();
