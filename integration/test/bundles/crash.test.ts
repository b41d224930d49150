import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readBundle } from "@parlance/bundle";
import { load, openFolder, programUser, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../airflow/support/random.ts";
import { PackingPlace } from "./support/packing-place.ts";

// Whatever ends a packer: the old bundle or the new one is in place, and nothing else stays.

const CLI = fileURLToPath(new URL("../../../packages/cli/bin/parlance.js", import.meta.url));
const PACK_AS = fileURLToPath(new URL("support/pack-as.js", import.meta.url));
const EXECUTABLE_BYTES = 3 << 20;
const random = new Random();

test(`kill -9 at any point (seed ${random.seed})`, async () => {
  const place = await PackingPlace.make(EXECUTABLE_BYTES);
  for (let round = 0; round < load(200); round++) {
    const packer = await place.startPacking();
    await sleep(random.below(60)); // where it is then does not matter
    packer.kill("SIGKILL");
    await once(packer, "exit");
    place.assertWhole();
  }
  const last = await place.startPacking(1);
  if (last.exitCode === null) await once(last, "exit");
  place.assertNothingElse();
});

test("two packers at one output, and a reader all the while", async () => {
  const place = await PackingPlace.make(EXECUTABLE_BYTES);
  const packers = await Promise.all([place.startPacking(30), place.startPacking(30)]);
  while (packers.some(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    place.assertWhole();
    await sleep(1);
  }
  assert.equal(
    packers.map(({ exitCode }) => exitCode),
    [0, 0],
  );
  place.assertWhole();
  place.assertNothingElse();
});

/** A folder with an executable, its metadata, and an old file in the bundle's place. */
function bench(folder = temporaryFolder("parlance-bundle-pack")) {
  writeFileSync(join(folder, "exe"), `#!/bin/sh\n${"#".repeat(1 << 20)}\n`, { mode: 0o755 });
  const metadata = { sdk: { supervisor_schema_version: "2026-06-16" }, dags: { d: {} } };
  writeFileSync(join(folder, "metadata"), JSON.stringify(metadata));
  writeFileSync(join(folder, "out"), "old");
  const inputs = ["--executable", "exe", "--metadata", "metadata", "--out", "out"];
  return { folder, command: [CLI, "bundle", "pack", ...inputs] };
}

const FILES = ["exe", "metadata", "out"];

test("kill -9 of the command, and the next one", async () => {
  const { folder, command } = bench();
  const started = performance.now();
  await promisify(execFile)(process.execPath, command, { cwd: folder });
  const wholeMs = performance.now() - started;
  const [packed, old] = [readFileSync(join(folder, "out")), Buffer.from("old")];
  writeFileSync(join(folder, "out"), old);
  for (let round = 0; round < load(100); round++) {
    const child = spawn(process.execPath, command, { cwd: folder, stdio: "ignore" });
    await Promise.race([once(child, "exit"), sleep(random.next() * wholeMs)]);
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    const found = readFileSync(join(folder, "out"));
    assert.ok(found.equals(old) || found.equals(packed), "neither old nor new");
    writeFileSync(join(folder, "out"), old);
  }
  await promisify(execFile)(process.execPath, command, { cwd: folder });
  assert.is((await readBundle(join(folder, "out"))).verified, true);
  assert.equal(readdirSync(folder).sort(), FILES);
});

test("a file that may not grow any more", () => {
  const { folder, command } = bench();
  const args = ["-c", 'ulimit -f 256; exec "$@"', "sh", process.execPath, ...command];
  const { status, stderr } = spawnSync("sh", args, { cwd: folder, encoding: "utf8" });
  assert.is(status, 1, stderr);
  assert.match(stderr, /\[cannot-write\].*EFBIG.*unchanged/);
  assert.is(readFileSync(join(folder, "out"), "utf8"), "old");
  assert.equal(readdirSync(folder).sort(), FILES);
});

test("a folder that may not be written to", () => {
  const user = programUser();
  // Somebody else has to get as far as the folder.
  const { folder } = bench(mkdtempSync(join(openFolder(user), "parlance-bundle-pack-")));
  chmodSync(folder, 0o555);
  const args = [PACK_AS, join(folder, "exe"), join(folder, "out"), String(user.uid ?? "")];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  chmodSync(folder, 0o755);
  assert.match(stdout, /^cannot-write: .*EACCES.*unchanged/);
  assert.is(readFileSync(join(folder, "out"), "utf8"), "old");
  assert.equal(readdirSync(folder).sort(), FILES);
  rmSync(folder, { recursive: true });
});

test.run();
