import { Component, type JSX } from "preact";
import type { GridCell, GridRun } from "../../../../src/api/types.ts";
import { type GridRow, rowState } from "../../../../src/page-model/grid-rows.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import { stateLook } from "../../../../src/page-model/state-look.ts";

interface RowProps {
  readonly row: GridRow;
  /** In the grid, from 1. */
  readonly index: number;
  readonly runs: readonly GridRun[];
  /** The run whose cell in this row is shown beside the grid. */
  readonly chosenRun: string | undefined;
}

/** One row of the grid; drawn anew only where one of its own cells has changed. */
export class GridRowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, index, runs, chosenRun } = this.props;
    if (next.row !== row || next.index !== index || next.chosenRun !== chosenRun) return true;
    if (next.runs.length !== runs.length) return true;
    return next.runs.some((run, at) => {
      const before = runs[at];
      if (before === run) return false;
      if (before === undefined || before.runId !== run.runId) return true;
      return row.kind === "group" || before.cells[row.id] !== run.cells[row.id];
    });
  }

  override render(): JSX.Element {
    const { row, index, runs, chosenRun } = this.props;
    const isGroup = row.kind === "group";
    const label = plainLine(row.label);
    return (
      <tr data-row={index} class={isGroup ? "group" : undefined}>
        <th
          scope="row"
          data-column={0}
          aria-expanded={isGroup ? !row.isFolded : undefined}
          style={{ paddingInlineStart: `${0.5 + row.depth}rem` }}
          title={plainLine(row.id)}
        >
          {isGroup && (
            <span class="fold" aria-hidden="true">
              {row.isFolded ? "▸" : "▾"}
            </span>
          )}
          {label}
          {isGroup && <span class="dim"> {row.taskIds.length}</span>}
        </th>
        {runs.map((run, at) => (
          <Cell
            key={run.runId}
            cell={rowState(row, run)}
            column={at + 1}
            isChosen={run.runId === chosenRun}
          />
        ))}
      </tr>
    );
  }
}

function Cell({
  cell,
  column,
  isChosen,
}: {
  cell: GridCell | undefined;
  column: number;
  isChosen: boolean;
}): JSX.Element {
  const { name, sign, label } = stateLook(cell?.state ?? null);
  const tries = cell !== undefined && cell.tryNumber > 1 ? `, try ${cell.tryNumber}` : "";
  const many = cell?.instances == null ? "" : `, ${cell.instances} instances`;
  return (
    <td
      class={`cell s-${name}${isChosen ? " chosen" : ""}`}
      data-column={column}
      aria-label={`${label}${tries}${many}`}
      aria-current={isChosen ? "true" : undefined}
    >
      {sign}
    </td>
  );
}
