// Requests of an SDK task to the coordinator and back, held against raw messages between the same
// two processes over loopback.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { encodeRequestFrame, TaskChannel } from "../../packages/framing/dist/index.js";
import { Requester } from "../../packages/sdk-node/dist/client/requester.js";
import { SupervisorClient } from "../../packages/sdk-node/dist/client/supervisor-client.js";

const PEER = fileURLToPath(new URL("../programs/link-peer.mjs", import.meta.url));
const CONTEXT = { dagId: "sales_pipeline", runId: "manual__2026-06-16", taskId: "load" };
const MESSAGE_BYTES = encodeRequestFrame({
  id: 1000,
  body: {
    type: "GetXCom",
    key: "rows",
    dag_id: CONTEXT.dagId,
    run_id: CONTEXT.runId,
    task_id: "extract",
    map_index: null,
    include_prior_dates: false,
  },
}).length;

/**
 * Starts the other process and connects both links to it.
 *
 * @returns `ours`: what `client.getXCom` is in a task, the request validated before it leaves and
 *   again in the coordinator; `raw`: a message of the same length, one write each way
 */
export async function openLinks() {
  const peer = fork(PEER, [String(MESSAGE_BYTES)]);
  const [{ session, echo }] = await once(peer, "message");
  spread(process.pid, peer.pid);
  const channel = new TaskChannel(await openSocket(session));
  await channel.first();
  const client = new SupervisorClient(
    new Requester(channel, { carrier: null, onSlow: () => {} }),
    CONTEXT,
  );
  const socket = await openSocket(echo);
  return {
    ours: () => client.getXCom({ taskId: "extract", key: "rows" }),
    raw: rawRequests(socket),
    close: () => {
      channel.close();
      socket.destroy();
      peer.disconnect();
    },
  };
}

/**
 * Gives each process a core of its own. On a busy machine Linux puts both on one, where a message
 * costs no wake-up of another core (10 us instead of 60 to 80), and the next round is otherwise again.
 */
function spread(...pids) {
  const taskset = (...args) => execFileSync("taskset", args, { encoding: "utf8" });
  try {
    const [, cores = ""] = /list: (.*)/.exec(taskset("-pc", String(process.pid))) ?? [];
    const numbers = cores.split(",").flatMap((range) => {
      const [first, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });
    if (numbers.length < pids.length) return;
    for (const [at, pid] of pids.entries()) taskset("-apc", String(numbers[at]), String(pid));
  } catch {
    // no such command here: wherever the system puts them
  }
}

async function openSocket(port) {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await once(socket, "connect");
  return socket;
}

function rawRequests(socket) {
  const message = Buffer.alloc(MESSAGE_BYTES, 0x2a);
  const waiting = [];
  let received = 0;
  socket.on("data", (chunk) => {
    for (received += chunk.length; received >= MESSAGE_BYTES; received -= MESSAGE_BYTES) {
      waiting.shift()();
    }
  });
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.write(message);
    });
}
