// npm run bench [-- --only NAME… --json]: the rows of bench/README.md, each against its limit in
// one run.
//
// stdout: a table, or with --json one array of
//   {"name","ours","limit","peer"?,"ratio","target","better","ok","unit","runs"}
// A row whose limit can't be had has `limit`, `ratio` null and says why in `missing`; where only the
// peer can't, `peer` is absent and stderr says why. The exit code
// is 0 when every row was measured, also where one misses; 1 when one could not be; 2 for wrong usage.
import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../scripts/lib/workspace.mjs";
import { ensurePeers } from "../scripts/peers.mjs";

const ROW_PROCESS = fileURLToPath(new URL("lib/row-process.mjs", import.meta.url));

const { only, json } = readArguments();
await ensureBuilt();
const { loadRows } = await import("./rows/index.mjs");
const { formatRow, HEADING } = await import("./lib/format-row.mjs");
const all = await loadRows();
const unknown = only.find((name) => !all.some((row) => row.name === name));
if (unknown !== undefined) {
  fail(`there is no row "${unknown}"; there are ${all.map(({ name }) => name).join(", ")}`);
}
const rows = only.length === 0 ? all : all.filter(({ name }) => only.includes(name));

const results = [];
if (!json) console.log(HEADING);
for (const row of rows) {
  console.error(
    `${row.name}: ${row.what}, against ${row.against} (load ${loadavg()[0].toFixed(1)})`,
  );
  const result = await measure(row);
  results.push(result);
  if (!json) console.log(formatRow(row, result));
}
if (json) console.log(JSON.stringify(results, null, 1));
process.exitCode = results.every(({ ratio }) => ratio !== null) ? 0 : 1;

async function measure(row) {
  const { name, must: target, better, unit } = row;
  const unmeasured = (missing) => {
    console.error(`  not measured: ${missing}`);
    const figures = { ours: null, limit: null, ratio: null, target, better, ok: false, unit };
    return { name, ...figures, runs: 0, missing };
  };
  const needed = row.peers ?? [];
  const wanted = row.peer === undefined ? needed : [...needed, row.peer];
  const peers = {};
  for (const [peer, found] of Object.entries(await ensurePeers(wanted, { log: console.error }))) {
    if (found.missing === undefined) peers[peer] = found.path;
    else if (needed.includes(peer)) return unmeasured(found.missing);
    else console.error(`  no peer: ${found.missing}`);
  }
  const { figures, error } = await measureInProcess(name, peers);
  if (figures === undefined) return unmeasured(error);
  const { ours, limit, peer, runs, holds = true } = figures;
  const ratio = ours / limit;
  const ok = holds && (better === "lower" ? ratio <= target : ratio >= target);
  const shown = { ours: round(ours), limit: round(limit) };
  if (peer !== undefined) shown.peer = round(peer);
  return { name, ...shown, ratio: round(ratio), target, better, ok, unit, runs };
}

async function measureInProcess(name, peers) {
  // What a row prints is not for our stdout.
  const child = fork(ROW_PROCESS, { stdio: ["ignore", 2, 2, "ipc"] });
  // Comes after all messages, however the process ends.
  const ended = once(child, "disconnect").then(() => ({ error: "its process ended early" }));
  const answered = once(child, "message").then(([message]) => message);
  child.send({ name, peers });
  return Promise.race([answered, ended]);
}

/** Four digits are more than a busy machine can give. */
function round(value) {
  return Number(value.toPrecision(4));
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true, default: [] },
        json: { type: "boolean", default: false },
      },
    });
    return values;
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(`bench: ${message}\nusage: npm run bench [-- --only NAME… --json]`);
  process.exit(2);
}
