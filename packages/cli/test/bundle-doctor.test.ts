import { readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./support/cli.ts";

/** Recorded by the reader of Airflow 3.4.0b2; copied from the tests of @parlance/bundle. */
const NODE_CASES = new URL("../../bundle/test/data/node-bundle-cases.json", import.meta.url);

async function bundle(cwd: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await parlance(["bundle", ...words], { cwd });
  return { code, out: stdout, err: stderr };
}

async function bench(): Promise<string> {
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, "exe"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const sdk = { language: "go", version: "1", supervisor_schema_version: "2026-06-16" };
  writeFileSync(join(folder, "meta.json"), JSON.stringify({ sdk, dags: { d1: { tasks: ["t"] } } }));
  const words = ["pack", "--executable", "exe", "--metadata", "meta.json", "--out", "my bundle"];
  assert.is((await bundle(folder, ...words)).code, 0);
  return folder;
}

test("doctor names the file of each Dag and ends with 0 when nothing is to mend", async () => {
  const folder = await bench();
  const { code, out } = await bundle(folder, "doctor", "--root", ".");
  assert.is(code, 0);
  assert.match(out, `d1: ${folder}/my bundle (ExecutableCoordinator, 2026-06-16)`);
  assert.match(out, /Nothing has to be mended/);
});

test("doctor tells what is wrong, with the command, and ends with 1", async () => {
  const folder = await bench();
  writeFileSync(join(folder, "my bundle"), "\n", { flag: "a" });
  symlinkSync("nothing", join(folder, "link\u001b[31m"));
  const { code, out } = await bundle(folder, "doctor", "--root", ".", "--airflow", "3.4");
  assert.is(code, 1);
  assert.match(out, /error \[trailing-bytes\] A footer starts at byte/);
  assert.match(out, `    $ truncate -s `);
  assert.match(out, `-- '${folder}/my bundle'`);
  assert.match(out, /2 things to mend/);
  assert.not.match(out, "\u001b");
});

test("doctor --json prints one document, also with exit code 1", async () => {
  const folder = await bench();
  symlinkSync("nothing", join(folder, "link"));
  const { code, out, err } = await bundle(folder, "doctor", "--root", folder, "--json");
  assert.equal([code, err], [1, ""]);
  const report = JSON.parse(out);
  assert.equal(
    [report.ok, report.airflow, report.roots, report.files],
    [false, "3.3", [folder], 3],
  );
  assert.equal(report.dags, [
    {
      dagId: "d1",
      coordinator: "ExecutableCoordinator",
      path: join(folder, "my bundle"),
      schemaVersion: "2026-06-16",
      shadowed: [],
    },
  ]);
  const [problem] = report.problems;
  assert.equal(Object.keys(problem), ["path", "severity", "code", "message", "mend", "command"]);
  assert.equal([problem.code, problem.command], ["broken-link", `rm -- ${folder}/link`]);
});

test("inspect, verify, find and doctor take the Node bundles of Airflow 3.4 as well", async () => {
  const folder = realpathSync(temporaryFolder());
  const cases = JSON.parse(readFileSync(NODE_CASES, "utf8")) as readonly {
    readonly name: string;
    readonly base64?: string;
  }[];
  const good = cases.find(({ name }) => name.startsWith("good"));
  const bytes = Buffer.from(good?.base64 ?? "", "base64");
  writeFileSync(join(folder, "a.min.mjs"), bytes);
  const inspected = JSON.parse((await bundle(folder, "inspect", "a.min.mjs")).out);
  assert.equal([inspected.format, inspected.verified, inspected.footer], ["node", true, null]);
  const [dagId] = Object.keys(inspected.metadata.task_handlers);
  assert.equal((await bundle(folder, "verify", "a.min.mjs")).code, 0);
  const words = ["--root", ".", "--dag", String(dagId), "--format", "node"];
  const found = await bundle(folder, "find", ...words);
  assert.equal([found.code, JSON.parse(found.out).path], [0, join(folder, "a.min.mjs")]);
  assert.is((await bundle(folder, "find", ...words.slice(0, 4))).code, 1);
  assert.is((await bundle(folder, "doctor", "--root", ".", "--airflow", "3.4")).code, 0);
  const old = JSON.parse((await bundle(folder, "doctor", "--root", ".", "--json")).out);
  assert.equal(
    old.problems.map(({ code }: { code: string }) => code),
    ["not-in-this-airflow"],
  );

  writeFileSync(join(folder, "a.min.mjs"), bytes.subarray(0, -2));
  assert.is((await bundle(folder, "inspect", "a.min.mjs")).code, 65);
  const verified = await bundle(folder, "verify", "a.min.mjs");
  assert.equal([verified.code, /\[bad-layout\]/.test(verified.out)], [1, true]);
  const lost = await bundle(folder, "find", ...words);
  assert.match(JSON.parse(lost.out).rejected[0].reason, /layout/);
});

test("doctor's usage: a root is wanted, and one of two Airflows", async () => {
  const folder = realpathSync(temporaryFolder());
  assert.is((await bundle(folder, "doctor")).code, 2);
  assert.is((await bundle(folder, "doctor", "--root", ".", "--airflow", "2.9")).code, 2);
  const help = (await bundle(folder, "doctor", "--help")).out.replace(/\s+/g, " ");
  assert.match(help, /detects damage, not tampering/);
});

test.run();
