import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { rejects, skip } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { GuardedProgram } from "../../dist/processes/guarded-program.js";

const ENV = { PATH: process.env["PATH"] ?? "" };
// One child in a session of its own, which a signal to the group would miss.
const FAMILY = "setsid sleep 60 & echo started; exec sleep 60";

if (process.platform !== "linux") skip(test, "guarded programs", "they need /proc");
else {
  test("a program is ended with all that it started, and its folder goes", async () => {
    const program = new GuardedProgram("test");
    const { folder } = program;
    assert.is(statSync(folder).mode & 0o777, 0o700);
    await program.start({ command: "sh", args: ["-c", FAMILY], env: ENV });
    while (processesIn(folder).length < 2) await sleep(5);
    assert.is(readFileSync(program.logFile, "utf8"), "started\n");
    await program.kill();
    assert.not(program.isRunning);
    assert.equal(processesIn(folder), []);
    await program.start({ command: "sh", args: ["-c", FAMILY], env: ENV });
    await program.close();
    assert.not(existsSync(folder));
    assert.equal(processesIn(folder), []);
  });

  test("how a program ends is told, and why it can't start", async () => {
    const program = new GuardedProgram("test");
    const start = { args: ["-c", "echo oh no >&2; exit 3"], env: ENV };
    await program.start({ command: "sh", ...start });
    assert.equal(await program.ended(10_000), { code: 3, signal: null });
    assert.is(program.logTail(), "oh no");
    const error = await rejects(program.start({ command: "/no/such/program", ...start }));
    assert.match(error.message, "/no/such/program could not be started");
    await program.close();
    await program.close();
  });
}

function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

test.run();
