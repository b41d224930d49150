import { spawnSync } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance, spawnParlance } from "./support/cli.ts";

test("--help names every command and the exit codes", async () => {
  const run = await spawnParlance(["--help"]);
  assert.is(run.code, 0);
  for (const name of ["init", "pack", "run", "bundle", "wire", "logs", "results"]) {
    assert.match(run.stdout, new RegExp(`^  ${name}\\b`, "m"));
  }
  assert.match(run.stdout, "65 bad input data");
  assert.is(run.stderr, "");
});

test("every command has its own --help, on stdout", async () => {
  const commands = [
    "init",
    "pack",
    "run",
    "bundle pack",
    "bundle inspect",
    "bundle verify",
    "bundle find",
  ];
  const results = "get put wait exists forget list cleanup migrate".split(" ");
  const groups = ["save", "get", "delete"].map((word) => `results group ${word}`);
  const others = ["wire decode", "wire encode", "logs filter", ...groups];
  for (const command of [...commands, ...others, ...results.map((word) => `results ${word}`)]) {
    const run = await parlance([...command.split(" "), "--help"]);
    assert.is(run.code, 0, command);
    assert.match(run.stdout, `Usage: parlance ${command}`);
  }
});

test("--version prints the version", async () => {
  const run = await parlance(["--version"]);
  assert.is(run.stdout, "0.1.0\n");
});

test("no command, or an unknown one, is wrong usage", async () => {
  for (const group of ["", " bundle"]) {
    const bare = await parlance(group.split(" ").slice(1));
    assert.is(bare.code, 2);
    assert.match(bare.stderr, `Usage: parlance${group} [options] [command]`);
  }
  const run = await parlance(["nope", "--json"]);
  assert.is(run.code, 2);
  assert.is(errorOf(run).code, "usage");
  const inGroup = await parlance(["bundle", "nope", "--json"]);
  assert.equal([inGroup.code, errorOf(inGroup).code], [2, "usage"]);
  assert.match(errorOf(inGroup).message, '"nope"; known: pack, inspect');
  const option = await parlance(["bundle", "--nope"]);
  assert.equal([option.code, /unknown option "--nope"/.test(option.stderr)], [2, true]);
  const early = await parlance(["--json", "bundle", "find"]);
  assert.match(errorOf(early).message, '"--json" has to come after the command bundle');
  const plain = await parlance(["nope"]);
  assert.match(plain.stderr, /^parlance: .*nope/);
});

test("a reader that has gone is no error", () => {
  const run = spawnSync("sh", ["-c", `"${process.execPath}" bin/parlance.js --help | true`], {
    cwd: PACKAGE,
    encoding: "utf8",
  });
  assert.is(run.status, 0);
  assert.is(run.stderr, "");
});

test.run();
