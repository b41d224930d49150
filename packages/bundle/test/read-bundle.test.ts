import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  encodeFooter,
  findBundle,
  packBundle,
  readBundle,
  readSources,
  verifyBundle,
} from "@parlance/bundle";
import { rejects, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const KNOWN = ["2026-06-16", "2026-10-30"];

type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

function load<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(`../test/data/${name}`, import.meta.url), "utf8")) as T[];
}

interface ExecutableCase {
  readonly name: string;
  readonly base64: string;
  readonly checked_open: Answer<{ readonly source_len: number; readonly metadata_len: number }>;
  readonly select_d1: Answer<string>;
  readonly entrypoint_source: Answer<string | null>;
  readonly source_of_d1: Answer<string | null>;
}

test("52 files get the verdict of the reader of Airflow 3.4", async () => {
  const cases = load<ExecutableCase>("exec-bundle-cases.json");
  assert.is(cases.length, 52);
  const folder = temporaryFolder();
  const path = join(folder, "b");
  for (const { name, base64, checked_open: opened, ...verdicts } of cases) {
    writeFileSync(path, Buffer.from(base64, "base64"), { mode: 0o755 });
    const report = await readBundle(path, { knownSchemaVersions: KNOWN });
    assert.is(report.verified, opened.ok, name);
    if (opened.ok) {
      assert.is(report.footer?.sourceLength, opened.value.source_len, name);
      assert.is(report.footer?.metadataLength, opened.value.metadata_len, name);
      const isSourceGood = verdicts.entrypoint_source.ok && verdicts.source_of_d1.ok;
      const problem = report.problems.find(({ code }) => code.includes("source"));
      assert.is(problem === undefined, isSourceGood, name);
    }
    const found = await findBundle({ roots: [folder], dagId: "d1", knownSchemaVersions: KNOWN });
    const { select_d1: selected } = verdicts;
    assert.is(found.schemaVersion, selected.ok ? selected.value : null, name);
    assert.is(found.path !== null, selected.ok, name);
  }
});

interface NodeCase {
  readonly name: string;
  readonly base64: string | null;
  readonly claimed: boolean;
  readonly read_bundle: Answer<unknown>;
  readonly entrypoint_source: Answer<string | null>;
  readonly source_of_d1: Answer<string | null>;
}

test("75 Node bundles get the verdict of the reader of Airflow 3.4", async () => {
  const cases = load<NodeCase>("node-bundle-cases.json").filter(({ base64 }) => base64);
  assert.is(cases.length, 75);
  const path = join(temporaryFolder(), "b.min.mjs");
  for (const { name, base64, claimed, read_bundle: read, ...verdicts } of cases) {
    writeFileSync(path, Buffer.from(base64 ?? "", "base64"));
    const report = await readBundle(path, { knownSchemaVersions: KNOWN });
    assert.is(report.verified, read.ok, name);
    assert.is(report.format === "node", claimed, name);
    if (!read.ok) continue;
    const isSourceGood = verdicts.entrypoint_source.ok && verdicts.source_of_d1.ok;
    const problem = report.problems.find(({ code }) => code.includes("source"));
    assert.is(problem === undefined, isSourceGood, name);
  }
});

test("the sources of a Node bundle come as they were written", async () => {
  const cases = load<NodeCase>("node-bundle-cases.json");
  const path = join(temporaryFolder(), "b.min.mjs");
  const two = cases.find(({ name }) => name === "good-two-sources");
  writeFileSync(path, Buffer.from(two?.base64 ?? "", "base64"));
  const sources = readSources(await readBundle(path)).map(({ data }) => data.toString());
  assert.equal(sources, ["export const a = 1;\n", "/* c */ export const b = '*\\\\/';\n"]);
});

async function packed(folder: string): Promise<string> {
  const executable = join(folder, "exe");
  writeFileSync(executable, "#!/bin/sh\n");
  const out = join(folder, "out");
  await packBundle({ executable, metadata: { dags: {} }, out });
  return out;
}

test("a footer is found far from the end, and across the edges of the search", async () => {
  const folder = temporaryFolder();
  const out = await packed(folder);
  const bundle = readFileSync(out);
  for (const extra of [
    1,
    56,
    63,
    64,
    65,
    2 ** 20 - 64,
    2 ** 20 - 1,
    2 ** 20,
    2 ** 20 + 7,
    3_000_000,
  ]) {
    writeFileSync(out, Buffer.concat([bundle, Buffer.alloc(extra, "x")]));
    const { format, problems, footer } = await readBundle(out);
    assert.is(format, "AFBNDL01");
    assert.is(footer, null);
    assert.equal(
      problems.map(({ code }) => code),
      ["no-footer", "trailing-bytes"],
      String(extra),
    );
    assert.match(problems[1]?.message ?? "", `starts at byte ${bundle.length - 64},`);
  }
});

test("the magic as text in a program is no lost footer", async () => {
  const path = join(temporaryFolder(), "b");
  writeFileSync(path, `${"AFBNDL01 ".repeat(1000)}`);
  const { format, problems } = await readBundle(path);
  assert.is(format, null);
  assert.equal(
    problems.map(({ code }) => code),
    ["no-footer"],
  );
});

test("a length of 4 GiB is refused without reading that much", async () => {
  const path = join(temporaryFolder(), "b");
  const binarySha256 = "00".repeat(32);
  const footer = encodeFooter({
    sourceLength: 2 ** 32 - 1,
    metadataLength: 2 ** 32 - 1,
    binarySha256,
  });
  writeFileSync(path, Buffer.concat([Buffer.alloc(100), footer]));
  assert.equal(
    (await readBundle(path)).problems.map(({ code }) => code),
    ["out-of-bounds"],
  );
});

test("verify tells faults from warnings", async () => {
  const folder = temporaryFolder();
  const out = await packed(folder);
  const good = await verifyBundle(out);
  assert.is(good.verified, true);
  assert.equal(good.faults, []);
  assert.equal(
    good.warnings.map(({ code }) => code),
    ["bad-schema-version", "no-dags"],
  );
  const bytes = readFileSync(out);
  bytes[3] = 0;
  writeFileSync(out, bytes);
  const bad = await verifyBundle(out);
  assert.is(bad.verified, false);
  assert.equal(
    bad.faults.map(({ code }) => code),
    ["digest-mismatch"],
  );
});

test("CR in the interpreter line is told", async () => {
  const folder = temporaryFolder();
  const executable = join(folder, "exe");
  const out = join(folder, "out");
  for (const [script, told] of [
    ["#!/bin/sh\r\nexit 0\r\n", true],
    ["#!/bin/sh\nexit 0\r\n", false],
  ] as const) {
    writeFileSync(executable, script);
    await packBundle({ executable, metadata: {}, out });
    const { problems } = await readBundle(out);
    assert.is(
      problems.some(({ code }) => code === "cr-in-interpreter-line"),
      told,
    );
  }
});

test("what is no file is an error, not a bad bundle", async () => {
  const folder = temporaryFolder();
  await rejects(readBundle(folder), "not-a-file");
  await rejects(readBundle(join(folder, "missing")), "cannot-read");
});

test.run();
