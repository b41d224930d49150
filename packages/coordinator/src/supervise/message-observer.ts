import type { FrameId } from "@parlance/framing";
import type { Direction } from "@parlance/protocol";

/** A frame that crossed the comm link, without its values: those may be secrets. */
export interface ObservedMessage {
  readonly direction: Direction;
  readonly id: FrameId;
  /** `type` of the body or of the error; null for an empty answer and for a body without one. */
  readonly type: string | null;
  /** The word of an ErrorResponse, e.g. `VARIABLE_NOT_FOUND`. */
  readonly error: string | null;
  /** Which slot an error stood in; null when it is none. */
  readonly errorSlot: "body" | "error" | null;
}

/** Told of each frame as it is read or written; must not throw. */
export type MessageObserver = (message: ObservedMessage) => void;

type Fields = { readonly [key: string]: unknown } | null | undefined;

/** What an observer is told of a frame. */
export function observedMessage(
  direction: Direction,
  id: FrameId,
  body: Fields,
  error?: Fields,
): ObservedMessage {
  const shown = error ?? body;
  const type = textOf(shown?.["type"]);
  const inBody = type === "ErrorResponse" ? "body" : null;
  return {
    direction,
    id,
    type,
    error: type === "ErrorResponse" ? textOf(shown?.["error"]) : null,
    errorSlot: error == null ? inBody : "error",
  };
}

/** A child may write anything of any length in the place of a type. */
const MAX_CHARACTERS = 100;

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value.slice(0, MAX_CHARACTERS) : null;
}
