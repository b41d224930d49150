import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { openSqliteTaskStore, type StoreDump } from "@parlance/coordinator";
import { load, temporaryFolder } from "@parlance/test-kit";
import Database from "libsql";
import { test } from "uvu";
import * as assert from "uvu/assert";

const HOST = fileURLToPath(new URL("../../test/load/fixtures/store-host.mjs", import.meta.url));
const OLD_STORE = new URL(
  "../../../packages/coordinator/test/data/store-version-1.db.gz",
  import.meta.url,
);
const folder = temporaryFolder("parlance-store-kills");

/** The number of the request at which the task ended: see store-child.mjs. */
const LAST = 105;

test("a store has everything that was answered before its process was killed, at any moment", async () => {
  let answered = 0;
  let ended = 0;
  let early = 0;
  const rounds = load(500);
  const lanes = [0, 1].map(async (lane) => {
    for (let round = lane; round < rounds; round += 2) {
      const { numbers, dump } = await killedRun(round);
      answered += numbers.length;
      if (numbers.length === 0) early += 1;
      if (dump.assetEvents.length > 0) ended += 1;
    }
  });
  await Promise.all(lanes);
  const said = `${answered} answers, ${ended} ends, ${early} without an answer, in ${rounds} rounds`;
  assert.ok(answered > rounds * 20 && ended > 0, said);
});

/** Kills a coordinator at some moment, and looks for what its task had an answer to. */
async function killedRun(round: number): Promise<{ numbers: number[]; dump: StoreDump }> {
  const file = join(folder, `store-${round}.db`);
  const acks = join(folder, `acks-${round}`);
  if (round % 4 === 1) writeFileSync(file, gunzipSync(readFileSync(OLD_STORE)), { mode: 0o600 });
  const host = spawn(process.execPath, [HOST, file, acks], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(host, "exit");
  // One in five dies on its way, while the file is made or brought up to date, maybe; the others after
  // so many bytes of answered numbers, which is the same moment on a busy machine and on a quiet one.
  const bytes = 1 + Math.floor(Math.random() * 800);
  if (round % 5 === 4) await sleep(80 + Math.random() * 150);
  else while (sizeOf(acks) < bytes && host.exitCode === null) await sleep(Math.random() * 4);
  host.kill("SIGKILL");
  await gone;
  const text = existsSync(acks) ? readFileSync(acks, "utf8") : "";
  assert.not.match(text, "error");
  const numbers = text.split("\n").slice(0, -1).map(Number);

  const store = await openSqliteTaskStore(file);
  const dump = await store.dump();
  await store.close();
  const fault = numbers.find((n) => !isThere(n, numbers, dump));
  assert.is(fault, undefined, `round ${round}: the answer to request ${fault} was for nothing`);
  assert.ok([0, 3].includes(dump.assetEvents.length), "of three events some are there");
  if (round % 4 === 1) assert.ok(dump.variables.some(({ value }) => value === "kept"));
  const database = new Database(file);
  const [check] = database.prepare("PRAGMA integrity_check").all([]);
  database.close();
  assert.is((check as { integrity_check: string }).integrity_check, "ok", `round ${round}`);
  return { numbers, dump };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether what request `n` asked for is there, or what a later one made of it. */
function isThere(n: number, numbers: readonly number[], dump: StoreDump): boolean {
  if (n === LAST) return dump.assetEvents.length === 3;
  const instance = dump.taskInstances.find(({ taskId }) => taskId === "t");
  switch (n % 10) {
    case 0:
      return dump.xcoms.some(({ key, value }) => key === `k${n}` && value === n);
    case 1: // request n + 6 deletes it, and may have been dealt with unanswered
      return (
        dump.variables.some(({ key, value }) => key === `v${n}` && value === String(n)) ||
        Math.max(...numbers) + 14 >= n + 6
      );
    case 2:
    case 3:
      return dump.states.some(({ key, value }) => key === `s${n}` && value === n);
    case 4:
      return dump.dagRuns.some(({ runId }) => runId === `o${n}`);
    case 5:
      return dump.taskInstances.some(
        ({ taskId, mapIndex, state }) =>
          taskId === "skipped" && mapIndex === n && state === "skipped",
      );
    case 6:
      return Number(instance?.renderedMapIndex) >= n;
    case 7:
      return !dump.variables.some(({ key }) => key === `v${n - 6}`);
    case 8: {
      const clears = numbers.filter((other) => other % 10 === 8 && other <= n).length;
      return (dump.dagRuns.find(({ runId }) => runId === "o4")?.clearNumber ?? 0) >= clears;
    }
    default:
      return dump.hitlDetails.length === 1;
  }
}

test.run();
