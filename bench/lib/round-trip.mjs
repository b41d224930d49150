// Requests of an SDK task to the coordinator and back, held against raw messages between the same
// two processes over loopback.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { encodeRequestFrame, TaskChannel } from "../../packages/framing/dist/index.js";
import { Requester } from "../../packages/sdk-node/dist/client/requester.js";
import { SupervisorClient } from "../../packages/sdk-node/dist/client/supervisor-client.js";
import { pinToCore } from "./pin-to-core.mjs";
import { stockPeer } from "./stock-process.mjs";

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
 * @param {string | undefined} python with stock Airflow in it
 * @returns `ours`: what `client.getXCom` is in a task, the request validated before it leaves and
 *   again in the coordinator; `raw`: a message of the same length, one write each way; `stock`,
 *   with a Python: gives what `ours` is with stock Airflow's supervisor, which is started at first
 */
export async function openLinks(python) {
  const peer = fork(PEER, [String(MESSAGE_BYTES)]);
  const [{ session, echo }] = await once(peer, "message");
  pinToCore(process.pid, 0);
  pinToCore(peer.pid, 1);
  const ours = await openClient(session);
  await ours.started();
  const socket = await openSocket(echo);
  const stock = stockPeer(python, "stock-supervisor.py");
  let stockLink;
  return {
    ours: ours.request,
    raw: rawRequests(socket),
    stock:
      stock &&
      (async () => {
        stockLink ??= await openStock(stock);
        return stockLink.request;
      }),
    close: async () => {
      await stockLink?.close();
      stock?.end();
      ours.close();
      socket.destroy();
      peer.disconnect();
    },
  };
}

async function openClient(port) {
  const channel = new TaskChannel(await openSocket(port));
  const first = channel.first();
  const requester = new Requester(channel, { carrier: null, onSlow: () => {} });
  const client = new SupervisorClient(requester, CONTEXT);
  return {
    started: () => first,
    request: () => client.getXCom({ taskId: "extract", key: "rows" }),
    close: () => channel.close(),
  };
}

async function openStock(peer) {
  const { stock, hello } = await peer.start();
  pinToCore(stock.pid, 1);
  stock.tell({ secrets: [] });
  const client = await openClient(hello.comm);
  const logs = await openSocket(hello.logs);
  await client.started();
  return {
    request: client.request,
    close: () => {
      client.close();
      logs.destroy();
      return stock.read();
    },
  };
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
