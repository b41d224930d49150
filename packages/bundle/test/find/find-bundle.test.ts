import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BundleCache, encodeFooter, type FindOptions, findBundle } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const EXECUTABLE = "#!/bin/sh\nexit 0\n";
const SDK = 'sdk: {supervisor_schema_version: "2026-06-16"}\n';

function bundleOf(metadata: string, executable = EXECUTABLE, digestOf = executable): Buffer {
  const binarySha256 = createHash("sha256").update(digestOf).digest("hex");
  const footer = encodeFooter({
    sourceLength: 0,
    metadataLength: Buffer.byteLength(metadata),
    binarySha256,
  });
  return Buffer.concat([Buffer.from(executable + metadata), footer]);
}

/** Makes files under a new folder; text is the bundle's metadata. */
function tree(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(temporaryFolder());
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const bytes = typeof content === "string" ? bundleOf(content) : content;
    writeFileSync(join(root, name), bytes, { mode: 0o755 });
  }
  return root;
}

const dags = (...ids: string[]): string =>
  `${SDK}dags: {${ids.map((id) => `${id}: {}`).join(", ")}}\n`;

async function find(root: string, dagId = "d1", more: Partial<FindOptions> = {}) {
  const known = { knownSchemaVersions: ["2026-06-16"] };
  const { path, rejected } = await findBundle({ roots: [root], dagId, ...known, ...more });
  const short = (text: string): string => text.replace(`${root}/`, "");
  return {
    path: path === null ? null : short(path),
    rejected: rejected.map(({ path: at, reason }) => [short(at), reason] as const),
  };
}

test("the first by name wins, folders in their place", async () => {
  const root = tree({ "b/z": dags("d1"), "b/a/x": dags("d1"), c: dags("d1"), "a/x": dags("d2") });
  assert.is((await find(root)).path, "b/a/x");
  assert.is((await find(root, "d2")).path, "a/x");
  assert.equal(await find(root, "d3"), { path: null, rejected: [] });
});

test("roots are searched in the order they are given; a root may be a file", async () => {
  const root = tree({ "a/x": dags("d1"), "b/x": dags("d1") });
  const roots = [join(root, "b"), join(root, "a")];
  assert.is((await find(root, "d1", { roots })).path, "b/x");
  assert.is((await find(root, "d1", { roots: [join(root, "a/x")] })).path, "a/x");
});

test("rejected candidates are passed over, each with its reason", async () => {
  const root = tree({
    "1-digest": bundleOf(dags("d1"), EXECUTABLE, "another"),
    "2-version": dags("d1").replace("2026-06-16", "2031-01-01"),
    "3-unquoted": dags("d1").replaceAll('"', ""),
    "4-missing": "dags: {d1: {}}\n",
    "5-yaml": "{",
    "6-list": "- d1\n",
    "7-dags": `${SDK}dags: [d1]\n`,
    "8-footer": withReservedByte(bundleOf(dags("d1"))),
    "9-utf8": Buffer.concat([Buffer.from(EXECUTABLE), Buffer.from([0xff]), lengthOne()]),
    "other-digest": bundleOf(dags("d2"), EXECUTABLE, "another"),
    "plain-program": Buffer.from(EXECUTABLE),
    appended: Buffer.concat([bundleOf(dags("d1")), Buffer.from("\n")]),
    good: dags("d1"),
  });
  const { path, rejected } = await find(root);
  assert.is(path, "good");
  const reasons = [
    /SHA-256/,
    /"2031-01-01"; known here: 2026-06-16/,
    /without quotes, which YAML reads as a date/,
    /supervisor_schema_version is missing/,
    /can't be read as YAML/,
    /not a map/,
    /`dags` is no map/,
    /reserved byte/,
    /not UTF-8/,
  ];
  assert.is(rejected.length, reasons.length);
  for (const [at, pattern] of reasons.entries()) {
    assert.match(rejected[at]?.[0] ?? "", `${at + 1}-`);
    assert.match(rejected[at]?.[1] ?? "", pattern);
  }
});

function withReservedByte(bundle: Buffer): Buffer {
  bundle[bundle.length - 20] = 1;
  return bundle;
}

function lengthOne(): Uint8Array {
  const binarySha256 = createHash("sha256").update(EXECUTABLE).digest("hex");
  return encodeFooter({ sourceLength: 0, metadataLength: 1, binarySha256 });
}

test("keys that YAML does not read as text are not found by their text", async () => {
  const root = tree({ a: dags("on", "1", "2026-06-16", "1e3", "y"), b: dags('"on"', "'1'") });
  assert.is((await find(root, "1e3")).path, "a");
  assert.is((await find(root, "y")).path, "a");
  assert.equal((await find(root, "2026-06-16")).path, null);
  for (const id of ["on", "1"]) {
    const { path, rejected } = await find(root, id);
    assert.is(path, "b");
    assert.match(rejected[0]?.[1] ?? "", /without quotes/);
  }
  // a pair of surrogate escapes is two broken characters to Python
  const pair = tree({
    a: '{"sdk": {"supervisor_schema_version": "2026-06-16"}, "dags": {"\\ud83d\\ude00": {}}}',
  });
  assert.is((await find(pair, "😀")).path, null);
});

test("JSON is found by its keys only, and rejected for the same reasons", async () => {
  const sdk = { supervisor_schema_version: "2026-06-16" };
  const json = (value: object): string => JSON.stringify({ sdk, ...value });
  const root = tree({
    a: json({ dags: { other: { tasks: ["d1"] } }, d1: "d1" }),
    b: json({ dags: ["d1"] }),
    c: `${json({ dags: { d1: {} } })}}`,
    d: json({ dags: { d1: {} } }),
  });
  const { path, rejected } = await find(root);
  assert.is(path, "d");
  assert.equal(
    rejected.map(([at]) => at),
    ["b", "c"],
  );
  assert.equal((await find(root, "d2")).rejected, rejected);
});

test("what nobody may run is not opened, and not missed", async () => {
  const root = tree({ a: dags("d1") });
  chmodSync(join(root, "a"), 0o000);
  assert.equal(await find(root), { path: null, rejected: [] });
});

test("links are followed, loops end, and what is no file is not opened", async () => {
  const root = tree({ "a/keep": Buffer.from("x"), "elsewhere/x": dags("d1") });
  symlinkSync("..", join(root, "a/loop"));
  symlinkSync("self", join(root, "a/self"));
  symlinkSync("nowhere", join(root, "a/dangling"));
  execFileSync("mkfifo", [join(root, "a/fifo")]);
  chmodSync(join(root, "a/fifo"), 0o755);
  const roots = [join(root, "a")];
  assert.equal(await find(root, "d1", { roots }), { path: "elsewhere/x", rejected: [] });
  symlinkSync("../elsewhere/x", join(root, "a/0-link"));
  // the path is the file's own, as Airflow starts it
  assert.equal(await find(root, "d1", { roots }), { path: "elsewhere/x", rejected: [] });
});

test("a root that is missing is told", async () => {
  const root = tree({});
  const missing = join(root, "no");
  const { path, rejected } = await find(root, "d1", { roots: [missing] });
  assert.is(path, null);
  assert.equal(rejected, [["no", "there is no such file or folder"]]);
});

test("a name that is no UTF-8 is searched and told", async () => {
  const root = tree({});
  const folder = Buffer.concat([Buffer.from(`${root}/f`), Buffer.from([0xff])]);
  mkdirSync(folder);
  const bytes = bundleOf(dags("d1"));
  writeFileSync(Buffer.concat([folder, Buffer.from("/x")]), bytes, { mode: 0o755 });
  const { path, rejected } = await find(root);
  assert.is(path, null);
  assert.match(rejected[0]?.[1] ?? "", /no UTF-8/);
  assert.equal((await find(root, "d2")).rejected, []);
});

test("a file without an execute bit is none", async () => {
  const root = tree({ a: dags("d1") });
  for (const mode of [0o644, 0o400]) {
    chmodSync(join(root, "a"), mode);
    assert.equal(await find(root), { path: null, rejected: [] });
  }
});

test("metadata longer than one read is read whole", async () => {
  const many = Array.from({ length: 500 }, (_, at) => `dag_${at}`);
  const root = tree({ a: dags(...many) });
  assert.is((await find(root, "dag_0")).path, "a");
  assert.is((await find(root, "dag_499")).path, "a");
});

test("a cache spares the reading, and sees every change", async () => {
  const root = tree({ a: dags("d1"), b: Buffer.from("x") });
  const file = join(root, "a");
  const cache = new BundleCache();
  await find(root, "d1", { cache });
  assert.is(cache.size, 0, "what changed just now is not remembered");
  await setTimeout(120);
  assert.is((await find(root, "d1", { cache })).path, "a");
  assert.is(cache.size, 1, "the search ends at the match");
  assert.is((await find(root, "d2", { cache })).path, null);
  assert.is(cache.size, 2);
  assert.is((await find(root, "d1", { cache })).path, "a");
  // same size, same time of change of the content, another executable region
  const { atime, mtime } = statSync(file);
  const bytes = readFileSync(file);
  bytes[3] = 0;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
  const broken = await find(root, "d1", { cache });
  assert.is(broken.path, null);
  assert.match(broken.rejected[0]?.[1] ?? "", /SHA-256/);
  // replaced by another file
  writeFileSync(join(root, ".new"), bundleOf(dags("d1")), { mode: 0o755 });
  renameSync(join(root, ".new"), file);
  assert.is((await find(root, "d1", { cache })).path, "a");
});

test("a cache forgets the oldest", async () => {
  const root = tree({ a: dags("d1"), b: dags("d2"), c: dags("d3") });
  await setTimeout(120);
  const cache = new BundleCache({ maxEntries: 2 });
  assert.is((await find(root, "d3", { cache })).path, "c");
  assert.is(cache.size, 2);
  assert.is((await find(root, "d1", { cache })).path, "a");
});

test("a search can be stopped", async () => {
  const root = tree({ a: dags("d1") });
  const signal = AbortSignal.abort(new Error("stop"));
  let message = "";
  await find(root, "d1", { signal }).catch((error: Error) => {
    message = error.message;
  });
  assert.is(message, "stop");
});

test.run();
