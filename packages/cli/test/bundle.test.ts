import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parlance } from "./support/cli.ts";

const YAML = `airflow_bundle_metadata_version: "1.0"
sdk:
  language: typescript
  version: "0.1.0"
  supervisor_schema_version: "2026-06-16"
dags:
  d1:
    tasks: [t]
`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `parlance bundle …` in a folder. */
async function bundle(cwd: string, ...words: readonly string[]): Promise<Outcome> {
  const { code, stdout, stderr } = await parlance(["bundle", ...words], { cwd });
  return { code: code ?? -1, out: stdout, err: stderr };
}

function bench(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, "exe"), "#!/bin/sh\nexit 0\n", { mode: 0o750 });
  writeFileSync(join(folder, "meta.yaml"), YAML);
  writeFileSync(join(folder, "a.ts"), "export {};\n");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const PACK = ["pack", "--executable", "exe", "--out", "out"];

test("pack keeps YAML byte for byte, inspect shows it, verify passes, find finds it", async () => {
  const folder = bench();
  const packed = await bundle(
    folder,
    ...PACK,
    "--metadata",
    "meta.yaml",
    "--source",
    "a.ts",
    "--json",
  );
  assert.is(packed.code, 0, packed.err);
  const { path, size } = JSON.parse(packed.out);
  assert.is(path, join(folder, "out"));
  assert.is(size, statSync(path).size);
  assert.is(statSync(path).mode & 0o777, 0o750);
  assert.ok(readFileSync(path).includes(`exit 0\nexport {};\n${YAML}`));

  const inspected = await bundle(folder, "inspect", "out");
  assert.is(inspected.code, 0);
  const report = JSON.parse(inspected.out);
  assert.equal(Object.keys(report), [
    "format",
    "footer",
    "regions",
    "metadata",
    "verified",
    "problems",
  ]);
  assert.is(report.format, "AFBNDL01");
  assert.equal(Object.keys(report.footer), [
    "version",
    "sourceLength",
    "metadataLength",
    "binarySha256",
  ]);
  assert.equal(report.metadata.dags, { d1: { tasks: ["t"] } });
  assert.is(report.verified, true);

  assert.is((await bundle(folder, "inspect", "out", "--source")).out, "export {};\n");
  const verified = await bundle(folder, "verify", "out");
  assert.equal([verified.code, verified.out], [0, ""]);
  const found = await bundle(folder, "find", "--root", ".", "--dag", "d1");
  assert.is(found.code, 0);
  assert.equal(JSON.parse(found.out), { path, schemaVersion: "2026-06-16", rejected: [] });
});

test("pack completes JSON and writes every value unmistakably", async () => {
  const metadata = {
    sdk: { language: "go", version: "1.0", supervisor_schema_version: "2026-10-30" },
    dags: { on: { tasks: ["1e3"] }, "2026-06-16": { tasks: ["\u2028\u0085😀"] } },
  };
  const folder = bench({ "meta.json": JSON.stringify(metadata, null, "\t") });
  const packed = await bundle(folder, ...PACK, "--metadata", "meta.json", "--source", "a.ts");
  assert.is(packed.code, 0, packed.err);
  const report = JSON.parse((await bundle(folder, "inspect", "out")).out);
  assert.equal(report.problems, []);
  assert.equal(report.metadata.sdk, metadata.sdk);
  assert.equal(report.metadata.dags, metadata.dags);
  assert.equal(report.metadata.task_handlers, metadata.dags);
  assert.is(report.metadata.source, "a.ts");
  const sources = JSON.parse((await bundle(folder, "inspect", "out", "--source", "--json")).out);
  assert.equal(sources, { sources: [{ path: "a.ts", length: 11, text: "export {};\n" }] });
});

test("pack writes YAML on which readers differ as JSON, and says so", async () => {
  const folder = bench({ "meta.yaml": YAML.replace("[t]", "[y, 1e3, 0o7]") });
  const packed = await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  assert.is(packed.code, 0);
  assert.match(packed.err, /written as JSON.*y, 1e3, 0o7/);
  const { metadata } = JSON.parse((await bundle(folder, "inspect", "out")).out);
  assert.equal(metadata.dags.d1.tasks, ["y", "1e3", "0o7"]);
});

test("pack reads versions and ids in YAML as they are written, quoted or not", async () => {
  // unquoted, PyYAML 6.0.4 reads a date, two floats, a boolean and an integer here
  const yaml = YAML.replace('"2026-06-16"', "2026-06-16")
    .replace('"0.1.0"', "1.10")
    .replace('"1.0"', "1.0")
    .replace("d1:", "on:")
    .replace("[t]", "[007]");
  const folder = bench({ "meta.yaml": `${yaml}built: 2026-01-02\n` });
  const packed = await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  assert.is(packed.code, 0, packed.err);
  assert.match(packed.err, /written as JSON/);
  assert.match(packed.err, /the date at \/built became text/);
  const { metadata, problems } = JSON.parse((await bundle(folder, "inspect", "out")).out);
  assert.equal(problems, []);
  assert.equal(metadata, {
    airflow_bundle_metadata_version: "1.0",
    sdk: { language: "typescript", version: "1.10", supervisor_schema_version: "2026-06-16" },
    dags: { on: { tasks: ["007"] } },
    task_handlers: { on: { tasks: ["007"] } },
    built: "2026-01-02",
  });
});

test("pack keeps YAML whose other values are no text", async () => {
  const yaml = `${YAML}task_handlers: {d1: {tasks: [t]}}\nbuilt: 2026-01-02\nnumber: 1e3\n`;
  const folder = bench({ "meta.yaml": yaml });
  const packed = await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  assert.equal([packed.code, packed.err], [0, ""]);
  assert.ok(readFileSync(join(folder, "out")).includes(yaml));
  const { metadata } = JSON.parse((await bundle(folder, "inspect", "out")).out);
  assert.equal(metadata.built, { $: "date", iso: "2026-01-02" });
});

test("pack refuses metadata that Airflow could not use", async () => {
  const changes: [string | RegExp, string][] = [
    ['"2026-06-16"', "null"],
    ['"2026-06-16"', '"2031-01-01"'],
    ['"2026-06-16"', "2031-01-01"],
    ['"0.1.0"', "[1]"],
    ["d1:", "~:"],
    ["[t]", "[{a: b}]"],
    ["  d1:\n    tasks: [t]\n", ""],
    ["sdk:", "skd:"],
    ["  d1", "\td1"],
    [/^/, "sources: [{path: a, offset: 0, length: 1, sha256: b}]\n"],
  ];
  for (const [from, to] of changes) {
    const folder = bench({ "meta.yaml": YAML.replace(from, to) });
    const { code, err } = await bundle(folder, ...PACK, "--metadata", "meta.yaml", "--json");
    assert.is(code, 65, to);
    assert.match(JSON.parse(err.trim().split("\n").at(-1) ?? "").error.code, /^bad-/);
  }
});

test("pack's refusals have their codes, and leave the output alone", async () => {
  const folder = bench({ out: "old" });
  const refused = async (exitCode: number, code: string, ...words: string[]): Promise<void> => {
    const outcome = await bundle(folder, "pack", "--metadata", "meta.yaml", "--json", ...words);
    assert.equal([outcome.code, outcome.out], [exitCode, ""], words.join(" "));
    assert.is(JSON.parse(outcome.err).error.code, code);
  };
  await refused(2, "same-file", "--executable", "exe", "--out", "exe");
  await refused(2, "same-file", "--executable", "exe", "--out", "meta.yaml");
  await refused(2, "is-directory", "--executable", "exe", "--out", ".");
  await refused(65, "cannot-read", "--executable", "missing", "--out", "out");
  await refused(1, "cannot-write", "--executable", "exe", "--out", "no/out");
  await refused(2, "usage", "--executable", "exe");
  assert.is(readFileSync(join(folder, "out"), "utf8"), "old");
});

test("inspect of a bad bundle prints its report and ends with 65", async () => {
  const folder = bench();
  await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  writeFileSync(join(folder, "out"), "\n", { flag: "a" });
  const { code, out, err } = await bundle(folder, "inspect", "out");
  assert.equal([code, err], [65, ""]);
  const report = JSON.parse(out);
  assert.is(report.verified, false);
  assert.equal(
    report.problems.map((problem: { code: string }) => problem.code),
    ["no-footer", "trailing-bytes"],
  );
  const missing = await bundle(folder, "inspect", "missing", "--json");
  assert.is(missing.code, 65);
  assert.is(JSON.parse(missing.err).error.code, "cannot-read");
  assert.is((await bundle(folder, "inspect", "exe", "--source")).code, 65);
});

test("verify prints one line a fault and tells the rest as warnings", async () => {
  const folder = bench();
  await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  const { code, out, err } = await bundle(folder, "verify", "out", "exe", "missing");
  assert.is(code, 1);
  const lines = out.trimEnd().split("\n");
  assert.is(lines.length, 2);
  assert.match(lines[0] ?? "", /^exe: \[no-footer\]/);
  assert.match(lines[1] ?? "", /^missing: \[cannot-read\]/);
  assert.is(err, "");
  assert.is((await bundle(folder, "verify", "out")).code, 0);
  writeFileSync(join(folder, "exe"), "#!/bin/sh\r\n");
  await bundle(folder, ...PACK, "--metadata", "meta.yaml", "--force");
  const warned = await bundle(folder, "verify", "out");
  assert.equal([warned.code, warned.out], [0, ""]);
  assert.match(warned.err, /warning: out: \[cr-in-interpreter-line\]/);
  assert.is((await bundle(folder, "verify", "--strict", "out")).code, 1);
  const document = JSON.parse((await bundle(folder, "verify", "--json", "out", "a.ts")).out);
  assert.equal(
    document.files.map((file: { verified: boolean }) => file.verified),
    [true, false],
  );
});

test("find ends with 1 when nothing runs the Dag, and tells the rejected", async () => {
  const folder = bench();
  await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  mkdirSync(join(folder, "empty"));
  const empty = await bundle(folder, "find", "--root", "empty", "--dag", "d1", "--json");
  assert.is(empty.code, 1);
  assert.equal(JSON.parse(empty.out), { path: null, schemaVersion: null, rejected: [] });
  const bytes = readFileSync(join(folder, "out"));
  bytes[3] = 0;
  writeFileSync(join(folder, "out"), bytes);
  chmodSync(join(folder, "out"), 0o755);
  const { code, out } = await bundle(folder, "find", "--root", "empty", folder, "--dag", "d1");
  assert.is(code, 1);
  const { rejected } = JSON.parse(out);
  assert.is(rejected.length, 1);
  assert.is(rejected[0].path, join(folder, "out"));
  assert.match(rejected[0].reason, /SHA-256/);
});

test("special values of YAML are printed in the fixed notation", async () => {
  const folder = bench();
  await bundle(folder, ...PACK, "--metadata", "meta.yaml");
  // as another packer might write it
  const bundleBytes = readFileSync(join(folder, "out"));
  const changed = bundleBytes.toString("latin1").replace('"2026-06-16"', "2026-06-16  ");
  writeFileSync(join(folder, "out"), Buffer.from(changed, "latin1"));
  const { code, out } = await bundle(folder, "inspect", "out");
  assert.is(code, 0);
  const { metadata, problems } = JSON.parse(out);
  assert.equal(metadata.sdk.supervisor_schema_version, { $: "date", iso: "2026-06-16" });
  assert.is(problems[0].code, "bad-schema-version");
});

test("help says what the digest is for", async () => {
  const folder = bench();
  for (const words of [
    ["--help"],
    ["inspect", "--help"],
    ["verify", "--help"],
    ["pack", "--help"],
  ]) {
    const { code, out } = await bundle(folder, ...words);
    assert.is(code, 0);
    assert.match(out.replace(/\s+/g, " "), /detects damage, not tampering/);
  }
});

test.run();
