import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { rejects, temporaryFolder, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { replaceFile } from "../dist/replace-file.js";
import { unifiedDiff } from "../dist/retry/unified-diff.js";
import { errorOf, parlance } from "./support/cli.ts";

// What needs a Python stands in integration/test/retry/migrate.test.ts.

test("without a Python: 69, and what to install", async () => {
  const run = await parlance(["retry", "migrate", "--json", "x.py"], {
    env: { PATH: "/nonexistent" },
  });
  assert.is(run.code, 69);
  assert.is(errorOf(run).code, "python-missing");
  assert.match(
    errorOf(run).message,
    /Install Python 3 and have python3 on PATH, or name one with --python/,
  );
});

test("the script that Python runs is a part of the package", () => {
  const folder = new URL("../", import.meta.url);
  const { files } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
    files: string[];
  };
  assert.ok(files.includes("python"));
  assert.ok(existsSync(new URL("python/migrate_backoff/__main__.py", folder)));
});

test("a Python that is too old, or none, is no Python", async () => {
  const folder = temporaryFolder();
  for (const [name, body] of [
    ["old", "echo 2 7"],
    ["broken", "exit 3"],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const old = await parlance(["retry", "migrate", "--python", join(folder, "old"), "x.py"]);
  assert.match(old.stderr, "old is 2.7");
  const broken = await parlance(["retry", "migrate", "--python", join(folder, "broken"), "x.py"]);
  assert.match(broken.stderr, "broken does not run");
  assert.equal([old.code, broken.code], [69, 69]);
});

test("what is no regular file is never opened: it may not end", async () => {
  const python = join(temporaryFolder(), "python");
  // It answers the question for its version, and then for no files.
  writeFileSync(
    python,
    '#!/bin/sh\ncase "$*" in *-c*) echo 3 11;; *) echo "{\\"files\\":[]}";; esac\n',
  );
  chmodSync(python, 0o755);
  const paths = ["/dev/zero", "/dev/null", temporaryFolder()];
  const run = await parlance(["retry", "migrate", "--write", "--python", python, ...paths]);
  assert.is(run.code, 65, run.stderr);
  for (const path of paths) assert.match(run.stderr, `${path}: cannot-read: it is no regular file`);
});

const diff = (before: string, after: string) =>
  unifiedDiff("f", Buffer.from(before), Buffer.from(after)).join("");

test("a diff has three lines around a change, and near changes in one piece", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `${at}\n`);
  const changed = lines.map((line, at) => ([0, 7, 8, 19].includes(at) ? `x${line}` : line));
  assert.is(
    diff(lines.join(""), changed.join("")),
    "--- f\n+++ f\n@@ -1,12 +1,12 @@\n-0\n+x0\n 1\n 2\n 3\n 4\n 5\n 6\n-7\n-8\n+x7\n+x8\n 9\n 10\n 11\n" +
      "@@ -17,4 +17,4 @@\n 16\n 17\n 18\n-19\n+x19\n",
  );
  assert.is(diff("a\n", "a\n"), "");
  assert.is(
    diff("a\r", "b\r"),
    "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\r\n\\ No newline at end of file\n+b\r\n\\ No newline at end of file\n",
  );
  throws(() => diff("a\n", "a\nb\n"));
});

test("a file is replaced whole: its mode kept, through its link, nothing left behind", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  const target = join(folder, "real", "f");
  writeFileSync(target, "old");
  chmodSync(target, 0o751);
  const isRoot = process.getuid?.() === 0; // nobody else may give a file away
  if (isRoot) chownSync(target, 12_345, 12_346);
  symlinkSync("real/f", join(folder, "link"));
  const before = statSync(target).ino;
  await replaceFile(join(folder, "link"), "new");
  assert.is(readFileSync(target, "utf8"), "new");
  assert.not.equal(statSync(target).ino, before); // renamed into place, not written over
  assert.is(statSync(target).mode & 0o7777, 0o751);
  const { uid, gid } = statSync(target);
  if (isRoot) assert.equal([uid, gid], [12_345, 12_346]);
  assert.is(readlinkSync(join(folder, "link")), "real/f");
  await rejects(replaceFile(join(folder, "real"), "x"), "cannot-write");
  await rejects(replaceFile(join(folder, "no", "f"), "x"), "cannot-write");
  symlinkSync("nowhere", join(folder, "dangling"));
  await rejects(replaceFile(join(folder, "dangling"), "x"), "cannot-write");
  assert.equal(readdirSync(join(folder, "real")), ["f"]);
  assert.equal(readdirSync(folder).sort(), ["dangling", "link", "real"]);
});

test.run();
