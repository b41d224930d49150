/** The columns of `celery_taskmeta` as they are created, in this order. */
export const TASK_COLUMNS = [
  "id",
  "task_id",
  "status",
  "result",
  "date_done",
  "traceback",
  "children",
  "name",
  "args",
  "kwargs",
  "worker",
  "retries",
  "queue",
  "stamps",
] as const;

/** The columns of `celery_tasksetmeta`, in this order. */
export const GROUP_COLUMNS = ["id", "taskset_id", "result", "date_done"] as const;

export type TaskColumn = (typeof TASK_COLUMNS)[number];

/** The tables by their role, for Kysely: `task` and `group` become the names that are configured. */
export interface ResultTables {
  task: {
    id: number;
    task_id: string | null;
    status: string | null;
    result: Uint8Array | string | null;
    date_done: string | null;
    traceback: string | null;
    children: Uint8Array | string | null;
    name: string | null;
    args: Uint8Array | string | null;
    kwargs: Uint8Array | string | null;
    worker: string | null;
    retries: number | null;
    queue: string | null;
    stamps: Uint8Array | string | null;
  };
  group: {
    id: number;
    taskset_id: string | null;
    result: Uint8Array | string | null;
    date_done: string | null;
  };
}

/** What is known of a table that exists (or does not). Read once, and again when it turns out stale. */
export interface TableFacts {
  readonly exists: boolean;
  /** The columns it has. One that is missing is left out of every statement. */
  readonly columns: ReadonlySet<string>;
  /** The SQL expression an INSERT has to give for `id`; null where the column fills itself. */
  readonly nextId: string | null;
  /** Nothing fills `id`: the sequence is missing and the column has no default. */
  readonly needsSequence: boolean;
  /** The most bytes a binary or text column takes, where that is under 2^31 (MySQL, MariaDB). */
  readonly maxBytes: ReadonlyMap<string, number>;
  /** The most characters a VARCHAR column takes; enforced by PostgreSQL, MySQL and MariaDB. */
  readonly maxCharacters: ReadonlyMap<string, number>;
  /** Whether an index begins with `date_done`. */
  readonly hasDateDoneIndex: boolean;
  /**
   * MySQL and MariaDB, where it matters to an INSERT: no unique index holds the task's or group's id
   * alone. Celery's tables have one; some that were made by hand have not.
   */
  readonly lacksUniqueKey?: boolean;
  /** Another table's index has the name that Celery would give to this one's. */
  readonly indexNameTaken: boolean;
}

/** Both tables. */
export interface SchemaFacts {
  readonly task: TableFacts;
  readonly group: TableFacts;
}
