import {
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createMetadata, type DoctorOptions, examineRoots, packBundle } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { elf, machO } from "../support/program-headers.ts";

// What is held to real finders stands in integration/test/bundles; here is what needs a stand-in.

const METADATA = createMetadata({
  sdk: { language: "go", version: "1", supervisorSchemaVersion: "2026-06-16" },
  dags: { d1: { tasks: ["t"] } },
});

/** A root with one bundle of this executable in it. */
async function rootOf(executable: string | Buffer, name = "bundle"): Promise<string> {
  const folder = realpathSync(temporaryFolder());
  const root = join(folder, "root");
  mkdirSync(root);
  writeFileSync(join(folder, "exe"), executable, { mode: 0o755 });
  await packBundle({ executable: join(folder, "exe"), metadata: METADATA, out: join(root, name) });
  return root;
}

async function doctor(root: string, options: Partial<DoctorOptions> = {}) {
  const report = await examineRoots({ roots: [root], airflow: "3.3", mountInfo: "", ...options });
  const codes = report.problems.map(({ code }) => code);
  return { ...report, codes, commands: report.problems.map(({ command }) => command) };
}

const SCRIPT = "#!/bin/sh\nexit 0\n";

test("a good bundle is taken and nothing is told", async () => {
  const root = await rootOf(SCRIPT);
  const { dags, codes, files } = await doctor(root);
  const path = join(root, "bundle");
  const one = {
    dagId: "d1",
    coordinator: "ExecutableCoordinator",
    path,
    schemaVersion: "2026-06-16",
  };
  assert.equal(dags, [{ ...one, shadowed: [] }]);
  assert.equal([codes, files], [[], 1]);
});

test("a noexec mount keeps a bundle from 3.3, and from being started on 3.4", async () => {
  const root = await rootOf(SCRIPT);
  const mountInfo = `1 0 0:1 / / rw - ext4 x rw\n2 1 0:2 / ${root} rw,noexec - tmpfs x rw\n`;
  const old = await doctor(root, { mountInfo });
  assert.equal([old.codes, old.dags], [["noexec-mount"], []]);
  assert.is(old.commands[0], `mount -o remount,exec ${root}`);
  const young = await doctor(root, { mountInfo, airflow: "3.4" });
  assert.equal([young.codes, young.dags.length], [["noexec-mount"], 1]);
});

test("a read-only file system keeps 3.4 from setting the execute bits", async () => {
  const root = await rootOf(SCRIPT);
  chmodSync(join(root, "bundle"), 0o644);
  const mountInfo = `1 0 0:1 / / ro - ext4 x ro\n`;
  const report = await doctor(root, { mountInfo, airflow: "3.4" });
  assert.equal([report.codes, report.dags], [["no-execute-bit"], []]);
  assert.match(report.problems[0]?.message ?? "", /read-only/);
  assert.equal((await doctor(root, { airflow: "3.4" })).codes, ["execute-bit-set-by-airflow"]);
});

test("programs for another machine are told, as seen from the worker", async () => {
  const worker = { platform: "linux", arch: "amd64" };
  const codesOf = async (executable: Buffer, options: Partial<DoctorOptions> = worker) =>
    (await doctor(await rootOf(executable), options)).codes;
  assert.equal(await codesOf(elf({ machine: 183 })), ["wrong-architecture"]);
  assert.equal(await codesOf(machO()), ["wrong-platform"]);
  assert.equal(await codesOf(elf()), []);
  assert.equal(await codesOf(elf({ bits: 32, machine: 3 })), []);
  assert.equal(await codesOf(machO(), { platform: "macos", arch: "arm64" }), []);
  assert.equal(await codesOf(elf({ type: 1 })), ["not-a-program"]);
});

test("a loader and an interpreter are looked for where the bundle is to run", async () => {
  const own = { loader: "/lib/ld-musl-none.so.1", machine: process.arch === "arm64" ? 183 : 62 };
  if (process.platform === "linux" && ["x64", "arm64"].includes(process.arch)) {
    const { codes, problems } = await doctor(await rootOf(elf(own)));
    assert.equal(codes, ["missing-interpreter"]);
    assert.match(problems[0]?.message ?? "", /of musl, as on Alpine/);
  }
  const byEnv = await rootOf("#!/usr/bin/env nosuchprogram\n");
  assert.equal((await doctor(byEnv)).codes, ["missing-interpreter"]);
  assert.equal((await doctor(byEnv, { platform: "linux", arch: "s390x" })).codes, []);
  const moved = await doctor(await rootOf("#!/nowhere/sh\n"), { searchPath: "/bin:/usr/bin" });
  assert.match(moved.commands[0] ?? "", /--repack --interpreter '#!\/usr\/bin\/env sh'/);
  assert.equal((await doctor(await rootOf(`#!/bin/${"x".repeat(300)}\n`))).codes, [
    process.platform === "linux" ? "bad-interpreter-line" : "missing-interpreter",
  ]);
});

test("busybox's env has no -S", async () => {
  const tools = realpathSync(temporaryFolder());
  for (const name of ["busybox", "node"]) writeFileSync(join(tools, name), "", { mode: 0o755 });
  symlinkSync("busybox", join(tools, "env"));
  const root = await rootOf(`#!${tools}/env -S node\n`);
  const { codes, commands } = await doctor(root, { searchPath: tools });
  assert.equal(codes, ["env-arguments"]);
  assert.match(commands[0] ?? "", `--interpreter '#!${tools}/env node'`);
  const plain = await rootOf(`#!${tools}/env node\n`);
  assert.equal((await doctor(plain, { searchPath: tools })).codes, []);
  const words = await rootOf(`#!${tools}/env node --flag\n`);
  assert.equal((await doctor(words, { searchPath: tools })).codes, ["env-arguments"]);
});

test("of two files the older is to go, and not where it is searched again", async () => {
  const root = await rootOf(SCRIPT, "b");
  mkdirSync(join(root, "old"));
  const other = await rootOf(SCRIPT);
  renameSync(join(other, "bundle"), join(root, "old/a"));
  symlinkSync("../..", join(root, "old/up"));
  utimesSync(join(root, "old/a"), 1, 1);
  const { codes, commands, problems } = await doctor(root);
  assert.equal(
    codes.filter((code) => code !== "folder-seen-before"),
    ["duplicate-dag"],
  );
  const [at] = [codes.indexOf("duplicate-dag")];
  assert.is(problems[at]?.path, join(root, "old/a"));
  const outside = join(root, "../..", "retired-bundles");
  assert.match(commands[at] ?? "", `mkdir -p -- ${outside} && mv -- ${root}/old/a ${outside}/a`);
});

test("a missing root, and a program that is no bundle", async () => {
  const root = await rootOf(SCRIPT);
  writeFileSync(join(root, "tool"), SCRIPT.padEnd(100, "#"), { mode: 0o755 });
  writeFileSync(join(root, "README"), "text\n".repeat(20));
  const report = await doctor(root, { roots: [root, join(root, "missing")] });
  assert.equal([...report.codes].sort(), ["missing-root", "not-packed"]);
});

test("what is read as no text, and a name with an ending, are notes", async () => {
  const root = realpathSync(temporaryFolder());
  writeFileSync(join(root, "exe"), SCRIPT, { mode: 0o755 });
  const metadata = Buffer.from(
    'airflow_bundle_metadata_version: 1.0\nsdk: {language: go, version: 1.10, supervisor_schema_version: "2026-06-16"}\ndags: {d1: {tasks: [on]}}\n',
  );
  await packBundle({ executable: join(root, "exe"), metadata, out: join(root, "b.bin") });
  const { codes, problems, dags } = await doctor(root, { airflow: "3.4" });
  assert.equal([codes, dags.length], [["unquoted-version", "name-with-ending"], 1]);
  assert.match(
    problems[0]?.message ?? "",
    /airflow_bundle_metadata_version, sdk\.version, a task of d1/,
  );
});

test("an aborted examination ends with the reason", async () => {
  const root = await rootOf(SCRIPT);
  try {
    await doctor(root, { signal: AbortSignal.abort("enough") });
    assert.unreachable();
  } catch (error) {
    assert.is(error, "enough");
  }
});

test.run();
