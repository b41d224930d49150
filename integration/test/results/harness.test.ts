import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openResultStore } from "@parlance/results";
import {
  type DatabaseServer,
  rejects,
  requirePeer,
  startCeleryPeer,
  startCeleryWorker,
  startMariadb,
  startPostgresql,
  temporaryFolder,
} from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

// The harnesses themselves: servers come up, survive what they shall, and leave nothing.

const FOR_EVER = fileURLToPath(new URL("./fixtures/servers-for-ever.js", import.meta.url));
const STARTS = { postgresql: startPostgresql, mariadb: startMariadb };

const here = (["postgresql", "mariadb"] as const).filter(
  (kind) => requirePeer(test, `the harness of ${kind}`, kind) !== undefined,
);
const hasCelery = requirePeer(test, "the harness of Celery", "celery-5.7.0") !== undefined;

for (const kind of here) {
  test(`${kind}: what was committed survives a restart and a kill; then nothing is left`, async () => {
    const server = await STARTS[kind]();
    const { folder, port } = server;
    try {
      await survives(server);
    } finally {
      await server.stop();
    }
    assert.not(existsSync(folder));
    assert.equal(processesIn(folder), []);
    assert.not(await answers("127.0.0.1", port));
    await server.stop(); // again is no error
  });

  test(`${kind}: only loopback, only with the password, never as root`, async () => {
    const server = await STARTS[kind]();
    try {
      for (const address of foreignAddresses()) assert.not(await answers(address, server.port));
      const wrong = server.url("mysql").replace(server.password, "wrong");
      await rejects(openResultStore(wrong), "database-unreachable");
      const pids = processesIn(server.folder);
      assert.ok(pids.length > 0);
      for (const pid of pids) assert.is.not(statSync(`/proc/${pid}`).uid, 0);
      assert.not(commandLines().some((line) => line.includes(server.password)));
      assert.is(statSync(server.folder).mode & 0o777, 0o700);
    } finally {
      await server.stop();
    }
  });
}

async function survives(server: DatabaseServer): Promise<void> {
  const database = await server.createDatabase();
  await server.query(database, "CREATE TABLE t (a integer)");
  const rows = async () => (await server.query(database, "SELECT a FROM t")).map(({ a }) => a);
  await server.query(database, "INSERT INTO t VALUES (1)");
  await server.restart();
  assert.equal(await rows(), [1]);
  await server.query(database, "INSERT INTO t VALUES (2)");
  await server.restart({ immediate: true });
  assert.equal(await rows(), [1, 2]);
  await server.query(database, "INSERT INTO t VALUES (3)");
  await server.kill9();
  assert.not(server.isRunning);
  await rejects(rows());
  await server.start();
  assert.equal(await rows(), [1, 2, 3]);
}

if (hasCelery) {
  test("the peer of Celery tells what Celery raised, and ends at its deadline", async () => {
    const file = `${temporaryFolder()}/r.db`;
    const celery = await startCeleryPeer(`db+sqlite:///${file}`, { deadlineMs: 4_000 });
    const [outcome] = await celery.write([{ id: "a", result: { $set: [1] } }]);
    assert.is((outcome as { error: { type: string } }).error.type, "EncodeError");
    const error = await rejects(celery.request({ op: "no-such" }));
    assert.match(error.message, "celery_peer.py no-such: KeyError");
    const late = await rejects(celery.wait("never", 60));
    assert.match(late.message, "no answer within 4000 ms");
    await celery.close();
    await rejects(startCeleryPeer("db+nonsense://x/y"));
  });
}

if (hasCelery && here.length === 2) {
  test("kill -9 of the test ends servers and workers and removes their files", async () => {
    const caller = spawn(process.execPath, [FOR_EVER], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: caller.stdout });
    const line = await new Promise<string>((resolve) => lines.once("line", resolve));
    const { folders, ports, passwords } = JSON.parse(line) as Record<"folders", string[]> &
      Record<"ports", number[]> &
      Record<"passwords", string[]>;
    for (const folder of folders) assert.ok(processesIn(folder).length > 0, folder);
    for (const port of ports) assert.ok(await answers("127.0.0.1", port));
    const shown = commandLines().join("\n");
    for (const password of passwords) assert.not(shown.includes(password));
    caller.kill("SIGKILL");
    await waitFor(() => folders.every((folder) => !existsSync(folder)), 150_000);
    for (const folder of folders) assert.equal(processesIn(folder), [], folder);
    for (const port of ports) assert.not(await answers("127.0.0.1", port));
  });

  test("a worker that can't start says why and leaves nothing", async () => {
    const before = celeryFolders();
    const options = { conf: { result_serializer: "no-such" } };
    const error = await rejects(startCeleryWorker("db+sqlite:////tmp", options));
    assert.match(error.message, /no-such/);
    assert.equal(celeryFolders(), before);
  });
}

function celeryFolders(): string[] {
  return readdirSync("/tmp").filter((name) => name.startsWith("parlance-celery-"));
}

function foreignAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}

function processesIn(folder: string): number[] {
  return pids().filter((pid) => {
    try {
      return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
    } catch {
      return false;
    }
  });
}

function commandLines(): string[] {
  return pids().map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  });
}

function pids(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

async function waitFor(condition: () => boolean, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not so within ${limitMs} ms`);
    await sleep(20);
  }
}

test.run();
