// The runtimes that `npm run conformance` knows: how each is built, and what it is held to.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { ensurePeers } from "../peers.mjs";
import { mustRun, ROOT } from "./workspace.mjs";

const BIN = join(ROOT, "packages/cli/bin/parlance.js");
const EXAMPLES = join(ROOT, "examples/runtimes");

/** Each gives {argv, options}, or {missing: reason} where the machine lacks what it needs. */
export const RUNTIMES = {
  async node(work) {
    const bundle = join(work, "node-bundle");
    const entry = "examples/conformance/src/tasks.ts";
    await mustRun("Packing the handlers", process.execPath, [BIN, "pack", entry, "--out", bundle]);
    const options = [
      "--level=may",
      "--all",
      "--capabilities=packages/sdk-node/capabilities.yaml",
      "--known-failing=examples/conformance/known-failing.txt",
    ];
    return { argv: [bundle], options };
  },
  async go(work) {
    const go = await peer("go");
    if (go.missing !== undefined) return go;
    const program = join(work, "conformance-go");
    const cwd = join(EXAMPLES, "go");
    const args = ["build", "-trimpath", "-o", program, "./conformance"];
    await mustRun("Building the Go runtime", go.path, args, { cwd });
    const bundle = join(work, "conformance-go-bundle");
    const metadata = join(cwd, "conformance/bundle.yaml");
    const pack = [
      "bundle",
      "pack",
      "--executable",
      program,
      "--metadata",
      metadata,
      "--out",
      bundle,
    ];
    await mustRun("Packing the Go runtime", process.execPath, [BIN, ...pack]);
    return { argv: [bundle], options: optionsOf("go") };
  },
  async java(work) {
    const maven = await peer("maven");
    if (maven.missing !== undefined) return maven;
    const cwd = join(work, "conformance-java"); // a copy: target/ is left alone
    for (const name of ["pom.xml", "src"]) {
      cpSync(join(EXAMPLES, "java", name), join(cwd, name), { recursive: true });
    }
    await mustRun("Building the Java runtime", maven.path, ["--quiet", "package"], { cwd });
    const quickStart = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
    const start = ["-cp", join(cwd, "target/jars/*"), "parlance.conformance.Main"];
    return { argv: ["java", ...quickStart, ...start], options: optionsOf("java") };
  },
  async python() {
    // Its environment has the msgpack that the example is pinned to.
    const python = await peer("celery-5.7.0");
    if (python.missing !== undefined) return python;
    return {
      argv: [python.path, join(EXAMPLES, "python/runtime.py")],
      options: optionsOf("python"),
    };
  },
  "airflow-python": (work) => airflowPython("3.3.2", "2026-06-16", work),
  "airflow-python-3.4.0b2": (work) => airflowPython("3.4.0b2", "2026-10-30", work),
};

/** Airflow's own task runner, as each of its versions has it. */
async function airflowPython(version, schema, work) {
  const python = await peer(`airflow-${version}`);
  if (python.missing !== undefined) return python;
  const folder = join(EXAMPLES, "airflow-python");
  const home = join(work, `airflow-home-${version}`);
  const program = [python.path, join(folder, "launcher.py"), "--dags", join(folder, "conformance")];
  return {
    argv: ["/usr/bin/env", `AIRFLOW_HOME=${home}`, ...program],
    options: [
      "--level=may",
      "--all",
      `--schema-version=${schema}`,
      `--capabilities=${join(folder, "capabilities.yaml")}`,
      `--known-failing=${join(folder, "conformance/known-failing.txt")}`,
    ],
  };
}

/** Builds a runtime below a folder. */
export async function buildRuntime(name, work) {
  return await RUNTIMES[name](work);
}

async function peer(name) {
  const { [name]: found } = await ensurePeers([name], { log: (line) => console.error(line) });
  return found;
}

/** An example is held to all that it declares, as our own SDK is. */
function optionsOf(name) {
  return ["--level=may", `--capabilities=${join(EXAMPLES, name, "capabilities.yaml")}`];
}
