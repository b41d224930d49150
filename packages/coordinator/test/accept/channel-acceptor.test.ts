import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ChannelAcceptor,
  type ConnectionEnds,
  type ForeignConnection,
  type OwnershipChecker,
} from "@parlance/coordinator";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { eventually, openSockets } from "../support/launching.ts";

/** Owns the connections whose client port is in the set; counts its walks. */
class FakeChecker implements OwnershipChecker {
  readonly owned = new Set<number>();
  walks = 0;
  largest = 0;

  check(_root: unknown, connections: readonly ConnectionEnds[]): Promise<boolean[]> {
    this.walks += 1;
    this.largest = Math.max(this.largest, connections.length);
    return Promise.resolve(connections.map(({ peer }) => this.owned.has(peer.port)));
  }
}

interface Opened {
  readonly acceptor: ChannelAcceptor;
  readonly checker: FakeChecker;
  readonly foreign: ForeignConnection[];
}

async function open(): Promise<Opened> {
  const checker = new FakeChecker();
  const foreign: ForeignConnection[] = [];
  const acceptor = await ChannelAcceptor.open({
    checker,
    onForeignConnection: (connection) => foreign.push(connection),
  });
  return { acceptor, checker, foreign };
}

async function dial(acceptor: ChannelAcceptor, channel: "comm" | "logs"): Promise<Socket> {
  const socket = connect(Number(acceptor.address(channel).split(":")[1]), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

const ROOT = { pid: process.pid };

test("each listener takes one owned connection, in any order, then closes", async () => {
  const { acceptor, checker, foreign } = await open();
  const logs = await dial(acceptor, "logs");
  const comm = await dial(acceptor, "comm");
  for (const { localPort } of [logs, comm]) checker.owned.add(localPort ?? 0);
  acceptor.start(ROOT); // connections that came before are judged as well
  const accepted = await acceptor.accepted;
  assert.is(accepted.comm.remotePort, comm.localPort);
  assert.is(accepted.logs.remotePort, logs.localPort);
  const late = connect(Number(acceptor.address("comm").split(":")[1]), "127.0.0.1");
  const [error] = (await once(late, "error")) as [NodeJS.ErrnoException];
  assert.is(error.code, "ECONNREFUSED");
  assert.equal(foreign, []);
  acceptor.close();
  assert.ok(accepted.comm.destroyed && accepted.logs.destroyed);
  for (const socket of [comm, logs]) socket.destroy();
});

test("a stranger reads end of file after a second, is reported, and waiting goes on", async () => {
  const { acceptor, checker, foreign } = await open();
  acceptor.start(ROOT);
  const startedAt = performance.now();
  const stranger = await dial(acceptor, "comm");
  const port = stranger.localPort;
  stranger.resume();
  await once(stranger, "end");
  const waitedMs = performance.now() - startedAt;
  assert.ok(waitedMs > 900 && waitedMs < 15_000, `${waitedMs} ms`);
  assert.equal(foreign, [{ channel: "comm", peer: { address: "127.0.0.1", port } }]);
  assert.ok(checker.walks > 10, "it was looked up again and again");
  const [comm, logs] = [await dial(acceptor, "comm"), await dial(acceptor, "logs")];
  for (const { localPort } of [logs, comm]) checker.owned.add(localPort ?? 0);
  await acceptor.accepted;
  acceptor.close();
  for (const socket of [comm, logs]) socket.destroy();
});

test("strangers that connect all the time neither delay the start nor cost a walk each", async () => {
  const { acceptor, checker, foreign } = await open();
  acceptor.start(ROOT);
  const strangers: Socket[] = [];
  let isFlooding = true;
  const flood = async (): Promise<void> => {
    while (isFlooding) {
      strangers.push((await dial(acceptor, "comm")).resume());
      await sleep(1); // this process makes both ends: leave it time for ours
    }
  };
  const flooding = Promise.all(Array.from({ length: 5 }, flood));
  assert.ok(await eventually(() => strangers.length > 200, 60_000));
  const startedAt = performance.now();
  const walksBefore = checker.walks;
  const [comm, logs] = [await dial(acceptor, "comm"), await dial(acceptor, "logs")];
  for (const { localPort } of [logs, comm]) checker.owned.add(localPort ?? 0);
  await acceptor.accepted;
  const tookMs = performance.now() - startedAt;
  isFlooding = false;
  acceptor.close();
  await flooding.catch(() => {}); // the last ones are refused
  for (const socket of [...strangers, comm, logs]) socket.destroy();
  assert.ok(tookMs < 20_000, `${tookMs} ms`);
  assert.ok(checker.walks - walksBefore < strangers.length, "a walk answers for many");
  assert.ok(foreign.length > 0, "the oldest strangers had to make room");
  assert.ok(checker.largest <= 129, `${checker.largest} connections waited at once`);
});

test("a second connection of the task itself is closed without a word", async () => {
  const { acceptor, checker, foreign } = await open();
  const sockets = [await dial(acceptor, "comm"), await dial(acceptor, "comm")];
  for (const { localPort } of sockets) checker.owned.add(localPort ?? 0);
  const second = sockets[1] as Socket;
  acceptor.start(ROOT);
  second.resume();
  await once(second, "end");
  assert.ok(acceptor.isConnected("comm"));
  assert.not(acceptor.isConnected("logs"));
  assert.equal(foreign, []);
  acceptor.close();
  for (const socket of sockets) socket.destroy();
});

test("off: the first connection is taken unseen", async () => {
  const acceptor = await ChannelAcceptor.open({ checker: undefined });
  const [comm, logs] = [await dial(acceptor, "comm"), await dial(acceptor, "logs")];
  const accepted = await acceptor.accepted;
  assert.is(accepted.logs.remotePort, logs.localPort);
  acceptor.close();
  for (const socket of [comm, logs]) socket.destroy();
});

test("nothing is read, and no end missed, before somebody listens", async () => {
  const acceptor = await ChannelAcceptor.open({ checker: undefined });
  const [comm, logs] = [await dial(acceptor, "comm"), await dial(acceptor, "logs")];
  comm.end("first and last");
  logs.end();
  const accepted = await acceptor.accepted;
  await sleep(50);
  assert.is(accepted.logs.readableEnded, false);
  const chunks: Buffer[] = [];
  accepted.comm.on("data", (chunk: Buffer) => chunks.push(chunk));
  accepted.logs.on("data", () => {});
  await Promise.all([once(accepted.comm, "end"), once(accepted.logs, "end")]);
  assert.is(Buffer.concat(chunks).toString(), "first and last");
  accepted.comm.write("an answer to a half-closed peer");
  const [answer] = (await once(comm, "data")) as [Buffer];
  assert.match(answer.toString(), /an answer/);
  acceptor.close();
  for (const socket of [comm, logs]) socket.destroy();
});

test("close leaves no socket, whoever is still connected", async () => {
  const before = openSockets().length;
  const { acceptor } = await open();
  const sockets = [await dial(acceptor, "comm"), await dial(acceptor, "logs")];
  acceptor.start(ROOT);
  acceptor.close();
  acceptor.close();
  for (const socket of sockets) socket.destroy();
  assert.ok(await eventually(() => openSockets().length <= before));
});

test("a checker that fails is a check that found nothing", async () => {
  let fails = 2;
  const checker: OwnershipChecker = {
    check: (_root, connections) => {
      fails -= 1;
      return fails >= 0
        ? Promise.reject(new Error("no"))
        : Promise.resolve(connections.map(() => true));
    },
  };
  const acceptor = await ChannelAcceptor.open({ checker });
  acceptor.start(ROOT);
  const sockets = [await dial(acceptor, "comm"), await dial(acceptor, "logs")];
  await acceptor.accepted;
  acceptor.close();
  for (const socket of sockets) socket.destroy();
});

test.run();
