import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const here = fileURLToPath(new URL("../", import.meta.url));
const folder = temporaryFolder();

interface Totals extends Record<string, number | string[]> {
  failed: number;
  passed: number;
}

function guard(...words: string[]) {
  const summary = join(folder, "summary.json");
  const files = words.map((word) =>
    word.startsWith("--") ? word : join(here, "test/fixtures/guard", `${word}.mjs`),
  );
  const run = spawnSync(
    process.execPath,
    [join(here, "bin/guard.mjs"), "--deadline=3000", `--json=${summary}`, ...files],
    { encoding: "utf8" },
  );
  return { ...run, totals: JSON.parse(readFileSync(summary, "utf8")) as Totals };
}

test("a good file passes", () => {
  const { status, totals } = guard("good");
  assert.is(status, 0);
  assert.equal(totals, { files: 1, passed: 1, failed: 0, skipped: 0, unsteady: [] });
});

test("a declared skip is counted as skipped, never as passed", () => {
  const { status, totals, stdout } = guard("declares-skip");
  assert.is(status, 0);
  assert.equal(totals, { files: 1, passed: 0, failed: 0, skipped: 1, unsteady: [] });
  assert.match(stdout, "this machine has no such peer");
});

// uvu 0.5.6 itself exits 0 on the first five of these, and never ends on `hangs`.
const REASONS: readonly (readonly [string, RegExp])[] = [
  ["forgets-run", /no test ran/],
  ["throws-in-before", /0 of 1 passed/],
  ["throws-in-after-each", /0 of 2 passed/],
  ["leaves-only", /\.only left behind/],
  ["skips-silently", /1 skipped, 0 of them with a reason/],
  ["hangs", /still running after 3000 ms/],
  ["fails", /exit code 1/],
  ["exits-early", /exit code 1/],
  ["rejects-unhandled", /exit code 1/],
  ["not-there", /exit code 1/],
];
for (const [name, reason] of REASONS) {
  test(`${name}: fails`, () => {
    const { status, totals, stdout } = guard(name);
    assert.is(status, 1);
    assert.ok((totals["failed"] ?? 0) > 0);
    assert.match(stdout, reason);
  });
}

test("a folder that is excluded is left out, and nothing else", () => {
  for (const name of ["one/a", "one-more/b"]) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    const good = pathToFileURL(join(here, "test/fixtures/guard/good.mjs"));
    writeFileSync(join(folder, `${name}.test.js`), `import "${good}";`);
  }
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(here, "bin/guard.mjs"), `--exclude=${join(folder, "one")}`, folder],
    { encoding: "utf8" },
  );
  assert.match(stdout, "b.test.js");
  assert.not.match(stdout, "a.test.js");
  assert.is(status, 0, stdout);
});

test("no file at all is a failure", () => {
  const { status, stdout } = guard();
  assert.is(status, 1);
  assert.match(stdout, "no test file was found");
});

test("a second look at what failed: what passes alone is told as unsteady", () => {
  const mark = join(folder, "first-run");
  process.env["UNSTEADY_MARK"] = mark;
  const { status, totals, stdout } = guard("--second-look", "passes-the-second-time", "good");
  assert.is(status, 0, stdout);
  assert.equal([totals["passed"], totals["failed"]], [2, 0]);
  assert.match(JSON.stringify(totals["unsteady"]), "passes-the-second-time");
  assert.match(
    stdout,
    /unsteady .*passes-the-second-time.mjs: failed among others \(exit code 1\)/,
  );
  rmSync(mark);
  assert.is(guard("passes-the-second-time").status, 1, "without the flag nothing runs again");
});

test("a second look at what fails for itself: it fails", () => {
  const { status, totals } = guard("--second-look", "fails", "good");
  assert.is(status, 1);
  assert.equal([totals["passed"], totals["failed"], totals["unsteady"]], [2, 1, []]);
});

test("one bad file does not hide the good ones", () => {
  const { totals } = guard("good", "fails", "good");
  assert.is(totals["passed"], 3);
  assert.is(totals["failed"], 1);
});

test.run();
