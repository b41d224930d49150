import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import {
  buildChildEnvironment,
  type ConnectionEnds,
  createOwnershipChecker,
  type StartError,
  startTaskProcess,
} from "@parlance/coordinator";
import { rejects } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
// Internal: the parser alone, and a search for lsof in a PATH of the test's own.
import {
  LsofOwnershipChecker,
  parseLsofSockets,
} from "../../dist/ownership/lsof-ownership-checker.js";
import { connecting } from "../support/launching.ts";

test("lsof output: processes, both address families, what is no connection", () => {
  const output = [
    "p100",
    "f9",
    "n127.0.0.1:40001->127.0.0.1:5001",
    "f10",
    "n[::ffff:127.0.0.1]:40002->[::ffff:127.0.0.1]:5001",
    "p101",
    "f3",
    "n*:80",
    "n[::1]:7->[::1]:8",
    "",
  ].join("\n");
  const at = (address: string, port: number): object => ({ address, port });
  assert.equal(parseLsofSockets(output), [
    { pid: 100, local: at("127.0.0.1", 40001), remote: at("127.0.0.1", 5001) },
    { pid: 100, local: at("127.0.0.1", 40002), remote: at("127.0.0.1", 5001) },
    { pid: 101, local: at("::1", 7), remote: at("::1", 8) },
  ]);
  assert.equal(parseLsofSockets(""), []);
});

// A machine without lsof can only show that its absence is told.
const hasLsof = ["/usr/bin/lsof", "/usr/sbin/lsof", "/bin/lsof"].some(existsSync);

async function withConnection(use: (ends: ConnectionEnds) => Promise<void>): Promise<void> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const client = connect(address.port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  const peer = { address: "127.0.0.1", port: accepted.remotePort ?? 0 };
  await use({ peer, local: { address: "::ffff:127.0.0.1", port: address.port } });
  client.destroy();
  server.close();
}

for (const method of ["proc", "lsof"] as const) {
  test(`${method}: our own connection is ours, and nobody else's`, async () => {
    const checker = await createOwnershipChecker({ method });
    if (method === "lsof" && !hasLsof) {
      assert.is(checker, undefined);
      return;
    }
    await withConnection(async (ends) => {
      const other = { ...ends, peer: { ...ends.peer, port: ends.peer.port - 1 } };
      assert.equal(await checker?.check({ pid: process.pid }, [ends, other]), [true, false]);
      assert.equal(await checker?.check({ pid: 999_999_999 }, [ends]), [false], "no such root");
    });
  });

  test(`${method}: a start with a worker below a launcher`, async () => {
    const ownership = await createOwnershipChecker({ method });
    if (ownership === undefined) return;
    const argv = ["/bin/sh", "-c", '"$@"; exit 0', "sh", ...connecting()];
    const task = await startTaskProcess({ argv, env: buildChildEnvironment(), ownership });
    await task.close();
  });
}

test("no lsof, no checker; and a start says what to choose", async () => {
  if (!hasLsof) assert.is(await LsofOwnershipChecker.find("/nonexistent"), undefined);
  const real = process.platform;
  Object.defineProperty(process, "platform", { value: "win32" }); // neither /proc nor lsof there
  try {
    assert.is(await createOwnershipChecker(), undefined);
    const argv = ["/bin/true"];
    const error = await rejects(startTaskProcess({ argv, env: {} }), "ownership-unavailable");
    assert.match((error as StartError).hint ?? "", /ownership: "off"/);
  } finally {
    Object.defineProperty(process, "platform", { value: real });
  }
});

test.run();
