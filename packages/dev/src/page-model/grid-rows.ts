import type { GridCell, GridRun, Task, TaskGroup, TaskState } from "../api/types.ts";

/** A row of the grid: a task, or a group that can be folded. */
export interface GridRow {
  readonly kind: "task" | "group";
  readonly id: string;
  readonly label: string;
  /** 0 at the top. */
  readonly depth: number;
  /** Of a group: the tasks inside, also those of groups inside. */
  readonly taskIds: readonly string[];
  readonly isFolded: boolean;
}

/** The rows that are seen: groups stand where the first of their tasks is, folded ones hide what is in them. */
export function gridRows(
  tasks: readonly Task[],
  groups: readonly TaskGroup[],
  folded: ReadonlySet<string>,
): readonly GridRow[] {
  const groupOf = new Map(groups.map((group) => [group.groupId, group]));
  const insideOf = new Map<string, string[]>();
  for (const task of tasks) {
    for (const id of pathOf(task.groupId, groupOf)) {
      insideOf.set(id, [...(insideOf.get(id) ?? []), task.taskId]);
    }
  }
  const rows: GridRow[] = [];
  const visit = (parentId: string | null, depth: number): void => {
    const shown = new Set<string>();
    for (const task of tasks) {
      const path = pathOf(task.groupId, groupOf);
      const at = parentId === null ? 0 : path.indexOf(parentId) + 1;
      if (parentId !== null && at === 0) continue;
      const groupId = path[at];
      if (groupId === undefined) rows.push(taskRow(task, depth));
      else if (!shown.has(groupId)) {
        shown.add(groupId);
        const isFolded = folded.has(groupId);
        const label = groupOf.get(groupId)?.displayName ?? groupId;
        const taskIds = insideOf.get(groupId) ?? [];
        rows.push({ kind: "group", id: groupId, label, depth, taskIds, isFolded });
        if (!isFolded) visit(groupId, depth + 1);
      }
    }
  };
  visit(null, 0);
  return rows;
}

function taskRow(task: Task, depth: number): GridRow {
  const { taskId: id, groupId, displayName } = task;
  // Inside its group a task need not say the group's name again.
  const prefix = groupId === null ? "" : `${groupId}.`;
  const label = displayName.startsWith(prefix) ? displayName.slice(prefix.length) : displayName;
  return { kind: "task", id, label, depth, taskIds: [id], isFolded: false };
}

/** The groups around, outermost first. */
function pathOf(groupId: string | null, groups: ReadonlyMap<string, TaskGroup>): readonly string[] {
  const path: string[] = [];
  for (let id = groupId; id !== null && !path.includes(id); id = groups.get(id)?.parentId ?? null) {
    path.unshift(id);
  }
  return path;
}

const WORST_FIRST: readonly TaskState[] = [
  "failed",
  "upstream_failed",
  "running",
  "restarting",
  "up_for_retry",
  "up_for_reschedule",
  "deferred",
  "awaiting_input",
  "queued",
  "scheduled",
  "success",
  "skipped",
  "removed",
];

/** The state of a row in a run: of a group, that of the task inside that matters most. */
export function rowState(row: GridRow, run: GridRun): GridCell | undefined {
  if (row.kind === "task") return run.cells[row.id];
  const cells = row.taskIds.flatMap((id) => run.cells[id] ?? []);
  const state = WORST_FIRST.find((one) => cells.some((cell) => cell.state === one));
  return state === undefined ? undefined : { state, tryNumber: 0, instances: null };
}
