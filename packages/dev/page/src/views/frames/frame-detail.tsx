import type { JSX } from "preact";
import type { FrameEntry } from "../../../../src/api/types.ts";
import { jsonPreview, toJsonNode } from "../../../../src/page-model/exact-json.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { DetailPane } from "../../parts/detail-pane.tsx";
import { JsonTree } from "../../parts/json-tree.tsx";

/** A frame whole: its id, its body and its third part as trees. */
export function FrameDetail({
  frame,
  onClose,
}: {
  frame: FrameEntry;
  onClose: () => void;
}): JSX.Element {
  const { number, at, direction, id, type, body, third, redacted, isCut, lost } = frame;
  const isToTask = direction === "to-task";
  const way = isToTask ? "supervisor → task" : "task → supervisor";
  const title = [
    `frame ${number}`,
    way,
    `id ${jsonPreview(toJsonNode(id))}`,
    type ?? "no type",
    at ?? "",
  ];
  return (
    <DetailPane
      label="The frame whole"
      title={plainLine(title.join(" · "))}
      onClose={onClose}
      listId="frame-lines"
    >
      {isCut ? (
        <p class="dim">The frame is larger than what is shown here.</p>
      ) : (
        <JsonTree node={toJsonNode(body)} label="body" />
      )}
      {third !== null && third !== undefined && (
        <JsonTree node={toJsonNode(third)} label={isToTask ? "error" : "context"} />
      )}
      {redacted.length > 0 && (
        <p class="dim">Replaced, as they may be secret: {redacted.map(plainLine).join(", ")}</p>
      )}
      {lost > 0 && (
        <p class="dim">After this one, {lost} frames were not kept: there were too many.</p>
      )}
    </DetailPane>
  );
}
