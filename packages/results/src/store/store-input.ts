import type { ResultNode } from "../results-tree/result-node.ts";

/** What a worker knows of the call; becomes the extended columns. Absent parts are stored as Celery stores `None`. */
export interface TaskRequest {
  /** Registered name of the task; column `name`. */
  readonly task?: string | null | undefined;
  /** Positional arguments; any encodable value. */
  readonly args?: unknown;
  readonly kwargs?: unknown;
  /** Name of the worker; column `worker`. */
  readonly hostname?: string | null | undefined;
  /** Whole number from 0 to 2^31-1. */
  readonly retries?: number | null | undefined;
  /** Column `queue`. */
  readonly routingKey?: string | null | undefined;
  /** Celery's spelling of the same; `routingKey` has precedence. */
  readonly deliveryInfo?: { readonly routingKey?: string | null } | null | undefined;
}

/** One store of a task's state. */
export interface StoreInput {
  /** Any text of 1 to 50 characters: Celery's states or one of your own (`PROGRESS`). */
  readonly state: string;
  /**
   * Default `null`. For FAILURE, RETRY and REVOKED an `Error`, a {@link TaskFailure}, a map with
   * `exc_type` in Celery's shape, or `null`; Celery could not read anything else back.
   */
  readonly result?: unknown;
  readonly traceback?: string | null | undefined;
  /** Tasks and groups this one started; an id stands for a task without parent. None is stored as NULL. */
  readonly children?: readonly (ResultNode | string)[] | null | undefined;
  /** Stored only by an extended store. One without clears what an earlier store wrote, as in Celery. */
  readonly request?: TaskRequest | null | undefined;
  /** By name; stored only by an extended store, and not cleared by a later store without. */
  readonly stamps?: Readonly<Record<string, unknown>> | null | undefined;
  /** Which of `stamps` are stored, in this order. Default: all. A listed name needs no stamp. */
  readonly stampedHeaders?: readonly string[] | undefined;
}

/** What became of a store. */
export interface StoreOutcome {
  /** False when the row was `SUCCESS` already: nothing was changed. */
  readonly written: boolean;
  /** The state of the row afterwards. */
  readonly state: string;
}
