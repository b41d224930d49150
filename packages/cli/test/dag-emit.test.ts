import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { dagFileName } from "../dist/dag/files/dag-file-name.js";
import { errorOf, parlance } from "./support/cli.ts";
import { dagDocument, task } from "./support/dag-documents.ts";

// From files of JSON: how a program is asked for its Dags stands in dag-emit-program.test.ts.

/** A project with Dags as JSON. */
function project(...dags: readonly object[]): string {
  const folder = temporaryFolder("parlance-dag-emit");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), '{ "name": "shop" }');
  writeFileSync(join(folder, "src/dags.json"), JSON.stringify(dags.length === 0 ? [dag()] : dags));
  return folder;
}

function dag(id = "sales", retries = 0): object {
  return dagDocument({ tasks: [task("load", { fields: { retries } })], dag: { dag_id: id } });
}

const EMIT = ["dag", "emit", "src/dags.json", "--queue", "ts"];

test("a file says where it comes from, and how it is made again", async () => {
  const cwd = project();
  const { code, stdout } = await parlance(EMIT, { cwd });
  assert.is(code, 0);
  const head = stdout.slice(0, stdout.indexOf("\n\n")).split("\n");
  assert.equal(head.slice(0, 5), [
    "# Written by `parlance dag emit`: do not edit. The next run would undo it.",
    "# Made from src/dags.json of shop by",
    "#",
    "#     npx parlance dag emit src/dags.json --queue ts",
    "#",
  ]);
  assert.match(String(head[5]), /^# sha256 of what follows: [0-9a-f]{32}$/);
});

test("the same Dag gives the same bytes, from wherever it is called", async () => {
  const cwd = project(dag("one"), dag("two"));
  const files = () => ["one", "two"].map((id) => readFileSync(join(cwd, `dags/${id}.py`), "utf8"));
  assert.is((await parlance([...EMIT, "--out", "dags"], { cwd })).code, 0);
  const first = files();
  const words = ["dag", "emit", "dags.json", "--queue", "ts", "--out", "../dags", "--force"];
  const again = await parlance(words, { cwd: join(cwd, "src") });
  assert.match(again.stderr, "one.py: unchanged");
  assert.equal(files(), first);
});

test("--check prints what drifted and ends with 1", async () => {
  const cwd = project(dag("sales", 1));
  const out = [...EMIT, "--out", "dags"];
  const missing = await parlance([...out, "--check"], { cwd });
  assert.is(missing.code, 1);
  assert.match(missing.stderr, "dags/sales.py: is not there");
  assert.not.ok(existsSync(join(cwd, "dags")));
  await parlance(out, { cwd });
  assert.is((await parlance([...out, "--check"], { cwd })).code, 0);
  writeFileSync(join(cwd, "src/dags.json"), JSON.stringify(dag("sales", 2)));
  const stale = await parlance([...out, "--check"], { cwd });
  assert.is(stale.code, 1);
  assert.match(
    stale.stdout,
    /^--- dags\/sales.py\n\+\+\+ dags\/sales.py \(from the program\)\n@@ /,
  );
  assert.match(stale.stdout, /^-.*retries=1.*\n\+.*retries=2/m);
  assert.match(stale.stderr, "not as the program is now");
});

test("what a formatter did to a file is no drift", async () => {
  const cwd = project(dag("sales", 1));
  await parlance([...EMIT, "--out", "dags"], { cwd });
  const file = join(cwd, "dags/sales.py");
  const formatted = readFileSync(file, "utf8")
    .replaceAll('"ts"', "'ts'")
    .replace("(): ...", "():\r\n        ...");
  writeFileSync(file, formatted);
  assert.is((await parlance([...EMIT, "--out", "dags", "--check"], { cwd })).code, 0);
  assert.match((await parlance([...EMIT, "--out", "dags"], { cwd })).stderr, "unchanged");
});

test("what was edited by hand is told, and overwritten with --force alone", async () => {
  const cwd = project(dag("sales", 1));
  const out = [...EMIT, "--out", "dags/sales.py"];
  await parlance(out, { cwd });
  const file = join(cwd, "dags/sales.py");
  const edited = readFileSync(file, "utf8").replace("retries=1", "retries=7");
  writeFileSync(file, edited);
  const check = await parlance([...out, "--check"], { cwd });
  assert.match(check.stderr, "was edited by hand");
  const refused = await parlance([...out, "--json"], { cwd });
  assert.equal([refused.code, errorOf(refused).code], [1, "file-edited"]);
  assert.is(readFileSync(file, "utf8"), edited);
  assert.is((await parlance([...out, "--force"], { cwd })).code, 0);
  assert.match(readFileSync(file, "utf8"), "retries=1");
});

test("a file of somebody else is left alone, and so are all others then", async () => {
  const cwd = project(dag("one"), dag("two"));
  mkdirSync(join(cwd, "dags"));
  writeFileSync(join(cwd, "dags/two.py"), "# mine\n");
  const refused = await parlance([...EMIT, "--out", "dags", "--json"], { cwd });
  assert.equal([refused.code, errorOf(refused).code], [1, "file-not-ours"]);
  assert.not.ok(existsSync(join(cwd, "dags/one.py")));
  assert.is(readFileSync(join(cwd, "dags/two.py"), "utf8"), "# mine\n");
});

test("the file of a Dag that is no longer there is told", async () => {
  const cwd = project(dag("one"), dag("two"));
  await parlance([...EMIT, "--out", "dags"], { cwd });
  writeFileSync(join(cwd, "src/dags.json"), JSON.stringify([dag("one")]));
  const check = await parlance([...EMIT, "--out", "dags", "--check", "--json"], { cwd });
  assert.is(check.code, 1);
  assert.equal((JSON.parse(check.stdout) as { orphans: string[] }).orphans, [
    join(cwd, "dags/two.py"),
  ]);
});

test("with --json one document tells of all Dags", async () => {
  const cwd = project(dag("one"), dag("two"));
  const { stdout } = await parlance([...EMIT, "--dag", "two", "--json"], { cwd });
  const { dags } = JSON.parse(stdout) as { dags: { dagId: string; text: string }[] };
  assert.equal(
    dags.map(({ dagId }) => dagId),
    ["two"],
  );
  assert.match(String(dags[0]?.text), 'dag_id="two"');
});

test("what can't be done is told with a code", async () => {
  const cwd = project(dag("one"), dag("ONE"));
  writeFileSync(join(cwd, "bad.json"), "[]x");
  const cases: readonly (readonly [words: readonly string[], code: string, exit: number])[] = [
    [["src/dags.json"], "cannot-emit", 65],
    [["src/dags.json", "--queue", "q", "--out", "dags"], "same-file", 65],
    [["src/dags.json", "--queue", "q", "--out", "dags.py"], "usage", 2],
    [["src/dags.json", "--queue", "q", "--check"], "usage", 2],
    [["src/dags.json", "--dag", "three"], "no-such-dag", 65],
    [["bad.json"], "bad-document", 65],
    [["nowhere.json"], "cannot-read", 65],
  ];
  for (const [words, code, exit] of cases) {
    const run = await parlance(["dag", "emit", ...words, "--json"], { cwd });
    assert.equal([run.code, errorOf(run).code], [exit, code], words.join(" "));
  }
  assert.match(
    errorOf(await parlance(["dag", "emit", "src/dags.json", "--json"], { cwd })).message,
    "names no queue",
  );
});

test("a Dag's file has its id as a name, where that is one", () => {
  assert.is(dagFileName("sales_pipeline"), "sales_pipeline.py");
  assert.is(dagFileName("v1.2-x"), "v1.2-x.py");
  for (const id of [
    "日次",
    "../up",
    ".hidden",
    "airflow",
    "datetime",
    "CON",
    "x".repeat(250),
    "a b",
  ]) {
    assert.match(dagFileName(id), /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,205}-[0-9a-f]{8}\.py$/, id);
  }
});

test.run();
