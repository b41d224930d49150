import type { JSX } from "preact";
import type { GridRun } from "../../../../src/api/types.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";
import { clockText } from "../../parts/clock-time.tsx";

interface RunHeadProps {
  readonly run: GridRun;
  readonly column: number;
  /** Its duration as a share of the longest. */
  readonly share: number;
  readonly isChosen: boolean;
}

const LABEL_EVERY = 5;

/** The head of a run's column: how long it took, its state, now and then its time. */
export function RunHead({ run, column, share, isChosen }: RunHeadProps): JSX.Element {
  const { name, sign, label } = stateLook(run.state);
  const time = clockText(run.createdAt);
  const text = `Run of ${time}, ${label}: ${plainLine(run.runId)}`;
  return (
    <th
      scope="col"
      class={isChosen ? "run-head chosen" : "run-head"}
      data-column={column}
      aria-label={text}
      title={text}
    >
      {(column - 1) % LABEL_EVERY === 0 && (
        <span class="run-time" aria-hidden="true">
          {time.replace(/:\d\d$/, "")}
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
