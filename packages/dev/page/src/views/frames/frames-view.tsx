import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Attempt, FrameEntry, FramePage } from "../../../../src/api/types.ts";
import { apiPath } from "../../client/request.ts";
import { Failure } from "../../parts/failure.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { usePages } from "../../state/use-pages.ts";
import { FrameDetail } from "./frame-detail.tsx";
import { FrameLine } from "./frame-line.tsx";

const ROW_HEIGHT = 26;

/** What supervisor and task said to each other in one try. */
export function FramesView({ attempt }: { attempt: Attempt | undefined }): JSX.Element {
  const attemptId = attempt?.attemptId;
  const path = attemptId === undefined ? undefined : apiPath("attempts", attemptId, "frames");
  const { entries, isFinished, error } = usePages<FrameEntry, FramePage>(
    path,
    ({ frames }) => frames,
    (event) => {
      if (event.type === "frames") return event.attemptId === attemptId;
      return event.type === "instance";
    },
  );
  const [chosen, setChosen] = useState(-1);
  const frame = entries[chosen];
  const start = attempt === undefined ? undefined : Date.parse(attempt.startDate);
  if (attempt === undefined) {
    return <p class="empty dim">No frame crosses the link before the first try.</p>;
  }
  return (
    <div class="frames">
      {error !== undefined && <Failure error={error} />}
      <p class="dim count" role="status">
        {entries.length} {entries.length === 1 ? "frame" : "frames"}
        {isFinished ? "" : " so far"}; secrets are replaced
      </p>
      {entries.length === 0 ? (
        <p class="empty dim">{isFinished ? "No frame was kept of this try." : "None so far."}</p>
      ) : (
        <VirtualList
          id="frame-lines"
          label="Frames"
          count={entries.length}
          rowHeight={ROW_HEIGHT}
          active={chosen}
          onActive={setChosen}
          row={(index) => {
            const line = entries[index];
            return line === undefined ? null : <FrameLine frame={line} startMs={start} />;
          }}
        />
      )}
      {frame !== undefined && <FrameDetail frame={frame} onClose={() => setChosen(-1)} />}
    </div>
  );
}
