#!/usr/bin/env node
// Installs what the tests run against but the packages do not depend on: stock Airflow and Celery
// in virtual environments of their own, other Node versions, database servers. Everything lands in
// the ignored folder `.peers/` and is re-used as long as its pins are the same.
//
//   node scripts/peers.mjs [--check] airflow-3.3.2 airflow-3.4.0b2 celery-5.7.0 postgresql mariadb go maven busybox chromium node-22 node-24
//
// stdout: one JSON map, name -> {"path": executable} | {"missing": reason}; progress goes to stderr.
// --check installs nothing. The exit code is 0 also when something is missing, 2 for wrong usage.
// Needs no node_modules. One file of scripts/peers a kind of peer.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { busyboxPeer } from "./peers/busybox.mjs";
import { chromiumPeer } from "./peers/chromium.mjs";
import { MissingPeer, PEERS_FOLDER } from "./peers/commands.mjs";
import { goPeer } from "./peers/go.mjs";
import { mariadbPeer } from "./peers/mariadb.mjs";
import { mavenPeer } from "./peers/maven.mjs";
import { nodePeer } from "./peers/npm.mjs";
import { postgresqlPeer } from "./peers/postgresql.mjs";
import { pythonPeer } from "./peers/python.mjs";

// Part of every key: change it when an install is done differently from before.
const LAYOUT = "1";

const PEERS = {
  "airflow-3.3.2": airflowPeer("3.3.2"),
  "airflow-3.4.0b2": airflowPeer("3.4.0b2"),
  "celery-5.7.0": pythonPeer(
    "Celery 5.7.0",
    "packages/test-kit/peers/celery/requirements-5.7.0.txt",
  ),
  postgresql: postgresqlPeer("17.10.0-beta.17"),
  mariadb: mariadbPeer(),
  go: goPeer("examples/runtimes/go"),
  maven: mavenPeer("examples/runtimes/java"),
  busybox: busyboxPeer(),
  chromium: chromiumPeer(),
  "node-22": nodePeer("node-22", "22.23.5"),
  "node-24": nodePeer("node-24", "24.22.3"),
};

export const PEER_NAMES = Object.keys(PEERS);

/**
 * Installs what is asked for and not there yet, one after the other.
 *
 * @param {readonly string[]} names some of PEER_NAMES; a foreign name throws a RangeError
 * @param {{ check?: boolean, log?: (line: string) => void }} [options] `check`: only look, install nothing
 * @returns {Promise<Record<string, { path: string } | { missing: string }>>} the executable (Python, Node,
 *   the server) of every peer, or why there is none
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
  const requirements = `packages/test-kit/peers/airflow/requirements-${version}.txt`;
  return pythonPeer(`Apache Airflow ${version}`, requirements);
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
