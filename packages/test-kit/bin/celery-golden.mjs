#!/usr/bin/env node
// Remakes the golden rows of the result backend with the real Celery on its three databases.
//
//   node packages/test-kit/bin/celery-golden.mjs OUTDIR
//
// Needs a built test kit and `node scripts/peers.mjs celery-5.7.0 postgresql mariadb`.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findPeer, startMariadb, startPostgresql } from "../dist/index.js";

const [folder] = process.argv.slice(2);
const peer = findPeer("celery-5.7.0");
if (folder === undefined || "missing" in peer) {
  console.error(folder === undefined ? "usage: celery-golden.mjs OUTDIR" : peer.missing);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const script = fileURLToPath(new URL("../peers/celery/make_golden.py", import.meta.url));
const [postgresql, mariadb] = await Promise.all([startPostgresql(), startMariadb()]);
try {
  const env = {
    ...process.env,
    CELERY_GOLDEN_POSTGRESQL: postgresql.celeryUrl(await postgresql.createDatabase()),
    CELERY_GOLDEN_MARIADB: mariadb.celeryUrl(await mariadb.createDatabase()),
  };
  const { status } = spawnSync(peer.path, [script, folder], { env, stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  await Promise.all([postgresql.stop(), mariadb.stop()]);
}
