import { createRequire } from "node:module";
import { encodeRequestFrame } from "../../packages/framing/dist/index.js";
import { interleave, microsecondsPerCall } from "../lib/interleave.mjs";

const { encode } = createRequire(new URL("../../packages/framing/package.json", import.meta.url))(
  "@msgpack/msgpack",
);
const CALLS = 20_000;

/** A message as tasks send most: about 130 bytes as a frame. */
const BODY = {
  type: "SetXCom",
  key: "return_value",
  value: { rows: 1250, ok: true },
  dag_id: "sales_pipeline",
  run_id: "manual__2026-06-16T01:02:03",
  task_id: "extract",
  map_index: -1,
};

/**
 * The encoder's checks are always on. The limit makes bytes, too, but no frame of them; the peer
 * is what one writes with @msgpack/msgpack at first, which checks nothing.
 */
export const row = {
  name: "frame-encode-small",
  what: "encode a 130 B message, all checks on",
  against: "JSON.stringify and UTF-8 of the same value",
  must: 1.2,
  aim: 0.6,
  better: "lower",
  unit: "us",
  measure({ note }) {
    note(`the frame has ${encodeRequestFrame({ id: 7, body: BODY }).length} bytes`);
    let id = 0;
    return interleave({
      rounds: 21,
      warmUps: 3,
      ours: () => microsecondsPerCall(() => encodeRequestFrame({ id: ++id, body: BODY }), CALLS),
      limit: () => microsecondsPerCall(() => Buffer.from(JSON.stringify([++id, BODY])), CALLS),
      peer: () => microsecondsPerCall(() => encodeNaively([++id, BODY]), CALLS),
      peerRounds: 11,
    });
  },
};

function encodeNaively(message) {
  const payload = encode(message);
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  return Buffer.concat([prefix, payload]);
}
