import { buildStartupDetails, MemoryTaskStore, type TaskStore } from "@parlance/coordinator";
import { decodeResponseFrame, encodeRequestFrame, type ResponseFrame } from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import * as assert from "uvu/assert";
import { openRequestPeer, type PeerChoices, type RequestPeer } from "./request-peer.js";

export const ID = "11111111-1111-4111-8111-111111111111";
export const OTHER_ID = "22222222-2222-4222-8222-222222222222";
export const SERIES = { dag_id: "d", run_id: "r", task_id: "t", key: "k" };
export const LOGICAL = new Date("2026-06-16T00:00:00Z");

const taskInstance = { id: ID, dagId: "d", taskId: "t", runId: "r", tryNumber: 1 };

/** Asks a session and gives its answer, whose id it has checked. */
export type Ask = (body: object | null) => Promise<ResponseFrame>;

export interface PeerOptions extends PeerChoices {
  readonly store?: TaskStore;
}

/** A session for the try 1 of task `t` in run `r` of Dag `d`, which the store has as running. */
export async function withPeer(
  schemaVersion: SchemaVersion,
  use: (ask: Ask, peer: RequestPeer) => Promise<void>,
  { store = new MemoryTaskStore(), ...choices }: PeerOptions = {},
): Promise<void> {
  const details = buildStartupDetails({
    schemaVersion,
    taskInstance,
    dagRun: { logicalDate: LOGICAL },
    startDate: new Date(),
  });
  await store.taskInstances.set({
    dagId: "d",
    runId: "r",
    taskId: "t",
    mapIndex: -1,
    id: ID,
    state: "running",
    tryNumber: 1,
    startDate: LOGICAL.toISOString(),
    endDate: null,
  });
  const peer = await openRequestPeer(details, schemaVersion, store, choices);
  let id = 0;
  const ask: Ask = async (body) => {
    id += 1;
    peer.socket.write(encodeRequestFrame({ id, body }));
    const answer = decodeResponseFrame(await peer.next(), { wrapFloats: true });
    assert.is(answer.id, id);
    return answer;
  };
  try {
    await use(ask, peer);
  } finally {
    await peer.close();
  }
}

interface Detail {
  readonly status_code: number;
  readonly message: string;
  readonly detail: readonly { readonly path: string; readonly message: string }[];
}

/** What an answer says in its error slot. */
export function detailOf({ error }: ResponseFrame): Detail {
  assert.ok(error, "the error slot is empty");
  return error["detail"] as unknown as Detail;
}
