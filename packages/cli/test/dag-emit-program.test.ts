import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

// Programs are asked for their Dags as Airflow asks them.

const ENTRY = join(PACKAGE, "test/fixtures/two-dags.ts");

test("an entry and the bundle that is made of it give the same Dags", async () => {
  const cwd = temporaryFolder("parlance-dag-emit");
  const out = (name: string) => ["--queue", "other", "--out", name];
  const first = await parlance(["dag", "emit", ENTRY, ...out("of-entry")], { cwd });
  assert.is(first.code, 0, first.stderr);
  assert.not.match(first.stderr, "warning"); // report names no queue, and --queue does
  assert.is((await parlance(["pack", ENTRY, "--out", "two-dags"], { cwd })).code, 0);
  assert.is((await parlance(["dag", "emit", "two-dags", ...out("of-bundle")], { cwd })).code, 0);
  const body = (path: string) => readFileSync(join(cwd, path), "utf8").replace(/^#.*\n/gm, "");
  for (const file of ["sales.py", "report.py"]) {
    assert.is(body(`of-bundle/${file}`), body(`of-entry/${file}`));
  }
  const sales = body("of-entry/sales.py");
  assert.match(sales, 'QUEUE = "typescript"');
  assert.match(sales, "@task.stub(queue=QUEUE, retries=2, retry_delay=timedelta(minutes=1))");
  assert.match(sales, "def total(row_list): ...");
  assert.match(sales, "total(row_list=extract_task)");
  assert.match(body("of-entry/report.py"), 'QUEUE = "other"');
});

test("a program whose Dags are written in Python has none to write", async () => {
  const run = await parlance(["dag", "emit", join(PACKAGE, "test/fixtures/tasks.ts"), "--json"]);
  assert.equal([run.code, errorOf(run).code], [65, "no-dags"]);
  assert.match(errorOf(run).message, "Make one with dag() of @parlance/sdk-node");
});

test("what the queues of a program do not say is asked for", async () => {
  const run = await parlance(["dag", "emit", ENTRY, "--dag", "report", "--json"]);
  assert.equal([run.code, errorOf(run).code], [65, "cannot-emit"]);
  assert.match(errorOf(run).message, "task write of Dag report: names no queue");
});

test("a mistake in a Dag is told at the author's line, not at the SDK's", async () => {
  const file = join(temporaryFolder("parlance-dag-mistake"), "twice.ts");
  const sdk = join(PACKAGE, "node_modules/@parlance/sdk-node/dist/index.js");
  const dag = 'dag("d").task("a", () => 1).task("a", () => 2);';
  writeFileSync(file, `import { dag } from ${JSON.stringify(sdk)};\n${dag}\n`);
  const run = await parlance(["dag", "emit", file, "--json"]);
  assert.equal([run.code, errorOf(run).code], [65, "describe-failed"]);
  assert.match(
    errorOf(run).message,
    /stderr:\nRegistrationError: dag\("d"\).*\n +at .*twice\.ts:2:/,
  );
});

test.run();
