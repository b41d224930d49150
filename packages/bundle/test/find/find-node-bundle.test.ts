import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findNodeBundle, NodeBundleCache } from "@parlance/bundle";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

interface NodeCase {
  readonly name: string;
  readonly base64: string | null;
  readonly read_bundle: { readonly ok: boolean; readonly value?: { readonly dag_ids: string[] } };
  readonly coordinator_selects: { readonly ok: boolean; readonly value?: string };
}

const RECORDED: readonly NodeCase[] = JSON.parse(
  readFileSync(new URL("../../test/data/node-bundle-cases.json", import.meta.url), "utf8"),
);
/** Three files of 1 MiB were recorded by their verdict alone. */
const CASES = RECORDED.filter(({ base64 }) => base64 !== null);
const KNOWN = ["2026-06-16", "2026-10-30"];
const good = CASES.find(({ name }) => name === "good-handlers-only") as NodeCase;

const bytesOf = (base64: string | null): Buffer => Buffer.from(base64 ?? "", "base64");

function tree(files: Readonly<Record<string, Buffer | string>>): string {
  const root = realpathSync(temporaryFolder());
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

test("selects exactly the files that the real NodeCoordinator of 3.4.0b2 selects", async () => {
  for (const { name, base64, read_bundle, coordinator_selects: selects } of CASES) {
    const dagId = read_bundle.value?.dag_ids[0] ?? "d1"; // what the recording asked for
    const root = tree({ "one.min.mjs": bytesOf(base64) });
    const found = await findNodeBundle({ roots: [root], dagId, knownSchemaVersions: KNOWN });
    assert.is(found.path !== null, selects.ok, `${name}: ${JSON.stringify(found.rejected)}`);
    if (selects.ok) assert.is(found.schemaVersion, selects.value, name);
  }
  assert.ok(CASES.filter((one) => one.coordinator_selects.ok).length > 10);
});

test("the first by name wins, links are followed, other names are passed over", async () => {
  const bytes = bytesOf(good.base64);
  const root = tree({ "b/two.min.mjs": bytes, "b/one.mjs": bytes, "c.min.mjs": bytes });
  const find = async () => {
    const found = await findNodeBundle({ roots: [root], dagId: "d1" });
    return [found.path?.slice(root.length + 1), found.rejected.length];
  };
  assert.equal(await find(), ["b/two.min.mjs", 0]);
  symlinkSync(join(root, "c.min.mjs"), join(root, "a.min.mjs"));
  symlinkSync(root, join(root, "aa")); // a loop
  assert.equal(await find(), ["c.min.mjs", 0]);
});

test("a broken candidate is told and does not stop the search", async () => {
  const bytes = bytesOf(good.base64);
  const damaged = Buffer.from(bytes);
  damaged[damaged.length - 1] = 0;
  const root = tree({ "a.min.mjs": damaged, "b.min.mjs": "console.log(1)", "c.min.mjs": bytes });
  const found = await findNodeBundle({ roots: [root], dagId: "d1" });
  assert.is(found.path, join(root, "c.min.mjs"));
  const reasons = found.rejected.map(({ reason }) => reason);
  assert.match(reasons[0] ?? "", /SHA-256/);
  assert.match(reasons[1] ?? "", /does not start as a Node bundle/);
  const none = await findNodeBundle({ roots: [join(root, "c.min.mjs")], dagId: "other" });
  assert.equal([none.path, none.rejected.length], [null, 0]);
});

test("a cached bundle is read again when the file has changed", async () => {
  const root = tree({ "a.min.mjs": bytesOf(good.base64) });
  const file = join(root, "a.min.mjs");
  const cache = new NodeBundleCache();
  const find = async () => (await findNodeBundle({ roots: [root], dagId: "d1", cache })).path;
  const old = new Date(Date.now() - 60_000);
  utimesSync(file, old, old);
  assert.is(await find(), file);
  assert.is(await find(), file);
  writeFileSync(file, "console.log(1)");
  assert.is(await find(), null);
  copyFileSync(join(tree({ x: bytesOf(good.base64) }), "x"), file);
  assert.is(await find(), file);
});

test.run();
