import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import {
  buildChildEnvironment,
  type ForeignConnection,
  type StartError,
  startTaskProcess,
} from "@parlance/coordinator";
import { rejects, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { connectingBash } from "../support/launching.ts";

/** Reads its own --comm address aloud, and connects when the file is there. */
const GO = join(temporaryFolder(), "go");
const WAIT = 'echo "$@" >&2; while [ ! -e "$0" ]; do sleep 0.02; done; exec "$@"';
const LATE = ["/bin/sh", "-c", WAIT, GO, ...connectingBash()];

function commPort(text: string): number {
  return Number(/--comm=127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
}

test("a stranger that is first does not get the channel, and is reported", async () => {
  const foreign: ForeignConnection[] = [];
  let strangerPort = 0;
  const task = await startTaskProcess({
    argv: LATE,
    env: buildChildEnvironment(),
    startupTimeoutMs: 60_000,
    onForeignConnection: (connection) => {
      foreign.push(connection);
      writeFileSync(GO, "");
    },
    onSpawn: ({ stderr }) => {
      stderr.once("data", (chunk: Buffer) => {
        const stranger = connect(commPort(chunk.toString()), "127.0.0.1"); // we: not below the root
        stranger
          .on("error", () => {})
          .once("connect", () => {
            strangerPort = stranger.localPort ?? 0;
            stranger.resume();
          });
      });
    },
  });
  assert.not(task.comm.remotePort === strangerPort);
  assert.equal(foreign, [{ channel: "comm", peer: { address: "127.0.0.1", port: strangerPort } }]);
  await task.close();
});

test("another process that connects all the time does not delay the start", async () => {
  const flood = `
    const net = require("node:net");
    let open = 0;
    setInterval(() => {
      for (; open < 200; open += 1)
        net.connect(+process.argv[1], "127.0.0.1").on("error", () => {}).on("close", () => open -= 1).resume();
    }, 2);`;
  let flooding: ReturnType<typeof spawn> | undefined;
  let refused = 0;
  const script = 'echo "$@" >&2; sleep 0.4; exec "$@"';
  const startedAt = performance.now();
  const task = await startTaskProcess({
    argv: ["/bin/sh", "-c", script, "sh", ...connectingBash()],
    env: buildChildEnvironment(),
    startupTimeoutMs: 60_000,
    onForeignConnection: () => {
      refused += 1;
    },
    onSpawn: ({ stderr }) => {
      stderr.once("data", (chunk: Buffer) => {
        const port = String(commPort(chunk.toString()));
        flooding = spawn(process.execPath, ["-e", flood, port], { stdio: "ignore" });
      });
    },
  });
  const tookMs = performance.now() - startedAt;
  flooding?.kill("SIGKILL");
  if (flooding !== undefined) await once(flooding, "exit");
  await task.close();
  assert.ok(tookMs < 30_000, `${tookMs} ms`); // some 0.6 s where nothing else runs
  assert.ok(refused <= 20, "a flood does not fill the log");
});

test("a start that only strangers answered names them", async () => {
  const error = (await rejects(
    startTaskProcess({
      argv: ["/bin/sh", "-c", 'echo "$@" >&2; exec sleep 300', "sh"],
      env: buildChildEnvironment(),
      startupTimeoutMs: 4_000, // a stranger is refused after 1 s
      onSpawn: ({ stderr }) => {
        stderr.once("data", (chunk: Buffer) => {
          connect(commPort(chunk.toString()), "127.0.0.1")
            .on("error", () => {})
            .resume();
        });
      },
    }),
    "startup-timeout",
  )) as StartError;
  assert.is(error.foreignConnections.length, 1);
  assert.match(error.message, /refused as foreign: 127\.0\.0\.1:\d+ \(comm\)/);
});

test("off: a stranger is taken, as the caller wanted", async () => {
  const task = await startTaskProcess({
    argv: ["/bin/sh", "-c", 'echo "$@" >&2; exec sleep 300', "sh"],
    env: buildChildEnvironment(),
    ownership: "off",
    onSpawn: ({ stderr }) => {
      stderr.once("data", (chunk: Buffer) => {
        for (const [, port] of chunk.toString().matchAll(/127\.0\.0\.1:(\d+)/g)) {
          connect(Number(port), "127.0.0.1")
            .on("error", () => {})
            .resume();
        }
      });
    },
  });
  assert.is(task.comm.remoteAddress, "127.0.0.1");
  await task.close();
});

test.run();
