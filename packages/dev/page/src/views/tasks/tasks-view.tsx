import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DagDetail, Task } from "../../../../src/api/types.ts";
import { durationText } from "../../../../src/page-model/duration-text.ts";
import { plainLine } from "../../../../src/page-model/plain-text.ts";
import {
  nextOrder,
  sortTasks,
  type TaskColumn,
  type TaskOrder,
} from "../../../../src/page-model/sort-tasks.ts";
import { ScrollBox } from "../../parts/scroll-box.tsx";
import { announce } from "../../state/announce.ts";

interface Column {
  readonly by: TaskColumn;
  readonly label: string;
  readonly isNumber?: boolean;
  readonly cell: (task: Task) => string;
}

const seconds = (value: number | null): string => (value === null ? "–" : durationText(value));

const COLUMNS: readonly Column[] = [
  { by: "retries", label: "Retries", isNumber: true, cell: ({ retries }) => String(retries) },
  {
    by: "retryExponentialBackoff",
    label: "Back-off",
    isNumber: true,
    cell: ({ retryExponentialBackoff: factor }) =>
      factor > 1 || (factor > 0 && factor < 1) ? `× ${factor}` : "fixed",
  },
  {
    by: "retryDelaySeconds",
    label: "Delay",
    isNumber: true,
    cell: ({ retryDelaySeconds }) => seconds(retryDelaySeconds),
  },
  {
    by: "maxRetryDelaySeconds",
    label: "Max delay",
    isNumber: true,
    cell: ({ maxRetryDelaySeconds }) => seconds(maxRetryDelaySeconds),
  },
  {
    by: "executionTimeoutSeconds",
    label: "Time-out",
    isNumber: true,
    cell: ({ executionTimeoutSeconds }) => seconds(executionTimeoutSeconds),
  },
  { by: "triggerRule", label: "Trigger rule", cell: ({ triggerRule }) => triggerRule },
  {
    by: "priorityWeight",
    label: "Weight",
    isNumber: true,
    cell: ({ priorityWeight }) => String(priorityWeight),
  },
  {
    by: "pool",
    label: "Pool",
    cell: ({ pool, poolSlots }) => (poolSlots === 1 ? pool : `${pool} × ${poolSlots}`),
  },
  { by: "queue", label: "Queue", cell: ({ queue }) => queue },
];

/** The tasks of a Dag as a table that is sorted by any of its columns, both ways. */
export function TasksView({ dag }: { dag: DagDetail }): JSX.Element {
  const [order, setOrder] = useState<TaskOrder>({ by: "order", descending: false });
  const sortBy = (by: TaskColumn, label: string): void => {
    const next = nextOrder(order, by);
    setOrder(next);
    announce(`Sorted by ${label}, ${next.descending ? "largest first" : "smallest first"}`);
  };
  const heading = (by: TaskColumn, label: string, isNumber = false): JSX.Element => (
    <th
      key={by}
      scope="col"
      class={isNumber ? "number" : undefined}
      aria-sort={order.by !== by ? "none" : order.descending ? "descending" : "ascending"}
    >
      <button type="button" class="sort" onClick={() => sortBy(by, label)}>
        {label}
        <span class="sort-sign" aria-hidden="true">
          {order.by !== by ? "" : order.descending ? "▾" : "▴"}
        </span>
      </button>
    </th>
  );
  const rank = new Map(dag.tasks.map(({ taskId }, index) => [taskId, index + 1]));
  return (
    <ScrollBox label="Tasks">
      <table class="tasks">
        <thead>
          <tr>
            {heading("order", "#", true)}
            {heading("taskId", "Task")}
            {COLUMNS.map(({ by, label, isNumber }) => heading(by, label, isNumber))}
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {sortTasks(dag.tasks, order).map((task) => (
            <tr key={task.taskId}>
              <td class="number dim">{rank.get(task.taskId)}</td>
              <th scope="row">
                {plainLine(task.taskId)}
                <Kind task={task} />
              </th>
              {COLUMNS.map(({ by, isNumber, cell }) => (
                <td key={by} class={isNumber ? "number" : undefined}>
                  {plainLine(cell(task))}
                </td>
              ))}
              <td class="dim">{task.upstream.map(plainLine).join(", ") || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Kind({ task: { kind, isMapped } }: { task: Task }): JSX.Element | null {
  const words = [...(kind === "task" ? [] : [kind]), ...(isMapped ? ["mapped"] : [])];
  return words.length === 0 ? null : <span class="tag">{words.join(", ")}</span>;
}
