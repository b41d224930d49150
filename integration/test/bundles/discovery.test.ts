import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { BundleCache, findBundle, findNodeBundle, NodeBundleCache } from "@parlance/bundle";
import { skip, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { assemble } from "./generate/random-executable.ts";
import { assembleNode } from "./generate/random-node-bundle.ts";

// Searches over 10,000 bundles, measured in bytes that this process reads (the kernel counts them).

const COUNT = 10_000;
const COUNTER = "/proc/self/io";

/** What a file may add to a cold search: a footer with its metadata, or layout and metadata. */
const MAX_READ_A_FILE = 8192;

function executable(dagId: string): Buffer {
  const metadata = {
    sdk: { supervisor_schema_version: "2026-06-16" },
    dags: { [dagId]: { tasks: ["t"] } },
  };
  return assemble({
    executable: Buffer.alloc(100_000, dagId),
    source: Buffer.alloc(0),
    metadata: Buffer.from(JSON.stringify(metadata)),
  });
}

function nodeBundle(dagId: string): Buffer {
  const metadata = JSON.stringify({
    airflow_bundle_metadata_version: "1.0",
    sdk: { supervisor_schema_version: "2026-10-30" },
    task_handlers: { [dagId]: { tasks: ["t"] } },
  });
  return assembleNode({ metadata, sources: [], code: `//${"x".repeat(20_000)}\n` });
}

/** A hundred folders of a hundred bundles each, one a Dag; too old to have changed within a tick of the clock. */
function tree(bundle: (dagId: string) => Buffer, suffix: string): string {
  const root = temporaryFolder("parlance-10000");
  for (let at = 0; at < COUNT; at++) {
    const folder = join(root, String(Math.floor(at / 100)).padStart(2, "0"));
    if (at % 100 === 0) mkdirSync(folder);
    writeFileSync(
      join(folder, `${String(at % 100).padStart(2, "0")}${suffix}`),
      bundle(`dag_${at}`),
      { mode: 0o755 },
    );
  }
  return root;
}

/** Bytes that the process read, by whatever call, while `work` ran. */
async function bytesRead<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const count = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync(COUNTER, "latin1"))?.[1]);
  const before = count();
  const result = await work();
  return [result, count() - before];
}

const SEARCHES = [
  ["executable", findBundle, BundleCache, executable, ""],
  ["Node", findNodeBundle, NodeBundleCache, nodeBundle, ".min.mjs"],
] as const;

for (const [name, find, Cache, bundle, suffix] of SEARCHES) {
  const label = `the last of ${COUNT} ${name} bundles`;
  if (!existsSync(COUNTER)) {
    skip(test, label, `there is no ${COUNTER}`);
    continue;
  }
  test(`${label}: a cold search hashes it alone, a warm one reads nothing`, async () => {
    const root = tree(bundle, suffix);
    const cache = new Cache();
    const last = join(root, "99", `99${suffix}`);
    const search = (dagId: string) => bytesRead(() => find({ roots: [root], dagId, cache }));

    const [cold, coldBytes] = await search(`dag_${COUNT - 1}`);
    assert.is(cold.path, last);
    assert.equal(cold.rejected, []);
    assert.ok(coldBytes < COUNT * MAX_READ_A_FILE + 2 * statSync(last).size, `${coldBytes} bytes`);
    assert.is(cache.size, COUNT);

    const [warm, warmBytes] = await search(`dag_${COUNT - 1}`);
    assert.is(warm.path, last);
    assert.ok(warmBytes < 4096, `${warmBytes} bytes`); // the counter itself

    const [other, otherBytes] = await search("dag_5000");
    assert.is(other.path, join(root, "50", `00${suffix}`));
    assert.ok(otherBytes < 2 * statSync(last).size, `${otherBytes} bytes`);
  });
}

test("a file that keeps inode, size and time of change of its content is read again all the same", async () => {
  const root = temporaryFolder("parlance-same");
  const file = join(root, "bundle");
  const bytes = executable("d1");
  writeFileSync(file, bytes, { mode: 0o755 });
  const old = new Date("2026-01-01");
  utimesSync(file, old, old);
  const cache = new BundleCache();
  const search = () => findBundle({ roots: [root], dagId: "d1", cache });
  await waitUntilRemembered(search, cache);
  const before = statSync(file);
  const damaged = Buffer.from(bytes);
  damaged[10] = 0;
  writeFileSync(file, damaged);
  utimesSync(file, old, old);
  const after = statSync(file);
  // What Airflow's key is made of is the same; it would run the damaged file.
  assert.equal([after.ino, after.size, after.mtimeMs], [before.ino, before.size, before.mtimeMs]);
  const { path, rejected } = await search();
  assert.is(path, null);
  assert.match(rejected[0]?.reason ?? "", "SHA-256");
});

/** What changed just now is not remembered yet. */
async function waitUntilRemembered(
  search: () => Promise<{ path: string | null }>,
  cache: BundleCache,
) {
  while (cache.size === 0) assert.ok((await search()).path !== null);
}

test("a file that shrinks or grows while it is hashed is rejected, and not remembered", async () => {
  for (const size of [1 << 20, 1 << 28]) {
    const root = temporaryFolder("parlance-changing");
    const file = join(root, "bundle");
    const large = Buffer.alloc(32 << 20, "x");
    const metadata = Buffer.from(
      '{"sdk":{"supervisor_schema_version":"2026-06-16"},"dags":{"d1":{}}}',
    );
    writeFileSync(file, assemble({ executable: large, source: Buffer.alloc(0), metadata }), {
      mode: 0o755,
    });
    const whole = readFileSync(file);
    const cache = new BundleCache();
    const search = () => findBundle({ roots: [root], dagId: "d1", cache });
    let reason: string | undefined;
    while (reason === undefined) {
      writeFileSync(file, whole);
      const searching = search(); // is at work when it returns, unless this process had to wait
      truncateSync(file, size);
      const { path, rejected } = await searching;
      assert.is(path, null);
      reason = rejected[0]?.reason;
    }
    assert.match(reason, /changed|ended/);
    assert.is((await search()).path, null);
  }
});

test.run();
