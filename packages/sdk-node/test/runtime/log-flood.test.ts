import type { Socket } from "node:net";
import { isLongRun } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { run } from "../support/fake-supervisor.ts";

/** A million in a long run. */
const RECORDS = isLongRun() ? 1_000_000 : 50_000;

interface Seen {
  /** Records of the flood. */
  count: number;
  /** The first that was not the successor of the one before. */
  outOfOrder: number | undefined;
  /** Numbers told by records of dropped ones. */
  readonly dropped: number[];
  readonly errors: string[];
}

/** How much is read before a pause. */
const BITE_CHARACTERS = 128 * 1024;

/** Reads a socket in bites, with a pause after each, and remembers little. */
function readSlowly(seen: Seen, pauseMs: number) {
  return (socket: Socket): void => {
    let rest = "";
    let last = -1;
    let eaten = 0;
    const take = (line: string): void => {
      const n = /"event":"flood","n":(\d+)/.exec(line)?.[1];
      if (n === undefined) {
        const record = JSON.parse(line) as { dropped?: number; level: string; event: string };
        if (record.dropped !== undefined) seen.dropped.push(record.dropped);
        else if (record.level === "error") seen.errors.push(record.event);
        return;
      }
      seen.count += 1;
      if (Number(n) <= last) seen.outOfOrder ??= Number(n);
      last = Number(n);
    };
    socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
      eaten += text.length;
      if (eaten < BITE_CHARACTERS) return;
      eaten = 0;
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
  };
}

function emptySeen(): Seen {
  return { count: 0, outOfOrder: undefined, dropped: [], errors: [] };
}

function memoryOf(bodies: readonly { readonly [key: string]: unknown }[]) {
  const result = bodies.find((body) => body["type"] === "SetXCom")?.["value"];
  return result as { readonly base: number; readonly peak: number };
}

test(`${RECORDS} records reach a slow reader, in order, with little in memory`, async () => {
  const seen = emptySeen();
  const { bodies, exitCode, durationMs } = await run({
    fixture: "log-flood.mjs",
    taskId: "floods",
    env: { RECORDS: String(RECORDS), PADDING: "60", YIELDS: "true" },
    readLogs: readSlowly(seen, 5),
  });
  assert.equal(seen, { ...emptySeen(), count: RECORDS });
  assert.is(exitCode, 0);
  const { base, peak } = memoryOf(bodies);
  assert.ok(peak - base < 64, `grew from ${base} to ${peak} MiB`); // records were 8 or 160 MB
  console.log(
    `# ${RECORDS} records in ${(durationMs / 1000).toFixed(1)} s, from ${base.toFixed(0)} to ${peak.toFixed(0)} MiB`,
  );
});

test("a loop that never gives way is bounded; what was dropped is one record, the failure is told", async () => {
  const seen = emptySeen();
  const { logs, onFlooded } = readLater(seen);
  const { terminal, exitCode } = await run({
    fixture: "log-flood.mjs",
    taskId: "fails",
    env: { RECORDS: String(RECORDS), PADDING: PADDING_THAT_IS_TOO_MUCH, YIELDS: "false" },
    readLogs: logs,
    answer: onFlooded,
  });
  assert.is(terminal[0]?.["state"], "failed");
  assert.is(exitCode, 0);
  assert.is(seen.outOfOrder, undefined);
  assert.equal(seen.errors, ["Task failed"]);
  assert.is(seen.dropped.length, 1);
  assert.ok((seen.dropped[0] ?? 0) > 0);
  assert.is(seen.count + (seen.dropped[0] ?? 0), RECORDS);
});

test("what such a loop takes in memory", async () => {
  const seen = emptySeen();
  const { logs, onFlooded } = readLater(seen);
  const { bodies } = await run({
    fixture: "log-flood.mjs",
    taskId: "floods",
    env: { RECORDS: String(RECORDS), PADDING: PADDING_THAT_IS_TOO_MUCH, YIELDS: "false" },
    readLogs: logs,
    answer: onFlooded,
  });
  const { base, peak } = memoryOf(bodies);
  assert.ok(peak - base < 64 + 16, `grew from ${base} to ${peak} MiB`);
  console.log(`# from ${base.toFixed(0)} to ${peak.toFixed(0)} MiB; ${seen.dropped} dropped`);
});

/** All records together are more than twice what may wait. */
const PADDING_THAT_IS_TOO_MUCH = isLongRun() ? "200" : "3000";

/** A reader that takes nothing before the loop is over. */
function readLater(seen: Seen) {
  let socket: Socket | undefined;
  return {
    logs: (opened: Socket): void => {
      socket = opened;
    },
    onFlooded: (body: { readonly [key: string]: unknown }): undefined => {
      if (body["type"] === "PutVariable" && socket !== undefined) readSlowly(seen, 0)(socket);
    },
  };
}

test.run();
