// The stages of `npm test`, in order. Each runs something that writes {passed, failed,
// skipped} to `countsFile`, and gives {code} or, where the machine lacks a peer, {skip: reason}.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePeers } from "../peers.mjs";
import { packageFolders, ROOT, run } from "./workspace.mjs";

const GUARD = join(ROOT, "packages/test-kit/bin/guard.mjs");

/** The SDK's runtime in real processes: what depends most on the Node that runs it. */
const CHILD_SIDE = "packages/sdk-node/dist-test/runtime";

/**
 * Tests that start and end many processes, or work on sockets and on files of databases: a stage of
 * their own, so that the unit tests stay quick.
 */
const PROCESS_TESTS = [
  ...[
    "dag-emit-program",
    "dev",
    "dev-secrets",
    "init",
    "pack",
    "pack-crashes",
    "pack-formats",
    "pack-header",
    "pack-refused",
    "pack-sea",
    "pack-budget",
    "run-source-maps",
    "pack-stacks",
    "run",
    "run-inspect",
    "run-results",
    "run-secrets",
    "run-signals",
    "run-store",
    "run-tries",
    "run-whole-dag",
    "results",
    "results-usage",
  ].map((name) => `packages/cli/dist-test/${name}.test.js`),
  "packages/cli/dist-test/wire-record.test.js",
  "packages/cli/dist-test/wire-replay.test.js",
  "packages/coordinator/dist-test/accept",
  "packages/coordinator/dist-test/coordinators",
  "packages/coordinator/dist-test/dag-run/engine",
  "packages/coordinator/dist-test/large-values",
  "packages/coordinator/dist-test/launch",
  "packages/coordinator/dist-test/store",
  "packages/coordinator/dist-test/supervise/floods.test.js",
  "packages/dev/dist-test/sockets",
  "packages/results/dist-test/database",
  "packages/results/dist-test/store",
  CHILD_SIDE,
  "packages/test-kit/dist-test",
];

export const STAGES = {
  check: ({ countsFile }) => script("check.mjs", [`--json=${countsFile}`]),
  schema: schemaStage,
  unit: unitStage,
  processes: (context) => guard(PROCESS_TESTS, context, patienceFor(context)),
  "unit-node-22": (context) => unitOnNode("node-22", context),
  "unit-node-24": (context) => unitOnNode("node-24", context),
  airflow: async (context) => {
    await peers("airflow-3.3.2", "airflow-3.4.0b2");
    // A whole Airflow that waits for real: five minutes.
    const left = context.long
      ? []
      : ["--exclude=integration/dist-test/airflow/waiting-stack.test.js"];
    const flags = ["--deadline=900000", "--jobs=2", ...left];
    return guard(["integration/dist-test/airflow"], context, flags);
  },
  // Dags in TypeScript: what is made of them, held to the real Airflow.
  dags: async (context) => {
    await peers("airflow-3.3.2", "airflow-3.4.0b2");
    return guard(["integration/dist-test/dags"], context, ["--deadline=900000", "--jobs=2"]);
  },
  conformance: async (context) => {
    await peers("celery-5.7.0", "go", "maven", "airflow-3.3.2", "airflow-3.4.0b2");
    return guard(["integration/dist-test/conformance"], context, ["--deadline=900000", "--jobs=2"]);
  },
  bundles: async (context) => {
    await peers("airflow-3.3.2", "airflow-3.4.0b2", "go", "maven", "busybox");
    return guard(["integration/dist-test/bundles"], context, ["--deadline=600000", "--jobs=2"]);
  },
  retry: async (context) => {
    await peers("airflow-3.3.2");
    // In full it asks real Airflow 100,000 times: 4 to 9 minutes, by load.
    return guard(["integration/dist-test/retry"], context, ["--deadline=1800000", "--jobs=1"]);
  },
  results: async (context) => {
    await peers("celery-5.7.0", "postgresql", "mariadb");
    return guard(["integration/dist-test/results"], context, ["--deadline=600000", "--jobs=2"]);
  },
  // One file after the other: they measure memory and lateness.
  load: (context) =>
    guard(["integration/dist-test/load"], context, ["--deadline=1800000", "--jobs=1"]),
  runtimes: async (context) => {
    await peers("airflow-3.3.2", "airflow-3.4.0b2");
    return guard(["integration/dist-test/runtimes"], context, ["--deadline=600000", "--jobs=2"]);
  },
  // Every page of docs/guide, followed as it stands.
  guide: async (context) => {
    await peers("airflow-3.3.2", "airflow-3.4.0b2");
    return guard(["integration/dist-test/guide"], context, ["--deadline=600000"]);
  },
  // Pages in a real Chromium.
  browser: async (context) => {
    await peers("chromium");
    return guard(["integration/dist-test/browser"], context, ["--deadline=600000", "--jobs=2"]);
  },
  // The Node SDK packed, under our own coordinator.
  sdk: (context) => guard(["integration/dist-test/sdk"], context, ["--deadline=600000"]),
  pack: ({ countsFile }) => script("pack-check.mjs", [`--json=${countsFile}`]),
};

/** Compares schema/ with the published wheels, which come from the Python registry. */
async function schemaStage({ countsFile }) {
  if (spawnSync("python3", ["--version"]).status !== 0) {
    return { skip: "there is no python3 to read the published wheels with" };
  }
  const code = await run("python3", [join(ROOT, "scripts/schema-extract.py"), "--check"]);
  const passed = code === 0 ? 1 : 0;
  writeFileSync(countsFile, JSON.stringify({ passed, failed: 1 - passed, skipped: 0 }));
  return { code };
}

/** In full, some tests compare with the real thing. */
async function unitStage(context) {
  if (context.long) await peers("airflow-3.3.2");
  return guard(
    unitFolders(),
    context,
    PROCESS_TESTS.map((folder) => `--exclude=${folder}`),
  );
}

function unitFolders() {
  return packageFolders()
    .filter((folder) => folder !== "integration")
    .map((folder) => join(folder, "dist-test"))
    .filter((folder) => existsSync(join(ROOT, folder)));
}

/** On another Node: the unit tests, and of those that start processes the child side; in full all. */
async function unitOnNode(peer, context) {
  const { [peer]: found } = await peers(peer);
  if (found.missing !== undefined) return { skip: found.missing };
  const left = context.long ? [] : PROCESS_TESTS.filter((path) => path !== CHILD_SIDE);
  const exclude = left.map((path) => `--exclude=${path}`);
  const flags = [`--node=${found.path}`, ...patienceFor(context), ...exclude];
  return guard(unitFolders(), context, flags);
}

/** Some of these files take 15 s of CPU: packing a single executable, killing packers. */
function patienceFor({ long }) {
  return long ? [] : ["--deadline=180000"];
}

function peers(...names) {
  return ensurePeers(names, { log: (line) => console.error(line) });
}

async function guard(folders, { countsFile, long }, extra = []) {
  const patience = long ? ["--deadline=600000"] : [];
  const args = [GUARD, "--second-look", `--json=${countsFile}`, ...patience, ...extra, ...folders];
  const env = long ? { PARLANCE_LONG: "1" } : {};
  return { code: await run(process.execPath, args, { env }) };
}

async function script(name, args) {
  return { code: await run(process.execPath, [join(ROOT, "scripts", name), ...args]) };
}
