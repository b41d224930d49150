import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isLongRun, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";
import { registerFormatTests } from "./support/format-tests.ts";
import { writePackProject } from "./support/pack-project.ts";

// A file of its own: making a single executable takes some seconds and 700 MB of memory.

const folder = temporaryFolder();
const project = join(folder, "project");
const bundle = join(folder, "sea/tasks");
writePackProject(project);
registerFormatTests(test, "sea", project, bundle);

function packWith(nodeBinary: string, out: string) {
  const flags = ["--out", out, "--format", "sea", "--node-binary", nodeBinary, "--json"];
  return parlance(["pack", "src/tasks.ts", ...flags], { cwd: project });
}

writeFileSync(join(folder, "shim"), "#!/bin/sh\nexec node\n");
chmodSync(join(folder, "shim"), 0o755);
writeFileSync(join(folder, "text"), "no program");
const REFUSED = [
  [join(folder, "shim"), /it is a script that starts Node\.js/],
  [join(folder, "text"), /it is no program/],
  ["/bin/sh", /there is no place for a program in it|it is a script/],
  [bundle, /it carries a program already/],
  [join(folder, "none"), /can't be read.*ENOENT/],
  [folder, /can't be read/],
] as const;
for (const [nodeBinary, pattern] of REFUSED) {
  test(`sea: refuses ${nodeBinary.replace(folder, "…")}, and keeps the old file`, async () => {
    const out = join(folder, "kept");
    writeFileSync(out, "old");
    const run = await packWith(nodeBinary, out);
    assert.equal([run.code, errorOf(run).code], [65, "bad-node-binary"], run.stderr);
    assert.match(errorOf(run).message, pattern);
    assert.is(readFileSync(out, "utf8"), "old");
  });
}

/** The field of an ELF header that tells the machine. */
function setMachine(file: string, machine: number): void {
  const fd = openSync(file, "r+");
  writeSync(fd, Uint8Array.of(machine, 0), 0, 2, 18);
  closeSync(fd);
}

const MACHINES: Readonly<Record<string, number>> = { x64: 62, arm64: 183 };
const own = MACHINES[process.arch];
// Another 10 seconds, and the header of an ELF file.
if (isLongRun() && process.platform === "linux" && own !== undefined) {
  test("sea: for another machine, with a Node.js of the same version", async () => {
    const foreign = join(folder, "foreign-node");
    copyFileSync(process.execPath, foreign);
    setMachine(foreign, own === 62 ? 183 : 62);
    const out = join(folder, "foreign");
    const run = await packWith(foreign, out);
    assert.is(run.code, 0, run.stderr);
    assert.is.not(spawnSync(out, ["--describe"]).status, 0, "it is for another machine");
    setMachine(out, own); // what it would do there
    const there = spawnSync(out, ["--describe"], { encoding: "utf8" });
    assert.is(there.status, 0, there.stderr);
    assert.match(there.stdout, '"everything"');
  });
}

test.run();
