import type { ResultNode } from "../results-tree/result-node.ts";
import type { SerializerError } from "../serializers/serializer-error.ts";

/** What one row of `celery_taskmeta` says about a task. */
export interface TaskMeta {
  readonly taskId: string;
  /** `PENDING` where there is no row; `null` only where the column itself is NULL, which no store writes. */
  readonly state: string | null;
  /**
   * The value, or for FAILURE, RETRY and REVOKED a {@link TaskFailure} (`null` where none was stored).
   * `null` without a row.
   */
  readonly result: unknown;
  /** To the millisecond, in the zone that the store's options name; see `dateDoneText`. */
  readonly dateDone: Date | null;
  /** The column as it stands, with microseconds: `2026-06-16 01:02:03.123456`. */
  readonly dateDoneText: string | null;
  readonly traceback: string | null;
  /** Tasks and groups that this task started; `null` where none was stored. */
  readonly children: readonly ResultNode[] | null;
  /** The rest is there only when the store is `extended`, as in Celery. */
  readonly name?: string | null;
  readonly args?: unknown;
  readonly kwargs?: unknown;
  readonly worker?: string | null;
  readonly retries?: number | null;
  readonly queue?: string | null;
  /** The stamps by name, kept apart from the columns (Celery spreads them over the meta and loses what they hide). */
  readonly stamps?: Readonly<Record<string, unknown>> | null;
  /** The names that were listed as stamped, with a stamp or without. */
  readonly stampedHeaders?: readonly string[] | null;
  /** There only with `undecodable: "keep"`, and where a column could not be read; the field of it is `null`. */
  readonly undecodable?: readonly UndecodedColumn[];
}

/** A column whose bytes can't be read: another serializer wrote them, or a pickle that is more than data. */
export interface UndecodedColumn {
  readonly column: "result" | "children" | "args" | "kwargs";
  /** As they stand in the row. */
  readonly bytes: Uint8Array;
  /** `cannot-decode` or `pickle-refused`. */
  readonly error: SerializerError;
}

/** One line of a listing: everything but the bodies, so that a listing of millions needs no memory. */
export interface TaskSummary {
  readonly taskId: string;
  readonly state: string | null;
  readonly dateDone: Date | null;
  readonly dateDoneText: string | null;
  /** `null` unless the row was written by an extended store. */
  readonly name: string | null;
  readonly worker: string | null;
  readonly retries: number | null;
  readonly queue: string | null;
  /** Length of the encoded result; `null` where the column is NULL. */
  readonly resultBytes: number | null;
}

/** A saved group, as Celery's `GroupResult` keeps it. */
export interface ResultGroup {
  readonly groupId: string;
  readonly parent: ResultNode | null;
  readonly members: readonly ResultNode[];
  /** When the group was saved. */
  readonly dateDone: Date | null;
  readonly dateDoneText: string | null;
}
