import { execFile } from "node:child_process";
import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSourceStream, readBundle, readSources } from "@parlance/bundle";
import { isLongRun, temporaryFolder, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { assemble } from "./generate/random-executable.ts";

// How much memory it takes does not depend on the size of a file: at most 100 MB, Node included.

const MEASURED = fileURLToPath(new URL("support/measured.js", import.meta.url));
const MAX_BYTES = 100_000_000;
const EXECUTABLE_BYTES = (isLongRun() ? 2 ** 31 : 2 ** 28) + 5;

async function measure(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [MEASURED, ...args]);
  const { peakBytes, result } = JSON.parse(stdout) as { peakBytes: number; result: unknown };
  const megabytes = Math.round(peakBytes / 1e6);
  console.log(`# ${args[0]}, ${EXECUTABLE_BYTES} bytes: ${megabytes} MB at most`);
  assert.ok(peakBytes < MAX_BYTES, `${args[0]} took ${megabytes} MB`);
  return result;
}

test("a large executable is packed, read, verified and found in 100 MB", async () => {
  const folder = temporaryFolder("parlance-memory");
  const [executable, out] = [join(folder, "exe"), join(folder, "out")];
  writeFileSync(executable, "#!/bin/sh\n", { mode: 0o755 });
  truncateSync(executable, EXECUTABLE_BYTES); // sparse: no bytes on the disk
  try {
    assert.is(await measure("read", executable), false); // all of it is searched for a footer
    assert.is(await measure("pack", executable, out), statSync(out).size);
    assert.is(await measure("read", out), true);
    assert.is(await measure("verify", out), true);
    assert.is(await measure("find", out), true);
  } finally {
    rmSync(out, { force: true });
  }
});

test("a large source is streamed, and not read at once", async () => {
  const folder = temporaryFolder("parlance-memory");
  const path = join(folder, "bundle");
  const source = Buffer.alloc((64 << 20) + 1, "s");
  writeFileSync(
    path,
    assemble({ executable: Buffer.from("x"), source, metadata: Buffer.from("a: 1") }),
  );
  const report = await readBundle(path);
  throws(() => readSources(report), "too-large");
  let length = 0;
  for await (const piece of createSourceStream(report)) length += (piece as Buffer).length;
  assert.is(length, source.length);
  const [middle] = await createSourceStream(report, { offset: 3, length: 5 }).toArray();
  assert.is(String(middle), "sssss");
});

test.run();
