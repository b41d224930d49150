import { decodeRequestFrame, decodeResponseFrame, type FrameId } from "@parlance/framing";

/** A frame that crossed the comm link in a run of the kit: everything in it is the kit's own. */
export interface SeenFrame {
  readonly direction: "to-supervisor" | "to-task";
  /** Milliseconds since the attempt began. */
  readonly atMs: number;
  /** Undefined for bytes that are no frame. */
  readonly id?: FrameId;
  readonly body?: unknown;
  /** To the task: the error; to the supervisor: the context carrier. */
  readonly third?: unknown;
  /** What stands in a fourth element: only null and the id of a task instance are known. */
  readonly fourth?: "null" | "uuid" | "other";
  /** The bytes, length prefix included; the first 4,096 of them. */
  readonly hex: string;
  /** Length of all the bytes. */
  readonly bytes: number;
  /** Why it is no frame. */
  readonly fault?: string;
}

const ARRAY_OF_FOUR = 0x94;
const NIL = 0xc0;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SHOWN_BYTES = 4_096;
/** A flood shall not fill the memory of who looks on. */
const MAX_FRAMES = 20_000;

/** Keeps what crosses a link, in order. */
export class FrameLog {
  readonly frames: SeenFrame[] = [];
  readonly #startedAt = performance.now();

  /** @param bytes - of a whole frame, as it was or will be written */
  note(direction: SeenFrame["direction"], bytes: Uint8Array): SeenFrame {
    const seen: SeenFrame = {
      direction,
      atMs: performance.now() - this.#startedAt,
      hex: Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString("hex"),
      bytes: bytes.byteLength,
      ...decode(direction, bytes.subarray(4)),
      ...fourthOf(bytes.subarray(4)),
    };
    if (this.frames.length < MAX_FRAMES) this.frames.push(seen);
    return seen;
  }
}

function decode(
  direction: SeenFrame["direction"],
  payload: Uint8Array,
): Pick<SeenFrame, "id" | "body" | "third" | "fault"> {
  try {
    if (direction === "to-task") {
      const { id, body, error } = decodeResponseFrame(payload, { wrapFloats: true });
      return { id, body, third: error };
    }
    const { id, body, carrier } = decodeRequestFrame(payload, { wrapFloats: true });
    return { id, body, third: carrier };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** The last bytes of an array of four tell. */
function fourthOf(payload: Uint8Array): Pick<SeenFrame, "fourth"> {
  if (payload[0] !== ARRAY_OF_FOUR) return {};
  if (payload.at(-1) === NIL) return { fourth: "null" };
  const text = Buffer.from(payload.subarray(-36)).toString("latin1");
  return { fourth: UUID.test(text) ? "uuid" : "other" };
}
