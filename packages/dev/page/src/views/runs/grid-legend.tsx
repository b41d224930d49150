import type { JSX } from "preact";
import type { GridRun, TaskState } from "../../../../src/api/types.ts";
import { StateMark } from "../../parts/state-mark.tsx";

/** What the signs of the grid say: of those that are in it. */
export function GridLegend({ runs }: { runs: readonly GridRun[] }): JSX.Element | null {
  const states = new Set<TaskState>();
  for (const run of runs) for (const { state } of Object.values(run.cells)) states.add(state);
  states.delete(null);
  if (states.size === 0) return null;
  return (
    <p class="legend-line dim">
      {[...states].map((state) => (
        <StateMark key={state} state={state} />
      ))}
    </p>
  );
}
