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
  /** How many elements its array has; undefined for bytes that are no array. */
  readonly elements?: number;
  /** The bytes, length prefix included; the first 4,096 of them. */
  readonly hex: string;
  /** Length of all the bytes. */
  readonly bytes: number;
  /** Why it is no frame. */
  readonly fault?: string;
}

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
      ...elementsOf(bytes.subarray(4)),
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

function elementsOf(payload: Uint8Array): Pick<SeenFrame, "elements"> {
  const [head = 0] = payload;
  if ((head & 0xf0) === 0x90) return { elements: head & 0x0f };
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (head === 0xdc && payload.length > 2) return { elements: view.getUint16(1) };
  if (head === 0xdd && payload.length > 4) return { elements: view.getUint32(1) };
  return {};
}
