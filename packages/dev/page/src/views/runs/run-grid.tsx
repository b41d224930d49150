import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DagDetail, GridRun } from "../../../../src/api/types.ts";
import { elapsedSeconds } from "../../../../src/page-model/duration-text.ts";
import { gridRows } from "../../../../src/page-model/grid-rows.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import type { Route } from "../../../../src/page-model/route.ts";
import { go } from "../../state/route.ts";
import { useNow } from "../../state/use-now.ts";
import { cellAt, keyedCell, placeOf } from "./grid-keys.ts";
import { GridRowView } from "./grid-row.tsx";
import { LABEL_EVERY, RunHead } from "./run-head.tsx";

interface RunGridProps {
  readonly dag: DagDetail;
  readonly runs: readonly GridRun[];
  readonly chosen: Extract<Route, { view: "dag" }>;
  readonly hasOlder: boolean;
  readonly onOlder: () => void;
}

/** A table of which cells can be opened. */
const GRID_ROLE = { role: "grid", "aria-readonly": true } as const;

/**
 * Runs as columns (the newest first), tasks and groups as rows. One stop for the tab key: arrows, Home, End and the
 * page keys go through it, Enter opens a cell or folds a group.
 */
export function RunGrid({ dag, runs, chosen, hasOlder, onOlder }: RunGridProps): JSX.Element {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () => gridRows(dag.tasks, dag.groups, folded),
    [dag.tasks, dag.groups, folded],
  );
  const table = useRef<HTMLTableElement>(null);
  const active = useRef({ row: 0, column: 0 });
  const now = useNow(runs.some(({ endDate }) => endDate === null));
  const longest = Math.max(
    ...runs.map(({ startDate, endDate }) => elapsedSeconds(startDate, endDate, now) ?? 0),
    0.001,
  );
  const { runId, taskId } = chosen;
  useLayoutEffect(() => {
    // What is shown beside the grid is where one goes on in it.
    const column = runs.findIndex((run) => run.runId === runId) + 1;
    if (column > 0) active.current = { row: rows.findIndex(({ id }) => id === taskId) + 1, column };
    table.current?.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  }, [runId, taskId]);
  useLayoutEffect(() => {
    // The one cell that the tab key reaches; cells do not carry it, so moving draws nothing anew.
    const stop =
      cellAt(table.current, active.current) ?? cellAt(table.current, { row: 0, column: 0 });
    stop?.setAttribute("tabindex", "0");
  });

  const move = (cell: HTMLElement): void => {
    table.current?.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    active.current = placeOf(cell);
    cell.focus();
  };
  const open = (cell: HTMLElement): void => {
    const { row, column } = placeOf(cell);
    const target = rows[row - 1];
    const run = runs[column - 1];
    if (target?.kind === "group") setFolded(toggled(folded, target.id));
    else if (run !== undefined) {
      const { dagId } = dag;
      const base = { view: "dag", dagId, tab: "runs", runId: run.runId } as const;
      const part = chosen.taskId === undefined ? {} : { part: chosen.part ?? "log" };
      go(target === undefined ? base : { ...base, ...part, taskId: target.id });
    }
  };
  return (
    <table
      ref={table}
      class="grid"
      {...GRID_ROLE}
      aria-label={`Runs of ${plainLine(dag.displayName)}`}
      onKeyDown={(event) => {
        const from = (event.target as Element).closest<HTMLElement>("[data-column]");
        if (from === null || table.current === null) return;
        const to = keyedCell(event, table.current, placeOf(from));
        if (to !== undefined) move(to);
        else if (event.key === "Enter" || event.key === " ") open(from);
        else return;
        event.preventDefault();
      }}
      onClick={(event) => {
        const cell = (event.target as Element).closest<HTMLElement>("[data-column]");
        if (cell === null) return;
        move(cell);
        open(cell);
      }}
    >
      <thead>
        <tr data-row={0}>
          <th scope="col" class="corner" data-column={0}>
            <span class="unseen">Task</span>
          </th>
          {runs.map((run, index) => (
            <RunHead
              key={run.runId}
              run={run}
              column={index + 1}
              labelledBefore={runs[index - LABEL_EVERY]}
              share={(elapsedSeconds(run.startDate, run.endDate, now) ?? 0) / longest}
              isChosen={run.runId === chosen.runId}
            />
          ))}
          {hasOlder && (
            <th scope="col" class="older">
              <button type="button" class="quiet" onClick={onOlder}>
                older
              </button>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <GridRowView
            key={`${row.kind} ${row.id}`}
            row={row}
            index={index + 1}
            runs={runs}
            chosenRun={row.id === chosen.taskId ? chosen.runId : undefined}
          />
        ))}
      </tbody>
    </table>
  );
}

function toggled(folded: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(folded);
  if (!next.delete(id)) next.add(id);
  return next;
}
