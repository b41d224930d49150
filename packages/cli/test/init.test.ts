import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

const folder = temporaryFolder();

test("makes a project that runs and packs", async () => {
  const project = join(folder, "My Tasks 2");
  const made = await parlance(["init", project, "--json"]);
  assert.is(made.code, 0, made.stderr);
  const { dagId, files } = JSON.parse(made.stdout) as { dagId: string; files: string[] };
  assert.is(dagId, "my_tasks_2");
  assert.ok(files.includes("dags/my_tasks_2.py"));
  symlinkSync(join(PACKAGE, "node_modules"), join(project, "node_modules"));
  const args = ["run", "src/tasks.ts", "--dag", dagId, "--seed-store", "store.json", "--json"];
  const run = await parlance(args, { cwd: project });
  assert.is(run.code, 0, run.stderr);
  assert.match(run.stdout, "HELLO FROM TYPESCRIPT");
});

test("an empty folder is filled; one with something in it is left alone", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const { ino } = statSync(empty);
  assert.is((await parlance(["init", "."], { cwd: empty })).code, 0);
  assert.equal(readdirSync(empty).sort(), [
    ".gitignore",
    "README.md",
    "dags",
    "package.json",
    "src",
    "store.json",
    "tsconfig.json",
  ]);
  assert.is(statSync(empty).ino, ino, "the folder that a shell is in is not replaced");

  const full = join(folder, "full");
  mkdirSync(full);
  writeFileSync(join(full, "mine.txt"), "mine");
  const refused = await parlance(["init", full, "--json"]);
  assert.is(refused.code, 65);
  assert.is(errorOf(refused).code, "not-empty");
  assert.equal(readdirSync(full), ["mine.txt"]);

  const file = await parlance(["init", join(full, "mine.txt"), "--json"]);
  assert.is(errorOf(file).code, "not-empty");
  assert.is(readFileSync(join(full, "mine.txt"), "utf8"), "mine");
});

test("the new folder is as open as any other", async () => {
  const made = join(folder, "open");
  assert.is((await parlance(["init", made])).code, 0);
  assert.is(statSync(made).mode, statSync(join(made, "src")).mode);
});

test("what to do next can be copied, whatever the folder is called", async () => {
  const made = join(folder, "my d'or tasks");
  const { stdout } = await parlance(["init", made]);
  assert.match(stdout, `  cd '${made.replace("'", "'\\''")}'\n`);
  assert.match((await parlance(["init", join(folder, "plain")])).stdout, `  cd ${folder}/plain\n`);
});

test("a folder that can't be made is an error, at once", async () => {
  // a file system that says ENOENT for a new folder: Node's own recursive mkdir never ends there
  const places = process.platform === "linux" ? ["/proc/x", "/proc/x/y"] : [];
  for (const place of places) {
    const run = await parlance(["init", place, "--json"]);
    assert.equal([run.code, errorOf(run).code], [65, "cannot-write"], run.stderr);
  }
});

test("names that Python has no use for still give a Python name", async () => {
  for (const [name, expected] of [
    ["2026 report", "dag_2026_report"],
    ["class", "dag_class"],
    ["task", "dag_task"],
  ] as const) {
    const made = await parlance(["init", join(folder, name), "--json"]);
    assert.is((JSON.parse(made.stdout) as { dagId: string }).dagId, expected);
  }
});

test.run();
