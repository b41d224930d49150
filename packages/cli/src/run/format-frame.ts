import type { WireValue } from "@parlance/framing";
import { escapeControls } from "../terminal-text.ts";
import { emitFrameFields, type ShownFrame } from "../wire/frame-fields.ts";
import { ValuePrinter } from "../wire/value-printer.ts";

/** What a frame is cut to where the terminal does not say how wide it is, in characters. */
const USUAL_WIDTH = 120;

/** Even whole frames are not printed beyond this for people: a string has an end. In characters. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * One line of `--trace` for a person: direction, id and type, then the body's other fields in the
 * notation of `wire decode`, and the error or the carrier where there is one.
 *
 * @param width - in characters; undefined does not cut
 */
export function formatFrame(frame: ShownFrame, width: number | undefined): string {
  const { direction, id, body, third } = frame;
  const arrow = direction === "to-task" ? "→ task" : "← task";
  const fields: Record<string, unknown> = { ...(body as object | null) };
  const type = typeof fields["type"] === "string" ? fields["type"] : undefined;
  delete fields["type"];
  const isError = direction === "to-task" && third !== null;
  const name = type ?? (body === null && !isError ? "(empty)" : "");
  const limit = width ?? MAX_CHARACTERS;
  let text = `${arrow} ${String(id).padStart(3)} ${escapeControls(name)}`;
  if (Object.keys(fields).length > 0) text += ` ${printed(fields, limit)}`;
  if (third !== null) text += ` ${isError ? "error" : "carrier"} ${printed(third, limit)}`;
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** One line of `--trace --json`. */
export function frameJson(frame: ShownFrame, taskId: string): string {
  let text = `{"frame":{"task":${JSON.stringify(taskId)},"direction":"${frame.direction}",`;
  emitFrameFields(frame, (piece) => {
    text += piece;
  });
  return `${text}}}`;
}

/** The width that a line has on this stream, `inset` characters less. */
export function traceWidth(stream: NodeJS.WritableStream, inset: number): number {
  const { columns } = stream as NodeJS.WriteStream;
  return Math.max(40, (columns ?? USUAL_WIDTH) - inset);
}

/** No more is printed than will be shown: a body may be very long. */
function printed(value: unknown, limit: number): string {
  let text = "";
  const values = new ValuePrinter((piece) => {
    text += piece;
    if (text.length > limit) throw ENOUGH;
  });
  try {
    values.print(value as WireValue);
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return text;
}

const ENOUGH = Symbol("enough");
