// What the ownership row needs around it: a process tree that holds two connections, and a
// machine full of other processes and sockets.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { freeChild } from "./free-child.mjs";

const OTHER_PROCESSES = 2_000;
const OTHER_CONNECTIONS = 2_500; // two sockets each

/**
 * A tree of `size` processes: a root and its children, the middle one of which has connected.
 *
 * @returns its root's number and both connections, as the accepting side sees them
 */
export async function startTree(size) {
  const accepted = [];
  const servers = await Promise.all([listen(accepted), listen(accepted)]);
  const [comm, logs] = servers.map((server) => `127.0.0.1:${server.address().port}`);
  const child = [...freeChild("stay"), `--comm=${comm}`, `--logs=${logs}`];
  const others = Math.max(0, size - 2);
  const root =
    size === 1
      ? spawn(child[0], child.slice(1), { stdio: "ignore", detached: true })
      : spawn("/bin/sh", ["-c", TREE, "tree", String(others >> 1), String(others), ...child], {
          stdio: "ignore",
          detached: true,
        });
  while (accepted.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 300)); // the rest of the tree starts
  const connections = accepted.map((socket) => ({
    peer: { address: socket.remoteAddress, port: socket.remotePort },
    local: { address: socket.localAddress, port: socket.localPort },
  }));
  return {
    pid: root.pid,
    connections,
    async end() {
      for (const socket of accepted) socket.destroy();
      for (const server of servers) server.close();
      await endGroup(root);
    },
  };
}

/** `sh -c` gets: how many sleepers come before the child, how many there are, and the child. */
const TREE = `before=$1 all=$2; shift 2; at=0
while [ $at -lt $before ]; do sleep 1000 & at=$((at + 1)); done
"$@" &
while [ $at -lt $all ]; do sleep 1000 & at=$((at + 1)); done
wait`;

async function listen(accepted) {
  const server = createServer((socket) => accepted.push(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Fills the machine with processes that sleep and connections that are idle. */
export async function fillMachine() {
  const script = `at=0; while [ $at -lt ${OTHER_PROCESSES} ]; do sleep 1000 & at=$((at + 1)); done; echo; wait`;
  const sleepers = spawn("/bin/sh", ["-c", script], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  await once(sleepers.stdout, "data");
  const sockets = [];
  const server = await listen(sockets);
  const { port } = server.address();
  for (let count = 0; count < OTHER_CONNECTIONS; count++) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    await once(socket, "connect");
    sockets.push(socket);
  }
  return async () => {
    for (const socket of sockets) socket.resetAndDestroy(); // leaves no TIME_WAIT behind
    server.close();
    await endGroup(sleepers);
  };
}

async function endGroup(leader) {
  const ended = leader.exitCode === null ? once(leader, "exit") : undefined;
  process.kill(-leader.pid, "SIGKILL");
  await ended;
}
