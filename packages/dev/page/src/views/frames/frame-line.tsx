import type { JSX } from "preact";
import type { FrameEntry } from "../../../../src/api/types.ts";
import { jsonPreview, toJsonNode } from "../../../../src/page-model/exact-json.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";

/** One frame in a line. An answer of an error is told from others by a word, too. */
export function FrameLine({
  frame,
  startMs,
}: {
  frame: FrameEntry;
  startMs: number | undefined;
}): JSX.Element {
  const { number, at, direction, id, type, body, isCut } = frame;
  const isToTask = direction === "to-task";
  const isError = isErrorFrame(frame);
  return (
    <span class={`frame-line ${direction}${isError ? " is-error" : ""}`}>
      <span class="dim number">{number}</span>
      <span class="dim number frame-at">{offsetText(at, startMs)}</span>
      <span class="frame-way">
        <span aria-hidden="true">{isToTask ? "→" : "←"}</span>
        <span class="unseen">{isToTask ? "supervisor to task" : "task to supervisor"}</span>
      </span>
      <span class="number frame-id">{plainLine(jsonPreview(toJsonNode(id)))}</span>
      <span class="frame-type">{isError ? "error" : plainLine(type ?? "answer")}</span>
      <span class="frame-body">
        {isCut
          ? "too large to show"
          : plainLine(jsonPreview(toJsonNode(isError ? frame.third : body)))}
      </span>
    </span>
  );
}

/** Whether it tells a task that its request failed. */
export function isErrorFrame({ direction, third }: FrameEntry): boolean {
  return direction === "to-task" && third !== null && third !== undefined;
}

function offsetText(at: string | null, startMs: number | undefined): string {
  if (at === null || startMs === undefined) return "";
  return `${Math.max(0, Date.parse(at) - startMs)} ms`;
}
