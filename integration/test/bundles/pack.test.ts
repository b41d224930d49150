import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type AirflowVersion,
  type HarnessStore,
  type Launch,
  parseDagFiles,
  requirePeer,
  type SuperviseResult,
  superviseTasks,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EXAMPLE_ENTRY, packExample } from "./support/parlance-pack.ts";

// What `parlance pack` makes, under the real coordinators: a script, a single executable, and a
// Node bundle; on workers that have Node.js, one that is too old, and none.

const folder = temporaryFolder("parlance-pack");
const STORE = JSON.parse(
  readFileSync(join(dirname(EXAMPLE_ENTRY), "../store.json"), "utf8"),
) as HarnessStore;
const AIRFLOWS = ["3.3.2", "3.4.0b2"] as const;

/** A worker's PATH with nothing but what the bundle needs to tell that it needs more. */
function makePath(name: string, python: string): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  symlinkSync(python, join(bin, "python3"));
  return bin;
}

/** Once for all tests, when the first one asks. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Named so that every shell and every printf would stumble. */
const scripts = lazily(async () => {
  // No $: Airflow reads configured paths as a shell would.
  const root = join(folder, 'it\'s a "folder" ümläut 日本\n%s');
  mkdirSync(root);
  writeFileSync(join(root, "package.json"), '{"type": broken');
  await packExample(join(root, "-sales `id` $HOME %d"), "--source", "--node-flag=--no-warnings");
  return root;
});
const singles = lazily(async () => {
  await packExample(join(folder, "sea/sales"), "--format", "sea", "--source");
  return join(folder, "sea");
});
const nodes = lazily(async () => {
  const flags = ["--format", "node", "--schema-version", "2026-10-30", "--source"];
  await packExample(join(folder, "node/sales pipeline.min.mjs"), ...flags);
  return join(folder, "node");
});

async function extract(
  version: AirflowVersion,
  launch: Launch,
  env: Readonly<Record<string, string>> = {},
): Promise<SuperviseResult> {
  const results = await superviseTasks({
    version,
    launch,
    env,
    store: STORE,
    settings: { heartbeatIntervalSeconds: 1, startupTimeoutSeconds: 60 },
    tasks: [{ dagId: "sales_pipeline", taskId: "extract" }],
  });
  return results[0] as SuperviseResult;
}

function succeeded(result: SuperviseResult): void {
  assert.is(result.supervisorError, null, JSON.stringify(result.supervisorLog));
  const { exitCode, finalState, serverState } = result;
  assert.equal([exitCode, finalState, serverState], [0, "success", "success"]);
  assert.equal(result.leftoverChildren, []);
  assert.ok(result.xcoms.some(({ taskId, key }) => taskId === "extract" && key === "return_value"));
}

/** The task has failed, and its log says why. */
function toldWhy(result: SuperviseResult, why: string): void {
  assert.is(result.supervisorError, null, JSON.stringify(result.supervisorLog));
  const { exitCode, finalState, serverState } = result;
  assert.equal([exitCode, finalState, serverState], [127, "failed", "failed"]);
  const events = result.taskLog.filter(({ level }) => level === "error").map(({ event }) => event);
  assert.equal(events.length, 1, JSON.stringify(result.taskLog));
  assert.match(String(events[0]), why);
}

const OLD_NODE = join(folder, "old.cjs");
writeFileSync(
  OLD_NODE,
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
);
const AGED = { NODE_OPTIONS: `--require "${OLD_NODE}"` };
const TOO_OLD = "needs Node.js 20.3 or newer; the node that runs it is v";

/** Each start of an Airflow takes seconds: those of one version are enough. */
function registerRefusals(version: AirflowVersion, label: string, python: string): void {
  test(`${label}: a script on a worker whose Node.js is too old says so in the log`, async () => {
    toldWhy(await extract(version, { bundlesRoot: await scripts() }, AGED), TOO_OLD);
  });

  test(`${label}: a script on a worker without Node.js says so in the log`, async () => {
    const PATH = makePath(`python-${version}`, python);
    const result = await extract(version, { bundlesRoot: await scripts() }, { PATH });
    toldWhy(result, `there is no 'node' on the PATH of this worker (${PATH})`);
  });
}

for (const version of AIRFLOWS) {
  const label = `packed for Airflow ${version}`;
  const python = requirePeer(test, label, `airflow-${version}`);
  if (python === undefined) continue;

  test(`${label}: a script, under any name and below a broken package.json`, async () => {
    succeeded(await extract(version, { bundlesRoot: await scripts() }));
  });

  if (version === "3.3.2") registerRefusals(version, label, python);

  test(`${label}: a single executable on a worker without Node.js`, async () => {
    const PATH = join(folder, "nothing");
    succeeded(await extract(version, { bundlesRoot: await singles() }, { PATH }));
  });
}

const newer = requirePeer(test, "packed for the NodeCoordinator", "airflow-3.4.0b2");
if (newer !== undefined) {
  test("packed for the NodeCoordinator: a Node bundle", async () => {
    succeeded(await extract("3.4.0b2", { nodeRoot: await nodes() }));
  });

  test("a Node bundle on a worker whose Node.js is too old says so in the log", async () => {
    toldWhy(await extract("3.4.0b2", { nodeRoot: await nodes() }, AGED), TOO_OLD);
  });

  test("the Dag processor finds no Dags in a single executable, and nothing to complain of", async () => {
    const launch = { bundlesRoot: await singles() };
    const [parsed] = await parseDagFiles({ launch, files: ["sales"] });
    assert.is(parsed?.supervisorError, null);
    assert.equal(parsed?.result?.serialized_dags, []);
    assert.not(parsed?.result?.import_errors);
  });

  test("Airflow shows the sources of the bundles", async () => {
    const SHOW = `import pathlib, sys
from airflow.sdk.coordinators.executable import _bundle_reader as executable
from airflow.sdk.coordinators.node import _bundle_reader as node
reader = node if sys.argv[1] == "node" else executable
sys.stdout.write(reader.read_bundle_source(pathlib.Path(sys.argv[2]), "sales_pipeline"))`;
    const bundles = [
      ["node", join(await nodes(), "sales pipeline.min.mjs")],
      ["executable", join(await scripts(), "-sales `id` $HOME %d")],
      ["executable", join(await singles(), "sales")],
    ] as const;
    for (const words of bundles) {
      const env = { ...process.env, AIRFLOW_HOME: temporaryFolder("parlance-airflow") };
      const shown = execFileSync(newer, ["-c", SHOW, ...words], { env, encoding: "utf8" });
      assert.is(shown, readFileSync(EXAMPLE_ENTRY, "utf8"));
    }
  });
}

const busybox = requirePeer(test, "busybox", "busybox");
const SHELLS = [["dash"], ["bash", "--posix"], ...(busybox ? [[busybox, "sh"]] : [])];
for (const [shell = "", ...words] of SHELLS) {
  test(`the header of a script is read by ${[shell.replace(/.*\//, ""), ...words].join(" ")}`, async () => {
    const argv = [...words, join(await scripts(), "-sales `id` $HOME %d"), "--describe"];
    const run = spawnSync(shell, argv, { encoding: "utf8" });
    assert.is(run.status, 0, `${run.error ?? ""}${run.stderr}`);
    assert.match(run.stdout, '"sales_pipeline"');
    const place = spawnSync("sh", ["-c", `command -v "$1"`, "sh", shell], { encoding: "utf8" });
    const env = { PATH: "/nowhere" };
    const none = spawnSync(place.stdout.trim(), argv, { env, encoding: "utf8" });
    assert.is(none.status, 127, none.stderr);
    assert.match(none.stderr, "there is no 'node' on the PATH of this worker (/nowhere)");
  });
}

test.run();
