import {
  buildChildEnvironment,
  StartError,
  type StartTaskProcessOptions,
  startTaskProcess,
} from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  connectingBash,
  eventually,
  openSockets,
  outcomeOf,
  processesWith,
  shell,
} from "../support/launching.ts";

const ROUNDS = 20;

const FAILURES: readonly (readonly [string, () => Partial<StartTaskProcessOptions>])[] = [
  ["spawn-failed", () => ({ argv: ["/no/such/program"] })],
  ["spawn-failed", () => ({ argv: ["/etc/passwd"] })],
  ["spawn-failed", () => ({ argv: ["/bin/sh", "a\0b"] })],
  ["exited-before-connect", () => ({ argv: shell("sleep 30 &", "exit 4") })],
  ["startup-timeout", () => ({ argv: shell("sleep 30"), startupTimeoutMs: 30 })],
  ["aborted", () => ({ argv: shell("sleep 30"), signal: AbortSignal.timeout(30) })],
];

const mark = `PARLANCE_TEST_${process.pid}`;

async function runOnce(options: Partial<StartTaskProcessOptions>): Promise<string> {
  const env = { ...buildChildEnvironment(), T_MARK: mark };
  const outcome = await outcomeOf(startTaskProcess({ argv: [], env, ...options }));
  if (outcome instanceof StartError) return outcome.code;
  await outcome.close();
  return "started";
}

async function leavesNothing(options: () => Partial<StartTaskProcessOptions>): Promise<string[]> {
  await runOnce(options()); // what the first use opens for good is not counted
  const before = openSockets().length;
  const codes: string[] = [];
  for (let round = 0; round < ROUNDS; round += 4) {
    codes.push(...(await Promise.all([1, 2, 3, 4].map(() => runOnce(options())))));
  }
  assert.ok(await eventually(() => openSockets().length <= before), "descriptors");
  assert.equal(processesWith(mark), [], "processes");
  return [...new Set(codes)];
}

for (const [code, options] of FAILURES) {
  const what = JSON.stringify(options().argv?.slice(0, 3));
  test(`${ROUNDS} starts that fail by ${code} leave nothing: ${what}`, async () => {
    assert.equal(await leavesNothing(options), [code]);
  });
}

test(`${ROUNDS} good starts leave nothing`, async () => {
  assert.equal(await leavesNothing(() => ({ argv: connectingBash() })), ["started"]);
});

test.run();
