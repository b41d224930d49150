import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  createMetadata,
  MAX_METADATA_BYTES,
  metadataToJson,
  packBundle,
  readBundle,
  readSources,
} from "@parlance/bundle";
import { rejects, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const METADATA = createMetadata({
  sdk: { language: "typescript", version: "0.1.0", supervisorSchemaVersion: "2026-06-16" },
  dags: { d1: { tasks: ["t"] } },
});

interface Bench {
  readonly folder: string;
  readonly executable: string;
  readonly out: string;
}

function bench(mode = 0o755): Bench {
  const folder = temporaryFolder();
  const executable = join(folder, "exe");
  writeFileSync(executable, "#!/bin/sh\nexit 0\n");
  chmodSync(executable, mode);
  return { folder, executable, out: join(folder, "out") };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o7777;
}

/** Nothing but what was there: no temporary file is left. */
function assertOnly(folder: string, names: readonly string[]): void {
  assert.equal(readdirSync(folder).sort(), [...names].sort());
}

test("a bundle with sources is complete, and verified", async () => {
  const { executable, out } = bench();
  const sources = [
    { path: "a.ts", data: "export {};\n" },
    { path: "b.ts", data: "é" },
  ];
  const dags = { d1: { tasks: ["t"] } };
  const sdk = { language: "go", version: "1", supervisorSchemaVersion: "2026-06-16" };
  const metadata = createMetadata({ sdk, dags, sources });
  const packed = await packBundle({ executable, metadata, sources, out });
  const report = await readBundle(out, { knownSchemaVersions: ["2026-06-16"] });
  assert.equal(report.problems, []);
  assert.is(report.verified, true);
  assert.equal(report.footer, packed.footer);
  assert.equal(report.regions, packed.regions);
  assert.is(statSync(out).size, packed.size);
  assert.equal(
    report.metadata && metadataToJson(report.metadata),
    JSON.parse(JSON.stringify(metadata)),
  );
  const read = readSources(report).map(({ path, data }) => [path, data.toString()]);
  assert.equal(read, [
    ["a.ts", "export {};\n"],
    ["b.ts", "é"],
  ]);
});

test("a large executable is copied whole", async () => {
  const { executable, out } = bench();
  truncateSync(executable, 5 * 1024 * 1024 + 17);
  await packBundle({ executable, metadata: METADATA, out });
  assert.is((await readBundle(out)).verified, true);
  const original = readFileSync(executable);
  assert.ok(readFileSync(out).subarray(0, original.length).equals(original));
});

test("the execute bits follow the read bits; a given mode wins", async () => {
  for (const [mode, wanted] of [
    [0o644, 0o755],
    [0o600, 0o700],
    [0o750, 0o750],
    [0o640, 0o750],
    [0o4755, 0o755],
  ] as const) {
    const { executable, out } = bench(mode);
    await packBundle({ executable, metadata: METADATA, out });
    assert.is(modeOf(out), wanted, mode.toString(8));
  }
  const { executable, out } = bench();
  await packBundle({ executable, metadata: METADATA, out, mode: 0o711 });
  assert.is(modeOf(out), 0o711);
});

test("an old file is replaced; a link to it stays a link", async () => {
  const { folder, executable, out } = bench();
  writeFileSync(out, "old");
  symlinkSync("out", join(folder, "link"));
  const { path } = await packBundle({ executable, metadata: METADATA, out: join(folder, "link") });
  assert.is(path, out);
  assert.is(readlinkSync(join(folder, "link")), "out");
  assert.is((await readBundle(out)).verified, true);
  assertOnly(folder, ["exe", "out", "link"]);
});

test("what can't be packed is refused, and nothing is touched", async () => {
  const { folder, executable, out } = bench();
  const refused = async (code: string, change: object): Promise<void> => {
    await rejects(packBundle({ executable, metadata: METADATA, out, ...change }), code);
  };
  writeFileSync(out, "old");
  writeFileSync(join(folder, "empty"), "");
  symlinkSync("exe", join(folder, "link"));
  linkSync(executable, join(folder, "hard"));
  mkdirSync(join(folder, "sub"));
  await packBundle({ executable, metadata: METADATA, out: join(folder, "packed") });
  await refused("already-packed", { executable: join(folder, "packed") });
  await refused("empty-executable", { executable: join(folder, "empty") });
  await refused("not-a-file", { executable: folder });
  await refused("not-a-file", { executable: "/dev/null" });
  await refused("cannot-read", { executable: join(folder, "missing") });
  await refused("same-file", { out: executable });
  await refused("same-file", { out: join(folder, "link") });
  await refused("same-file", { out: join(folder, "hard") });
  await refused("is-directory", { out: join(folder, "sub") });
  await refused("is-directory", { out: `${join(folder, "new")}/` });
  const pipe = join(folder, "pipe");
  assert.is(spawnSync("mkfifo", [pipe]).status, 0);
  await refused("not-a-file", { out: pipe });
  await refused("cannot-write", { out: join(folder, "no", "such", "folder") });
  await refused("too-large", { metadata: new Uint8Array(MAX_METADATA_BYTES + 1) });
  await refused("bad-metadata", { metadata: { a: Number.NaN } });
  assert.is(readFileSync(out, "utf8"), "old");
  assertOnly(folder, ["exe", "out", "empty", "link", "hard", "sub", "packed", "pipe"]);
});

test("a folder that can't be written leaves everything as it was", async () => {
  const { executable } = bench();
  // root may write to any folder of a disk, but not here
  const out = "/proc/parlance-test-out";
  await rejects(packBundle({ executable, metadata: METADATA, out }), "cannot-write");
});

test("a full disk leaves the old file and no new one", async () => {
  const { folder, executable, out } = bench();
  truncateSync(executable, 3 * 1024 * 1024);
  writeFileSync(out, "old");
  let room = 2 * 1024 * 1024;
  const writeBytes = async (fd: number, bytes: Uint8Array): Promise<number> => {
    if (room === 0) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    const written = writeSync(fd, bytes, 0, Math.min(room, bytes.length));
    room -= written;
    return written;
  };
  const error = await rejects(
    packBundle({ executable, metadata: METADATA, out, writeBytes }),
    "cannot-write",
  );
  assert.match(error.message, /ENOSPC/);
  assert.is(readFileSync(out, "utf8"), "old");
  assertOnly(folder, ["exe", "out"]);
});

test("short writes are gone on with", async () => {
  const { executable, out } = bench();
  const writeBytes = async (fd: number, bytes: Uint8Array): Promise<number> =>
    writeSync(fd, bytes, 0, Math.min(7, bytes.length));
  await packBundle({ executable, metadata: METADATA, out, writeBytes });
  assert.is((await readBundle(out)).verified, true);
});

test("an executable that changes meanwhile is not packed", async () => {
  const { folder, executable, out } = bench();
  truncateSync(executable, 2 * 1024 * 1024);
  const writeBytes = async (fd: number, bytes: Uint8Array): Promise<number> => {
    writeFileSync(executable, "x", { flag: "a" });
    return writeSync(fd, bytes);
  };
  await rejects(packBundle({ executable, metadata: METADATA, out, writeBytes }), "changed");
  assertOnly(folder, ["exe"]);
});

test("an abort leaves nothing", async () => {
  const { folder, executable, out } = bench();
  const controller = new AbortController();
  const writeBytes = async (fd: number, bytes: Uint8Array): Promise<number> => {
    controller.abort(new Error("stop"));
    return writeSync(fd, bytes);
  };
  const { signal } = controller;
  const error = await rejects(
    packBundle({ executable, metadata: METADATA, out, writeBytes, signal }),
  );
  assert.is(error.message, "stop");
  assertOnly(folder, ["exe"]);
});

test("a kill in the middle leaves the old file", async () => {
  const { executable, out } = bench();
  truncateSync(executable, 2 * 1024 * 1024);
  writeFileSync(out, "old");
  const script = `
    import { writeSync } from "node:fs";
    import { packBundle } from ${JSON.stringify(import.meta.resolve("@parlance/bundle"))};
    const [executable, out] = process.argv.slice(1);
    const writeBytes = async (fd, bytes) => {
      console.log("writing");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      return writeSync(fd, bytes);
    };
    await packBundle({ executable, out, metadata: {}, writeBytes });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, executable, out], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.is(readFileSync(out, "utf8"), "old");
});

test.run();
