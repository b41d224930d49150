import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./support/cli.ts";

const META = {
  sdk: { language: "go", version: "1", supervisor_schema_version: "2026-06-16" },
  dags: { d1: { tasks: ["t"] } },
};
const PACK = ["pack", "--executable", "exe", "--metadata", "meta.json", "--out", "out"];

function bench(executable: string | Buffer = "#!/bin/sh\nexit 0\n"): string {
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, "exe"), executable, { mode: 0o755 });
  writeFileSync(join(folder, "meta.json"), JSON.stringify(META));
  return folder;
}

async function bundle(cwd: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await parlance(["bundle", ...words], { cwd });
  return { code, out: stdout, err: stderr, error: () => JSON.parse(stderr.trim()).error };
}

async function inspect(folder: string, name = "out") {
  const { out } = await bundle(folder, "inspect", name);
  return JSON.parse(out);
}

test("what would not run is refused with the reason, and nothing is written", async () => {
  const elf = Buffer.alloc(200);
  elf.write("\x7fELF\x02\x01\x01", "latin1");
  elf.writeUInt16LE(2, 16);
  elf.writeUInt16LE(183, 18);
  const upx = Buffer.from(elf);
  upx.write("UPX!", 120, "latin1");
  const refused: readonly [Buffer | string, string, readonly string[], RegExp][] = [
    ["", "empty-executable", [], /empty/],
    [Buffer.from("1f8b08000000000000", "hex"), "compressed-executable", [], /gzip.*Unpack it/],
    [upx, "compressed-executable", [], /UPX.*upx -d/],
    [elf, "wrong-architecture", ["--arch", "amd64"], /linux arm64; asked for is x64/],
    [elf, "wrong-architecture", ["--arch", "amd64", "--force"], /asked for/],
    [elf, "wrong-platform", ["--platform", "macos"], /linux arm64; asked for is darwin/],
    ["#!/bin/sh\r\nexit 0\r\n", "bad-interpreter-line", [], /CR LF.*--lf/],
  ];
  for (const [bytes, code, flags, message] of refused) {
    const folder = bench(bytes);
    const outcome = await bundle(folder, ...PACK, ...flags, "--json");
    assert.equal([outcome.code, outcome.error().code], [65, code]);
    assert.match(outcome.error().message, message);
    assert.throws(() => statSync(join(folder, "out")));
  }
  const folder = bench("echo no interpreter\n");
  chmodSync(join(folder, "exe"), 0o644);
  assert.is((await bundle(folder, ...PACK, "--json")).error().code, "no-interpreter-line");
  const fitting = bench(elf);
  assert.is((await bundle(fitting, ...PACK, "--platform", "linux", "--arch", "aarch64")).code, 0);
  assert.is((await bundle(bench(upx), ...PACK, "--force")).code, 0);
});

test("a bundle is not packed twice, and nothing over its own executable, by whatever name", async () => {
  const folder = bench();
  linkSync(join(folder, "exe"), join(folder, "hard"));
  const onto = await bundle(folder, ...PACK.slice(0, 5), "--out", "hard", "--json");
  assert.equal([onto.code, onto.error().code], [2, "same-file"]);
  const changed = await bundle(folder, ...PACK.slice(0, 5), "--out", "hard", "--lf", "--json");
  assert.equal([changed.code, changed.error().code], [2, "same-file"]);
  assert.is((await bundle(folder, ...PACK)).code, 0);
  const again = ["pack", "--executable", "out", "--metadata", "meta.json", "--out", "twice"];
  const twice = await bundle(folder, ...again, "--json");
  assert.equal([twice.code, twice.error().code], [65, "already-packed"]);
  assert.match(twice.error().message, /--repack/);
  writeFileSync(join(folder, "out"), "signature", { flag: "a" });
  const buried = await bundle(folder, ...again);
  assert.is(buried.code, 0, "where the end decides, a footer in the middle may be data");
  assert.match(buried.err, /warning: A footer starts at byte/);
});

test("faults of metadata are told all at once, each with its path", async () => {
  const folder = bench();
  const bad = {
    sdk: { language: 1, version: "", supervisor_schema_version: "2031-01-01" },
    dags: { "a/b": { tasks: ["t", 2] }, c: { tasks: {} }, "": {} },
    task_handlers: [],
  };
  writeFileSync(join(folder, "meta.json"), JSON.stringify(bad));
  const outcome = await bundle(folder, ...PACK, "--json");
  assert.is(outcome.code, 65);
  const { code, errors } = outcome.error();
  assert.is(code, "bad-metadata");
  assert.equal(
    errors.map(({ path }: { path: string }) => path),
    [
      "/sdk/language",
      "/sdk/version",
      "/sdk/supervisor_schema_version",
      "/dags/a~1b/tasks/1",
      "/dags/c/tasks",
      "/dags",
      "/task_handlers",
    ],
  );
  const words = await bundle(folder, ...PACK);
  assert.match(
    words.err,
    /\/sdk\/supervisor_schema_version is "2031-01-01"; known here: 2026-06-16/,
  );
});

test("several sources and folders are embedded with an index, also beside YAML", async () => {
  const folder = bench();
  for (const [name, text] of [
    ["src/b.ts", "b\n"],
    ["src/sub/a.ts", "a\n"],
    ["src/node_modules/x.js", "no"],
    ["src/.env", "no"],
    ["one/tasks.ts", "1\n"],
    ["two/tasks.ts", "2\n"],
  ] as const) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const sdk = 'sdk: {language: go, version: "1", supervisor_schema_version: "2026-06-16"}';
  writeFileSync(join(folder, "meta.yaml"), `${sdk}\ndags: {d1: {tasks: [t]}}\n`);
  const sources = ["src", "one/tasks.ts", "two/tasks.ts"].flatMap((path) => ["--source", path]);
  const outcome = await bundle(folder, ...PACK.with(4, "meta.yaml"), ...sources);
  assert.is(outcome.code, 0, outcome.err);
  assert.match(outcome.err, /written as JSON, with an index of the 4 sources/);
  const listed = await bundle(folder, "inspect", "out", "--source", "--json");
  assert.equal(
    JSON.parse(listed.out).sources.map(({ path, text }: { path: string; text: string }) => [
      path,
      text,
    ]),
    [
      ["src/b.ts", "b\n"],
      ["src/sub/a.ts", "a\n"],
      ["one/tasks.ts", "1\n"],
      ["two/tasks.ts", "2\n"],
    ],
  );
  assert.is((await bundle(folder, "inspect", "out", "--source")).out, "b\na\n1\n2\n");
  const same = ["--source", "one/tasks.ts", "--source", "./one/tasks.ts"];
  assert.is((await bundle(folder, ...PACK, ...same, "--json")).error().code, "bad-sources");
});

test("--repack keeps what is not given anew, and mends digest, metadata and script", async () => {
  const folder = bench("#!/bin/sh\r\nexit 0\r\n");
  writeFileSync(join(folder, "a.ts"), "source\n");
  assert.is((await bundle(folder, ...PACK, "--source", "a.ts", "--force")).code, 0);
  const bytes = readFileSync(join(folder, "out"), "latin1");
  // a version without its quotes, and a byte of the executable changed
  const damaged = bytes.replace('"2026-06-16"', "2026-06-16  ").replace("exit 0", "exit 3");
  writeFileSync(join(folder, "out"), damaged, { encoding: "latin1" });
  chmodSync(join(folder, "out"), 0o640);
  assert.is((await inspect(folder)).verified, false);
  const outcome = await bundle(folder, "pack", "--repack", "--lf", "--executable", "out");
  assert.is(outcome.code, 0, outcome.err);
  const report = await inspect(folder);
  assert.equal([report.verified, report.problems], [true, []]);
  assert.is(report.metadata.sdk.supervisor_schema_version, "2026-06-16");
  assert.is(report.metadata.sources[0].path, "a.ts");
  assert.is((await bundle(folder, "inspect", "out", "--source")).out, "source\n");
  assert.ok(readFileSync(join(folder, "out"), "latin1").startsWith("#!/bin/sh\nexit 3\nsource\n"));
  assert.is(statSync(join(folder, "out")).mode & 0o777, 0o750);

  const more = ["--interpreter", "#!/usr/bin/env -S sh -e", "--schema-version", "2026-10-30"];
  assert.is((await bundle(folder, "pack", "--repack", "--executable", "out", ...more)).code, 0);
  assert.ok(
    readFileSync(join(folder, "out"), "latin1").startsWith("#!/usr/bin/env -S sh -e\nexit 3\n"),
  );
  assert.is((await inspect(folder)).metadata.sdk.supervisor_schema_version, "2026-10-30");
});

test("--repack refuses what is no bundle; without it metadata and output are wanted", async () => {
  const folder = bench();
  const repack = ["pack", "--repack", "--executable", "exe", "--json"];
  const outcome = await bundle(folder, ...repack);
  assert.equal([outcome.code, outcome.error().code], [65, "no-footer"]);
  for (const words of [
    ["pack", "--executable", "exe", "--out", "x"],
    ["pack", "--executable", "exe", "--metadata", "meta.json"],
    [...PACK, "--interpreter", "/bin/sh"],
  ]) {
    const usage = await bundle(folder, ...words, "--json");
    assert.equal([usage.code, usage.error().code], [2, "usage"]);
  }
});

test.run();
