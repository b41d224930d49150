import type { JSX } from "preact";
import type { GridRun } from "../../../../src/api/types.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";
import { clockText } from "../../parts/clock-time.tsx";

interface RunHeadProps {
  readonly run: GridRun;
  readonly column: number;
  /** The run whose time is told before this one's; its day need not be told again. */
  readonly labelledBefore: GridRun | undefined;
  /** Its duration as a share of the longest. */
  readonly share: number;
  readonly isChosen: boolean;
}

/** So many columns have one label of time. */
export const LABEL_EVERY = 3;

/** The head of a run's column: how long it took, its state, now and then its time. */
export function RunHead(props: RunHeadProps): JSX.Element {
  const { run, column, labelledBefore, share, isChosen } = props;
  const { name, sign, label } = stateLook(run.state);
  const time = clockText(run.createdAt);
  const text = `Run of ${time}, ${label}: ${plainLine(run.runId)}`;
  return (
    <th
      scope="col"
      class={isChosen ? "run-head chosen" : "run-head"}
      data-column={column}
      title={text}
    >
      <span class="unseen">{text}</span>
      {(column - 1) % LABEL_EVERY === 0 && (
        <span class="run-time" aria-hidden="true">
          {shortTime(run, labelledBefore)}
        </span>
      )}
      <span class="run-bar" aria-hidden="true">
        <span class={`bar f-${name}`} style={{ height: `${Math.max(6, share * 100)}%` }} />
      </span>
      <span class={`state s-${name}`} aria-hidden="true">
        {sign}
      </span>
    </th>
  );
}

/** The hour and minute, or the day where it is another one than before. */
function shortTime({ createdAt }: GridRun, before: GridRun | undefined): string {
  const [day, time] = splitTime(createdAt);
  return before !== undefined && splitTime(before.createdAt)[0] !== day ? day : time;
}

function splitTime(iso: string): readonly [day: string, time: string] {
  const [time = "", day = ""] = clockText(iso).split(", ").reverse();
  return [day, time.slice(0, 5)];
}
