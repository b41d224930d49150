import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./support/cli.ts";
import { placesIn, registerFormatTests, runProject } from "./support/format-tests.ts";
import { EVERYTHING, writePackProject } from "./support/pack-project.ts";

const folder = temporaryFolder();
const project = join(folder, "project");
writePackProject(project);

const BUNDLES = {
  executable: join(folder, "executable/tasks"),
  node: join(folder, "node/tasks.min.mjs"),
} as const;

for (const format of ["executable", "node"] as const) {
  registerFormatTests(test, format, project, BUNDLES[format]);
}

test("nothing of the machine is in a bundle, and two folders give the same bytes", async () => {
  const other = join(folder, "another/and/deeper/project");
  mkdirSync(other, { recursive: true });
  writePackProject(other);
  symlinkSync(other, join(folder, "link"));
  for (const format of ["executable", "node"] as const) {
    const bundle = readFileSync(BUNDLES[format]);
    assert.not(bundle.toString("latin1").includes(folder));
    for (const cwd of [other, join(folder, "link")]) {
      const out = join(folder, "again", "tasks.min.mjs");
      const args = ["pack", "src/tasks.ts", "--out", out, "--format", format, "--source"];
      assert.is((await parlance(args, { cwd })).code, 0);
      assert.ok(readFileSync(out).equals(bundle), `${format} in ${cwd}`);
    }
  }
});

test("--minify shortens, and stacks still name files", async () => {
  for (const format of ["executable", "node"] as const) {
    const out = join(folder, "min", "tasks.min.mjs");
    const args = ["pack", "src/tasks.ts", "--out", out, "--format", format, "--minify", "--source"];
    assert.is((await parlance(args, { cwd: project })).code, 0);
    assert.ok(readFileSync(out).length < 0.7 * readFileSync(BUNDLES[format]).length);
    const [everything, , fails] = await runProject(out);
    assert.equal(everything.xcoms["return_value"], EVERYTHING);
    assert.ok(placesIn(fails).some((place) => place.startsWith("src/tasks.ts:")));
  }
});

test.run();
