import { readFileSync } from "node:fs";
import { MemoryTaskStore, seedStore } from "@parlance/coordinator";
import { decodeRequestFrame, decodeResponseFrame } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { openRequestPeer, type RequestPeer } from "../support/request-peer.js";

type Row = readonly ["to-task" | "to-supervisor", string];
const url = new URL("../../test/data/transcripts.json", import.meta.url);
const transcripts: { readonly [name: string]: readonly Row[] } = JSON.parse(
  readFileSync(url, "utf8"),
);

/** Answers that differ from the recorded ones on purpose, by message type, with what ours must be. */
const DIFFERENCES: { readonly [type: string]: { readonly why: string; readonly ours: RegExp } } = {
  GetXComCount: {
    why: "the recording's fake server counts mapped XComs only; the real one counts all",
    ours: /^\{"len":1,/,
  },
  GetAssetByName: {
    why: "a store knows no assets",
    ours: /"ASSET_NOT_FOUND","detail":\{"name":"a"\}/,
  },
  GetDag: {
    why: "a store knows no owners; the rest is the same",
    ours: /"is_paused":false,"bundle_name":"stub-bundle",.*"owners":null/,
  },
  GetDagRunState: {
    why: "the fake server says success while the run is running",
    ours: /"state":"running"/,
  },
  GetTICount: { why: "the two tasks that were just skipped count as well", ours: /"count":3/ },
  GetTaskStates: {
    why: "the fake server knows no states; ours has those of the running and the skipped tasks",
    ours: /\{"manual__[^"]*":\{"stub_task":"running","a":"skipped","b_1":"skipped"\}\}/,
  },
  GetTaskBreadcrumbs: {
    why: "the same for tasks that are done",
    ours: /"breadcrumbs":\[\{"task_id":"a".*"state":"skipped"/,
  },
  GetPreviousDagRun: { why: "the fake server gives the same run", ours: /"dag_run":null/ },
  GetTaskRescheduleStartDate: { why: "the task was never rescheduled", ours: /"start_date":null/ },
  TriggerDagRun: { why: "nobody here could run another Dag", ours: /"status_code":400/ },
  GetHITLDetailResponse: {
    why: "our own wording",
    ours: /"status_code":400,"message":"Unhandled request/,
  },
  UpdateHITLDetail: {
    why: "our own wording",
    ours: /"status_code":400,"message":"Unhandled request/,
  },
};

/** Transcripts in which the recording's server was told to fail. */
const INJECTED_FAULTS = new Set(["probe-ok+var403", "probe-ok+var500", "probe-ok+varconn"]);

const RUN = "manual__2026-01-02T03:04:05+00:00";

/** Stock leaves these without an answer: the child waits for ever. */
const UNANSWERED = new Set(["Nonsense", "GetXCom", "null"]);

function text(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? `${item}n` : item));
}

for (const [name, rows] of Object.entries(transcripts)) {
  test(`${name}: requests are answered as the stock supervisor answered them`, async () => {
    const toTask = rows
      .filter(([direction]) => direction === "to-task")
      .map(([, hex]) => payload(hex));
    const requests = rows
      .filter(([direction]) => direction === "to-supervisor")
      .map(([, hex]) => hex);
    const details = decodeResponseFrame(toTask.shift() ?? new Uint8Array()).body;
    assert.ok(details);
    const store = new MemoryTaskStore();
    await seedStore(store, {
      variables: { v1: "hello" },
      connections: {
        c1: {
          conn_type: "http",
          host: "h.example",
          login: "u",
          password: "pw-of-c1",
          port: 8080,
          extra: '{"k": "v"}',
        },
      },
      xcoms: [{ dag_id: "lay_a2", run_id: RUN, task_id: "seed", value: { n: 20 } }],
    });
    const peer = await openRequestPeer(details, "2026-06-16", store);
    const instance = { ...peer.attempt.taskInstance, tryNumber: 1, startDate: null, endDate: null };
    await store.taskInstances.set({ ...instance, state: "running" });
    try {
      await compare(name, peer, requests, toTask);
    } finally {
      await peer.close();
    }
  });
}

async function compare(
  name: string,
  peer: RequestPeer,
  requests: readonly string[],
  toTask: Uint8Array[],
): Promise<void> {
  for (const hex of requests) peer.socket.write(Buffer.from(hex, "hex"));
  for (const hex of requests) {
    const request = decodeRequestFrame(payload(hex));
    const type = String(request.body?.["type"] ?? "null");
    const ours = decodeResponseFrame(await peer.next());
    assert.is(ours.id, request.id);
    const stock = toTask[0] && decodeResponseFrame(toTask[0]);
    if (stock === undefined || stock.id !== request.id) {
      assert.ok(UNANSWERED.has(type), `${type} was answered by stock`);
      assert.match(text(ours.error), /"API_SERVER_ERROR".*"status_code":422/);
      continue;
    }
    toTask.shift();
    const difference = DIFFERENCES[type];
    if (difference !== undefined) {
      assert.match(text(ours.body ?? ours.error), difference.ours, difference.why);
    } else if (!(INJECTED_FAULTS.has(name) && type === "GetVariable")) {
      assert.is(text(ours), text(stock), type);
    }
  }
  assert.is(toTask.length, 0);
}

function payload(hex: string): Uint8Array {
  return Buffer.from(hex, "hex").subarray(4);
}

test.run();
