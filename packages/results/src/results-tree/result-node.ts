/** A task's result as Celery's `AsyncResult` names it, with the task that called it. */
export interface TaskNode {
  readonly kind: "task";
  readonly id: string;
  readonly parent: ResultNode | null;
}

/** A group's result as Celery's `GroupResult` names it. */
export interface GroupNode {
  readonly kind: "group";
  readonly id: string;
  readonly parent: ResultNode | null;
  readonly members: readonly ResultNode[];
}

/** One entry of a task's children, or a member or parent of one. */
export type ResultNode = TaskNode | GroupNode;
