import type { JSX } from "preact";
import type { Wait } from "../../../../src/api/types.ts";
import { durationText } from "../../../../src/page-model/duration-text.ts";
import type { WaitBar } from "../../../../src/page-model/wait-bars.ts";

interface DrawingProps {
  readonly wait: Wait;
  readonly bar: WaitBar;
  readonly elapsed: number | null;
}

/** Base, jitter, what the cap cut off and the cap itself, on the scale of all waits of the task. */
export function WaitDrawing({ wait, bar, elapsed }: DrawingProps): JSX.Element {
  const { base, jitter, cutOff, cap, capIsBeyond } = bar;
  const percent = (share: number): string => `${share * 100}%`;
  return (
    <div class="wait-drawing" aria-hidden="true">
      <span class="part base" style={{ left: 0, width: percent(base) }} />
      <span class="part jitter" style={{ left: percent(base), width: percent(jitter) }} />
      <span class="part cut-off" style={{ left: percent(base + jitter), width: percent(cutOff) }} />
      {cap !== null && <span class="cap" style={{ left: percent(cap) }} />}
      {capIsBeyond && wait.capSeconds !== null && (
        <span class="beyond">cap {durationText(wait.capSeconds)} ›</span>
      )}
      {elapsed !== null && (
        <span class="elapsed" style={{ width: percent((base + jitter) * elapsed) }} />
      )}
    </div>
  );
}
