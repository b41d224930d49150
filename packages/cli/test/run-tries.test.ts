import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";

// Which try of which task, and of which Dag file: what a runtime that is no bundle of ours has to be told.

const BUNDLE = join(temporaryFolder(), "tasks");
const ARGS = ["run", BUNDLE, "--dag", "environment", "--task", "args"];

test.before(async () => {
  const packed = await parlance(["pack", "test/fixtures/tasks.ts", "--out", BUNDLE]);
  assert.is(packed.code, 0, packed.stderr);
});

test("the task hears of its Dag's file, its bundle and its map index", async () => {
  const told = async (...flags: string[]) => {
    const { stderr } = await parlance([...ARGS, "--trace=full", "--json", ...flags]);
    const line = stderr.split("\n").find((text) => text.includes("StartupDetails")) ?? "";
    const { ti, dag_rel_path: path, bundle_info: bundle } = JSON.parse(line).frame.body;
    return [path, bundle.name, ti.map_index];
  };
  assert.equal(await told(), ["environment.py", "parlance", -1]);
  const flags = ["--dag-file", "team/a.py", "--bundle-name", "dags", "--map-index", "2"];
  assert.equal(await told(...flags), ["team/a.py", "dags", 2]);
});

test("--event resumes what waits, and nothing else", async () => {
  const run = await parlance([...ARGS, "--event", '{"a":1}', "--json"]);
  assert.is(run.code, 1);
  const [task] = JSON.parse(run.stdout).tasks;
  assert.equal(
    [task.finalState, task.exitCode, task.error.code],
    ["failed", null, "nothing-to-resume"],
  );
});

test("flags of one task need it; an event has to be JSON", async () => {
  const all = ["run", BUNDLE, "--dag", "environment"];
  for (const words of [
    [...all, "--event", "1"],
    [...all, "--map-index", "0"],
    [...ARGS, "--event", "{a:1}"],
    [...ARGS, "--map-index=-1"],
  ]) {
    const run = await parlance([...words, "--json"]);
    assert.equal([run.code, errorOf(run).code], [2, "usage"], words.join(" "));
  }
});

test.run();
