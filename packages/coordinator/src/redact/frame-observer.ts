import type { FrameId } from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { FrameRedactor } from "./frame-redactor.ts";

/** A frame that crossed the comm link, with its values, but for secrets. */
export interface ObservedFrame {
  readonly direction: Direction;
  readonly id: FrameId;
  /**
   * Maps of the wire are plain objects, whole floats {@link Float}s of framing. Must not be changed. The
   * answer to a request for an XCom of many megabytes is shown without its `value`.
   */
  readonly body: unknown;
  /** To a supervisor: the context carrier; to a task: the error. */
  readonly third: unknown;
  /** JSON pointers to what was replaced by placeholders; see {@link FrameRedactor}. */
  readonly redacted: readonly string[];
}

/** Told of each frame as it is read or written; must not throw. */
export type FrameObserver = (frame: ObservedFrame) => void;

/** Calls an observer with what it may see of each frame. */
export function redactingObserver(
  observer: FrameObserver,
): (direction: Direction, id: FrameId, body: unknown, third: unknown) => void {
  const redactor = new FrameRedactor();
  return (direction, id, body, third) => {
    observer({ direction, id, ...redactor.frame({ direction, id, body, third }) });
  };
}
