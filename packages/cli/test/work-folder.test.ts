import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { makeWorkFolder } from "../dist/work-folder.js";

const scope = (): string => {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
};

test("a folder is ours alone and goes; what a killed process left goes with the next one", async () => {
  const before = process.env["TMPDIR"];
  const folder = temporaryFolder("parlance-work");
  process.env["TMPDIR"] = folder;
  try {
    const { pid: dead } = spawnSync(process.execPath, ["--version"]);
    const abandoned = [
      `parlance-run-${dead}-${scope()}-aB3dE6`,
      `parlance-pack-${dead}-${scope()}-x`,
    ];
    const kept = [
      `parlance-run-${process.ppid}-${scope()}-aaaaaa`, // it runs
      `parlance-run-${dead}-1-aaaaaa`, // of another container
      `parlance-run-${dead}`,
      "other",
    ];
    for (const name of [...abandoned, ...kept]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "file"), "");
    }
    const work = await makeWorkFolder("run");
    assert.match(work.path, `parlance-run-${process.pid}-`);
    assert.equal(readdirSync(folder).sort(), [...kept, work.path.slice(folder.length + 1)].sort());
    await work.remove();
    assert.not(existsSync(work.path));
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

test.run();
