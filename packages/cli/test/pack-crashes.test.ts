import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyBundle } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE } from "./support/cli.ts";

// However a packer ends: at its place is the old file or the new one, and nothing else of it stays.

const folder = temporaryFolder();
const temporary = join(folder, "tmp");
const target = join(folder, "target");
for (const made of [temporary, target]) mkdirSync(made);
const entry = join(folder, "tasks.ts");
const sdk = JSON.stringify(join(PACKAGE, "../sdk-node/dist/index.js"));
writeFileSync(
  entry,
  `import { Bundle, serve } from ${sdk};\nserve(new Bundle().task("d", "t", async () => 1));\n` +
    `/* ${"a comment is in no program, but in the sources ".repeat(70_000)} */\n`,
);
const OLD = "#!/bin/sh\necho the old file\n";

interface Packer {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

interface PackerOptions {
  /** Lines of a shell that run before. */
  readonly shell?: string;
  readonly uid?: number;
  readonly onText?: (text: string) => void;
}

function start(out: string, { shell = "", uid, onText }: PackerOptions = {}): Packer {
  const command = [process.execPath, join(PACKAGE, "bin/parlance.js")];
  const words = [...command, "pack", entry, "--out", out, "--source"];
  const child = spawn("sh", ["-c", `${shell}\nexec "$@"`, "sh", ...words], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "ignore", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onText?.(text);
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stderr }));
  });
  return { child, ended };
}

async function isOldOrNew(out: string): Promise<boolean> {
  if (readFileSync(out, "utf8") === OLD) return true;
  return (await verifyBundle(out)).verified;
}

async function mustBeClean(out: string): Promise<void> {
  const { code, stderr } = await start(out).ended;
  assert.is(code, 0, stderr);
  assert.ok((await verifyBundle(out)).verified);
  assert.equal(readdirSync(target), [out.slice(target.length + 1)]);
  assert.equal(readdirSync(temporary), []);
}

test("kill -9 at each step, and in the middle of the writing", async () => {
  const out = join(target, "tasks");
  writeFileSync(out, OLD, { mode: 0o755 });
  const steps = ["bundling", "running it once"];
  for (const step of steps) {
    const packer = start(out, {
      onText: (text) => {
        if (text.includes(step)) packer.child.kill("SIGKILL");
      },
    });
    await packer.ended;
    assert.ok(await isOldOrNew(out), step);
  }
  for (let round = 0; round < 4; round++) {
    const packer = start(out);
    let events = 0;
    // The first event is the making of the new file, further ones its growth: another one each round.
    const watcher = watch(target, () => {
      if (events++ >= round) packer.child.kill("SIGKILL");
    });
    await packer.ended;
    watcher.close();
    assert.ok(events > 0, "nothing was seen of the writing");
    assert.ok(await isOldOrNew(out), `round ${round}`);
  }
  await mustBeClean(out);
});

test("a disk that is full while the bundle is written, and while the program is", async () => {
  const out = join(target, "tasks");
  // Blocks of 512 or 1024 bytes, by the shell: below the bundle's 3 MB, above its program.
  for (const blocks of [2_500, 20]) {
    writeFileSync(out, OLD);
    const { code, stderr } = await start(out, { shell: `trap '' XFSZ; ulimit -f ${blocks}` }).ended;
    assert.is(code, 1, stderr);
    assert.match(stderr, /\[cannot-write\].*What was there is unchanged/s);
    assert.is(readFileSync(out, "utf8"), OLD);
    assert.equal([readdirSync(target), readdirSync(temporary)], [["tasks"], []]);
  }
});

test("Ctrl-C leaves nothing", async () => {
  const out = join(target, "tasks");
  writeFileSync(out, OLD);
  const packer = start(out, {
    onText: (text) => {
      if (text.includes("running it once")) packer.child.kill("SIGINT");
    },
  });
  const { code, stderr } = await packer.ended;
  assert.is(code, 1, stderr);
  assert.match(stderr, "[interrupted]");
  assert.is(readFileSync(out, "utf8"), OLD);
  assert.equal([readdirSync(target), readdirSync(temporary)], [["tasks"], []]);
});

test("packers at one output: one of them wins, whole", async () => {
  const out = join(target, "tasks");
  const ends = await Promise.all([1, 2, 3].map(() => start(out).ended));
  assert.equal(
    ends.map(({ code }) => code),
    [0, 0, 0],
  );
  await mustBeClean(out);
});

test("a folder in which nobody may make a file", async () => {
  const { code, stderr } = await start("/proc/tasks").ended;
  assert.is(code, 1, stderr);
  assert.match(stderr, /\[cannot-write\].*What was there is unchanged/s);
});

/** Root may write everywhere; somebody else has to be able to read this checkout. */
const uid = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
const reads = `require("fs").readFileSync(${JSON.stringify(join(PACKAGE, "package.json"))})`;
const asked = uid === undefined ? {} : { uid };
if (uid !== undefined && spawnSync(process.execPath, ["-e", reads], asked).status === 0) {
  test("a folder that may not be written", async () => {
    for (const made of [folder, entry]) chmodSync(made, 0o755);
    chmodSync(temporary, 0o777);
    const locked = join(folder, "locked");
    mkdirSync(locked);
    const out = join(locked, "tasks");
    writeFileSync(out, OLD);
    chmodSync(locked, 0o555);
    const { code, stderr } = await start(out, { uid }).ended;
    assert.is(code, 1, stderr);
    assert.match(stderr, /\[cannot-write\].*EACCES.*What was there is unchanged/s);
    assert.is(readFileSync(out, "utf8"), OLD);
    chmodSync(temporary, 0o555);
    const noTemporary = await start(join(folder, "elsewhere"), { uid }).ended;
    assert.is(noTemporary.code, 1, noTemporary.stderr);
    assert.match(noTemporary.stderr, /\[cannot-write\].*TMPDIR names another folder/s);
  });
}

test.run();
